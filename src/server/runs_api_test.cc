// Runs of the LangGraph server API over real HTTP: waited for, streamed, joined, cancelled, forked.
#include <set>

#include "server/threads_lab.h"

namespace precedent {
namespace {

class RunsApiTest : public ThreadsLab {};

TEST_F(RunsApiTest, ARunIsWaitedForAndItsThreadRemembersIt) {
  const std::string id = thread();
  const Got got = wait(id, kLetters);
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_NE(last_text(got.body).find("swift"), std::string::npos) << got.raw.body;
  EXPECT_EQ(got.body["messages"][0]["type"], "human");
  EXPECT_EQ(got.body["messages"][0]["content"], kLetters);
  EXPECT_EQ(got.body["messages"].back()["type"], "ai");
  EXPECT_EQ(got.body["sources"][0]["id"], "rb-1");
  EXPECT_FALSE(got.body["receipts"].empty());
  EXPECT_TRUE(got.body["grounding"].is_object()) << got.body["grounding"];
  const Got said = ask("GET", "/threads/" + id + "/state");
  EXPECT_EQ(said.body["values"], got.body);
  EXPECT_EQ(said.body["next"], json::array());
  EXPECT_EQ(said.body["metadata"]["source"], "loop");
  // It is a chat as any other, and its run can be read again.
  EXPECT_EQ(ask("GET", "/chat/messages/" + id).body["messages"].size(), 2U);
  EXPECT_EQ(events_of(ask("GET", "/chat/" + id + "/stream")).back().event, "complete");
  const std::string place(got.raw.header("Content-Location"));
  ASSERT_TRUE(place.starts_with("/threads/" + id + "/runs/")) << place;
  EXPECT_EQ(ask("GET", place).body["status"], "success");
  EXPECT_EQ(ask("GET", place + "/join").body, got.body);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/runs").body.size(), 1U);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/runs?status=error").body.size(), 0U);
  EXPECT_EQ(ask("DELETE", place).status, 204);
  EXPECT_EQ(ask("GET", place).status, 404);
}

TEST_F(RunsApiTest, AStreamShowsWhatItsModesAskFor) {
  const std::string id = thread();
  const std::vector<SseEvent> events =
      stream(id, kLetters, {"values", "updates", "messages-tuple", "custom"});
  ASSERT_GT(events.size(), 4U);
  const json begun = parse_json(events.front().data);
  EXPECT_EQ(events.front().event, "metadata");
  EXPECT_EQ(begun["thread_id"], id);
  EXPECT_EQ(events.back().event, "end");
  EXPECT_EQ(parse_json(events.back().data)["status"], "success");
  std::string text, said;
  std::set<std::string> nodes, custom, tokens_of;
  json values;
  for (const SseEvent& event : events) {
    const json data = parse_json(event.data);
    if (event.event == "values") values = data;
    if (event.event == "updates") nodes.insert(data.begin().key());
    if (event.event == "custom") custom.insert(data["type"].get<std::string>());
    if (event.event == "messages" && data[0]["type"] == "AIMessageChunk") {
      text += data[0]["content"].get<std::string>();
      tokens_of.insert(data[0]["id"].get<std::string>());
      EXPECT_EQ(data[1]["langgraph_node"], "support_bot");
    }
  }
  EXPECT_EQ(text, last_text(values));
  EXPECT_EQ(tokens_of, (std::set<std::string>{values["messages"].back()["id"]}))
      << "its pieces have the id that the message is kept under";
  EXPECT_TRUE(nodes.contains("support_bot") && nodes.contains("incident_tools"));
  EXPECT_TRUE(custom.contains("plan") && custom.contains("tool_call")) << custom.size();
  EXPECT_EQ(values, state(id)["values"]);
}

TEST_F(RunsApiTest, MessagesGrowAndAreCompletedInTheirOlderMode) {
  const std::string id = thread();
  std::string partial, complete;
  for (const SseEvent& event : stream(id, kLetters, "messages")) {
    const json data = parse_json(event.data);
    EXPECT_NE(event.event, "values");
    if (event.event == "messages/partial") {
      const std::string grown = data[0]["content"];
      EXPECT_TRUE(grown.starts_with(partial));
      partial = grown;
    }
    if (event.event == "messages/complete" && data[0]["type"] == "ai")
      complete = data[0]["content"];
  }
  EXPECT_FALSE(partial.empty());
  EXPECT_EQ(partial, complete);
}

TEST_F(RunsApiTest, AStreamIsJoinedFromAnyOfItsEvents) {
  const std::string id = thread();
  const Got got = ask("POST", "/threads/" + id + "/runs/stream",
                      run_of(kLetters, {{"stream_mode", {"messages", "updates"}}}));
  const std::vector<SseEvent> events = events_of(got);
  const std::string place(got.raw.header("Location"));
  EXPECT_EQ(place, std::string(got.raw.header("Content-Location")) + "/stream");
  EXPECT_EQ(events_of(ask("GET", place)), events);
  // One event of the graph may be told in several.
  size_t at = 3;
  while (events[at].id == events[at + 1].id) ++at;
  const Got rest = ask("GET", place, "", {{"Last-Event-ID", events[at].id}});
  EXPECT_EQ(
      events_of(rest),
      std::vector<SseEvent>(events.begin() + static_cast<std::ptrdiff_t>(at) + 1, events.end()));
  const auto only = names_of(events_of(ask("GET", place + "?stream_mode=custom")));
  EXPECT_EQ(std::set<std::string>(only.begin(), only.end()),
            (std::set<std::string>{"metadata", "custom", "end"}));
}

TEST_F(RunsApiTest, ARunInTheBackgroundIsJoinedAndCancelled) {
  const std::string id = thread();
  answerer_.held = true;
  const Got begun = ask("POST", "/threads/" + id + "/runs", run_of(kLetters));
  ASSERT_EQ(begun.status, 200) << begun.raw.body;
  const std::string place(begun.raw.header("Content-Location"));
  EXPECT_EQ(ask("GET", "/threads/" + id).body["status"], "busy");
  EXPECT_EQ(wait(id, "and then?").status, 409);
  EXPECT_EQ(ask("POST", "/threads/" + id + "/state", R"({"values":{"title":"a"}})").status, 409);
  EXPECT_EQ(ask("DELETE", "/threads/" + id).status, 409);
  EXPECT_EQ(ask("DELETE", place).status, 409);
  Got joined;
  std::jthread joining([&] { joined = ask("GET", place + "/join"); });
  EXPECT_EQ(ask("POST", place + "/cancel?action=rollback").status, 422);
  EXPECT_EQ(ask("POST", place + "/cancel?wait=1&action=interrupt").status, 204);
  joining.join();
  EXPECT_EQ(joined.body["__error__"]["error"], "Cancelled") << joined.raw.body;
  EXPECT_EQ(ask("GET", place).body["status"], "interrupted");
  const auto events = events_of(ask("GET", place + "/stream"));
  EXPECT_EQ(names_of(events), (std::vector<std::string>{"metadata", "error", "end"}));
  answerer_.held = false;
  EXPECT_EQ(ask("POST", place + "/cancel").status, 202) << "once more does no harm";
  EXPECT_EQ(wait(id, kLetters).status, 200);
}

TEST_F(RunsApiTest, AClientThatLeavesCancelsOnlyIfItSaidSo) {
  const std::string id = thread();
  answerer_.held = true;
  const auto leave = [&](const json& more) {
    CurlHttpClient client;
    const CancelToken cancel;
    std::string place;
    std::ignore = client.stream({.method = "POST",
                                 .url = url("/threads/" + id + "/runs/stream"),
                                 .headers = {{"Content-Type", "application/json"}},
                                 .body = run_of(kLetters, more)},
                                {cancel}, [&](const HttpResponse& head, std::string_view) {
                                  place = head.header("Content-Location");
                                  return false;
                                });
    return place;
  };
  const std::string cancelled = leave({{"on_disconnect", "cancel"}});
  EXPECT_EQ(ask("GET", cancelled + "/join").body["__error__"]["error"], "Cancelled");
  const std::string kept = leave({{"on_disconnect", "continue"}});
  answerer_.held = false;
  EXPECT_NE(last_text(ask("GET", kept + "/join").body).find("swift"), std::string::npos);
}

TEST_F(RunsApiTest, ARunWithoutAThreadKeepsNothing) {
  json messages = {{{"role", "user"}, {"content", kLetters}}};
  const json body = {{"assistant_id", "precedent"}, {"input", {{"messages", messages}}}};
  const Got got = ask("POST", "/runs/wait", body.dump());
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_NE(last_text(got.body).find("swift"), std::string::npos);
  EXPECT_TRUE(got.raw.header("Content-Location").starts_with("/runs/"));
  const auto events = events_of(ask("POST", "/runs/stream", body.dump()));
  EXPECT_EQ(events.back().event, "end");
  EXPECT_EQ(ask("POST", "/threads/search", "{}").body, json::array());
}

TEST_F(RunsApiTest, ARunGoesOnFromACheckpointAndWhatWasLeftIsKept) {
  const std::string id = thread();
  wait(id, kLetters);
  wait(id, "what is a courier?");
  const std::string fork = end_of_first_turn(id);
  const json before = state(id)["values"]["messages"];
  const Got got = wait(id, "which document says so?", {{"checkpoint_id", fork}});
  ASSERT_EQ(got.status, 200) << got.raw.body;
  std::vector<std::string> asked;
  for (const json& message : got.body["messages"])
    if (message["type"] == "human") asked.push_back(message["content"]);
  EXPECT_EQ(asked, (std::vector<std::string>{kLetters, "which document says so?"}));
  EXPECT_EQ(state(id)["values"]["messages"], got.body["messages"]);
  // The other branch is a chat that is put away.
  const Got away = ask("GET", "/chat/?archived=true");
  ASSERT_EQ(away.body["chats"].size(), 1U);
  const std::string left = away.body["chats"][0]["chat_id"];
  EXPECT_EQ(state(left)["values"]["messages"], before);
  EXPECT_EQ(ask("POST", "/threads/search", "{}").body.size(), 1U);
  // Where it stands is no fork.
  const std::string now = state(id)["checkpoint"]["checkpoint_id"];
  wait(id, "thanks", {{"config", {{"configurable", {{"checkpoint_id", now}}}}}});
  EXPECT_EQ(ask("GET", "/chat/?archived=true").body["chats"].size(), 1U);
  EXPECT_EQ(wait(id, kLetters, {{"checkpoint_id", "999999"}}).status, 404);
  EXPECT_EQ(wait(id, kLetters, {{"checkpoint_id", "no number"}}).status, 400);
}

TEST_F(RunsApiTest, AReplayRunsTheRestOfATurnAgain) {
  const std::string id = thread();
  const json said = wait(id, kLetters).body["messages"];
  json from;
  for (const json& one : history(id))
    if (one["next"] == json::array({"incident_tools"})) from = one["checkpoint"];
  ASSERT_FALSE(from.is_null());
  const json body = {{"assistant_id", "precedent"}, {"input", nullptr}, {"checkpoint", from}};
  const Got got = ask("POST", "/threads/" + id + "/runs/wait", body.dump());
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_EQ(got.body["messages"], said);
}

TEST_F(RunsApiTest, ARunThatHasNothingToDoGivesWhatThereIs) {
  const std::string id = thread();
  const json said = wait(id, kLetters).body;
  const Got got = ask("POST", "/threads/" + id + "/runs/wait", R"({"assistant_id":"precedent"})");
  EXPECT_EQ(got.body, said);
  // Nothing is made for what cannot run.
  const auto invented = [&](const std::string& body) {
    return ask("POST", "/threads/invented/runs/wait", body).status;
  };
  EXPECT_EQ(invented(R"({"assistant_id":"precedent","if_not_exists":"create"})"), 400);
  EXPECT_EQ(invented(run_of(" ", {{"if_not_exists", "create"}})), 400);
  EXPECT_EQ(ask("GET", "/threads/invented").status, 404);
}

TEST_F(RunsApiTest, AQuestionBackIsAnInterruptThatAResumeAnswers) {
  const std::string id = thread();
  const std::vector<SseEvent> events = stream(id, "it's broken again", {"values", "updates"});
  EXPECT_EQ(parse_json(events.back().data)["status"], "interrupted");
  json asked, values;
  for (const SseEvent& event : events) {
    const json data = parse_json(event.data);
    if (event.event == "updates" && data.contains("__interrupt__")) asked = data["__interrupt__"];
    if (event.event == "values") values = data;
  }
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(values["__interrupt__"], asked);
  EXPECT_EQ(asked[0]["value"]["text"], last_text(values));
  const json waiting = state(id);
  EXPECT_EQ(waiting["interrupts"], asked);
  EXPECT_EQ(waiting["tasks"][0]["interrupts"], asked);
  EXPECT_EQ(waiting["next"], json::array({"guardrail_check"}));
  EXPECT_EQ(ask("GET", "/threads/" + id).body["status"], "interrupted");
  const auto resume = [&](const json& answer) {
    const json body = {{"assistant_id", "precedent"}, {"command", {{"resume", answer}}}};
    return ask("POST", "/threads/" + id + "/runs/wait", body.dump());
  };
  EXPECT_EQ(resume({{"interrupt-0", "letters"}}).status, 404);
  EXPECT_EQ(resume(7).status, 400);
  const Got got = resume({{asked[0]["id"].get<std::string>(), kLetters}});
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_NE(last_text(got.body).find("swift"), std::string::npos);
  EXPECT_FALSE(got.body.contains("__interrupt__"));
  EXPECT_EQ(state(id)["interrupts"], json::array());
  EXPECT_EQ(resume("and now?").status, 409) << "nothing waits any more";
}

TEST_F(RunsApiTest, ARunMakesItsThreadWhereItMay) {
  const Got made = wait("own-1", kLetters, {{"if_not_exists", "create"}});
  ASSERT_EQ(made.status, 200) << made.raw.body;
  EXPECT_EQ(ask("GET", "/threads/own-1").body["values"], made.body);
}

}  // namespace
}  // namespace precedent
