// The LangGraph server API over real HTTP: assistants, threads, runs, commands and events.
#include <set>

#include "server/server_lab.h"

namespace precedent {
namespace {

class ThreadsApiTest : public ServerLab {
 protected:
  static constexpr auto* kLetters = "what to do when letters are late?";

  static std::string run_of(const std::string& text, json more = json::object()) {
    json body = {{"assistant_id", "precedent"},
                 {"input", {{"messages", {{{"role", "user"}, {"content", text}}}}}}};
    body.update(more);
    return body.dump();
  }
  std::string thread() {
    const Got made = ask("POST", "/threads", "{}");
    EXPECT_EQ(made.status, 200) << made.raw.body;
    return made.body["thread_id"];
  }
  Got wait(const std::string& id, const std::string& text, json more = json::object()) {
    return ask("POST", "/threads/" + id + "/runs/wait", run_of(text, std::move(more)));
  }
  std::vector<SseEvent> stream(const std::string& id, const std::string& text, const json& modes) {
    const Got got =
        ask("POST", "/threads/" + id + "/runs/stream", run_of(text, {{"stream_mode", modes}}));
    EXPECT_EQ(got.status, 200) << got.raw.body;
    return events_of(got);
  }
  json state(const std::string& id) { return ask("GET", "/threads/" + id + "/state").body; }
  std::vector<json> history(const std::string& id) {
    const Got got = ask("POST", "/threads/" + id + "/history", R"({"limit":100})");
    EXPECT_EQ(got.status, 200) << got.raw.body;
    return got.body;
  }
  // The checkpoint at which the first turn was over.
  std::string end_of_first_turn(const std::string& id) {
    const std::vector<json> states = history(id);
    for (auto at = states.rbegin(); at != states.rend(); ++at)
      if ((*at)["next"].empty() && (*at)["values"]["messages"].size() > 1)
        return (*at)["checkpoint"]["checkpoint_id"];
    ADD_FAILURE() << "no turn ended";
    return "";
  }
  Got command(const std::string& id, const std::string& method, const json& params) {
    return ask("POST", "/threads/" + id + "/commands",
               json{{"id", 7}, {"method", method}, {"params", params}}.dump());
  }
  // The events of a thread until the end of a run is among them.
  std::vector<json> events_until_end(const std::string& id, const json& filter) {
    std::vector<json> events;
    CurlHttpClient client;
    const CancelToken cancel;
    SseDecoder decoder;
    const auto heard =
        client.stream({.method = "POST",
                       .url = url("/threads/" + id + "/stream/events"),
                       .headers = {{"Content-Type", "application/json"}},
                       .body = filter.dump()},
                      {cancel, std::chrono::steady_clock::now() + std::chrono::seconds(30)},
                      [&](const HttpResponse&, std::string_view piece) {
                        bool ended = false;
                        EXPECT_TRUE(decoder.feed(piece, [&](const SseEvent& event) {
                          events.push_back(parse_json(event.data));
                          ended = events.back()["method"] == "lifecycle" &&
                                  events.back()["params"]["data"]["event"] != "started";
                          return !ended;
                        }));
                        return !ended;
                      });
    EXPECT_TRUE(heard) << heard.error().text();
    return events;
  }
  static std::vector<std::string> names_of(const std::vector<SseEvent>& events) {
    std::vector<std::string> names;
    for (const SseEvent& event : events) names.push_back(event.event);
    return names;
  }
  static std::string last_text(const json& values) {
    return values["messages"].back()["content"].get<std::string>();
  }
};

TEST_F(ThreadsApiTest, ThereIsOneAssistant) {
  const Got found = ask("POST", "/assistants/search", R"({"limit":10,"offset":0})");
  ASSERT_EQ(found.body.size(), 1U) << found.raw.body;
  EXPECT_EQ(found.body[0]["assistant_id"], "precedent");
  EXPECT_EQ(ask("GET", "/assistants/precedent").body, found.body[0]);
  EXPECT_EQ(ask("POST", "/assistants/search", R"({"graph_id":"other"})").body, json::array());
  EXPECT_EQ(ask("POST", "/assistants/count", "{}").body, 1);
  EXPECT_EQ(ask("GET", "/assistants/other").status, 404);
  EXPECT_EQ(ask("GET", "/ok").body["ok"], true);
  EXPECT_EQ(ask("GET", "/info").body["version"], "test");
}

TEST_F(ThreadsApiTest, AThreadIsMadeFoundCopiedAndDeleted) {
  const Got made = ask("POST", "/threads", R"({"thread_id":"mine","metadata":{"team":"post"}})");
  ASSERT_EQ(made.status, 200) << made.raw.body;
  EXPECT_EQ(made.body["thread_id"], "mine");
  EXPECT_EQ(made.body["status"], "idle");
  EXPECT_EQ(made.body["metadata"]["team"], "post");
  EXPECT_EQ(ask("POST", "/threads", R"({"thread_id":"mine"})").status, 409);
  const Got same = ask("POST", "/threads", R"({"thread_id":"mine","if_exists":"do_nothing"})");
  EXPECT_EQ(same.body, made.body);
  const Got patched = ask("PATCH", "/threads/mine", R"({"metadata":{"shift":2}})");
  EXPECT_EQ(patched.body["metadata"],
            (json{{"graph_id", "precedent"}, {"team", "post"}, {"shift", 2}}));
  wait("mine", kLetters);
  const Got copy = ask("POST", "/threads/mine/copy");
  ASSERT_EQ(copy.status, 200) << copy.raw.body;
  EXPECT_NE(copy.body["thread_id"], "mine");
  EXPECT_EQ(copy.body["values"], ask("GET", "/threads/mine").body["values"]);
  EXPECT_EQ(ask("DELETE", "/threads/mine").status, 204);
  EXPECT_EQ(ask("GET", "/threads/mine").status, 404);
  ASSERT_EQ(ask("POST", "/threads", R"({"thread_id":"mine"})").status, 200);
  EXPECT_EQ(ask("GET", "/threads/mine/runs").body, json::array()) << "it is another one";
  EXPECT_EQ(ask("DELETE", "/threads/mine").status, 204);
  EXPECT_EQ(ask("DELETE", "/threads/mine").status, 404);
  const Got left = ask("GET", "/threads/" + copy.body["thread_id"].get<std::string>());
  EXPECT_EQ(left.body["values"]["messages"].size(), copy.body["values"]["messages"].size());
}

TEST_F(ThreadsApiTest, ASearchFiltersSortsAndPages) {
  for (const auto* name : {"a", "b", "c"}) {
    const json body = {{"thread_id", name}, {"metadata", {{"team", name}}}};
    ASSERT_EQ(ask("POST", "/threads", body.dump()).status, 200);
  }
  wait("b", "it's broken again");
  const auto ids = [&](const std::string& query) {
    const Got got = ask("POST", "/threads/search", query);
    EXPECT_EQ(got.status, 200) << got.raw.body;
    std::vector<std::string> names;
    for (const json& found : got.body) names.push_back(found["thread_id"]);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(ids("{}"), (Names{"b", "c", "a"})) << "the last changed first";
  EXPECT_EQ(ids(R"({"sort_by":"thread_id","sort_order":"asc","limit":2})"), (Names{"a", "b"}));
  EXPECT_EQ(ids(R"({"sort_by":"thread_id","sort_order":"asc","offset":2})"), (Names{"c"}));
  EXPECT_EQ(ids(R"({"metadata":{"team":"c"}})"), (Names{"c"}));
  EXPECT_EQ(ids(R"({"ids":["a","nobody"]})"), (Names{"a"}));
  EXPECT_EQ(ids(R"({"status":"interrupted"})"), (Names{"b"}));
  EXPECT_EQ(ask("POST", "/threads/count", R"({"status":"idle"})").body, 2);
  const Got some = ask("POST", "/threads/search", R"({"ids":["a"],"select":["metadata"]})");
  EXPECT_EQ(some.body, (json::array({{{"metadata", {{"graph_id", "precedent"}, {"team", "a"}}}}})));
}

TEST_F(ThreadsApiTest, ARunIsWaitedForAndItsThreadRemembersIt) {
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

TEST_F(ThreadsApiTest, AStreamShowsWhatItsModesAskFor) {
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

TEST_F(ThreadsApiTest, MessagesGrowAndAreCompletedInTheirOlderMode) {
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

TEST_F(ThreadsApiTest, AStreamIsJoinedFromAnyOfItsEvents) {
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

TEST_F(ThreadsApiTest, ARunInTheBackgroundIsJoinedAndCancelled) {
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

TEST_F(ThreadsApiTest, AClientThatLeavesCancelsOnlyIfItSaidSo) {
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

TEST_F(ThreadsApiTest, ARunWithoutAThreadKeepsNothing) {
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

TEST_F(ThreadsApiTest, HistoryIsNewestFirstAndCanBePaged) {
  const std::string id = thread();
  wait(id, kLetters);
  const std::vector<json> states = history(id);
  ASSERT_GT(states.size(), 4U);
  EXPECT_EQ(states.front(), state(id));
  EXPECT_EQ(states.back()["parent_checkpoint"], json());
  EXPECT_EQ(states.back()["values"]["messages"], json::array());
  for (size_t i = 0; i + 1 < states.size(); ++i)
    EXPECT_EQ(states[i]["parent_checkpoint"], states[i + 1]["checkpoint"]);
  EXPECT_EQ(states[1]["next"], (json::array({"title_generation"})));
  const std::string at = states[1]["checkpoint"]["checkpoint_id"];
  EXPECT_EQ(ask("GET", "/threads/" + id + "/state/" + at).body, states[1]);
  const json ref = {{"checkpoint", states[1]["checkpoint"]}};
  EXPECT_EQ(ask("POST", "/threads/" + id + "/state/checkpoint", ref.dump()).body, states[1]);
  const json page = {{"limit", 1}, {"before", {{"configurable", {{"checkpoint_id", at}}}}}};
  const Got older = ask("POST", "/threads/" + id + "/history", page.dump());
  EXPECT_EQ(older.body, json::array({states[2]}));
  const Got first = ask("POST", "/threads/" + id + "/history", R"({"metadata":{"step":0}})");
  EXPECT_EQ(first.body, json::array({states.back()}));
  const Got titles = ask("GET", "/threads/" + id + "/state?select=values.title&select=next");
  EXPECT_EQ(titles.body,
            (json{{"values", {{"title", states[0]["values"]["title"]}}}, {"next", json::array()}}));
}

TEST_F(ThreadsApiTest, ARunGoesOnFromACheckpointAndWhatWasLeftIsKept) {
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

TEST_F(ThreadsApiTest, AReplayRunsTheRestOfATurnAgain) {
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

TEST_F(ThreadsApiTest, ARunThatHasNothingToDoGivesWhatThereIs) {
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

TEST_F(ThreadsApiTest, AStateIsWrittenAlsoFromACheckpoint) {
  const std::string id = thread();
  wait(id, kLetters);
  wait(id, "what is a courier?");
  const std::string fork = end_of_first_turn(id);
  const Got titled = ask("POST", "/threads/" + id + "/state", R"({"values":{"title":"Late"}})");
  ASSERT_EQ(titled.status, 200) << titled.raw.body;
  EXPECT_EQ(state(id)["values"]["title"], "Late");
  EXPECT_EQ(state(id)["checkpoint"], titled.body["checkpoint"]);
  EXPECT_EQ(state(id)["metadata"]["source"], "update");
  const json noted = {
      {"values", {{"messages", {{{"type", "ai"}, {"content", "password=hunter22x"}}}}}},
      {"checkpoint_id", fork}};
  ASSERT_EQ(ask("POST", "/threads/" + id + "/state", noted.dump()).status, 200);
  const json messages = state(id)["values"]["messages"];
  EXPECT_EQ(messages.back()["type"], "ai");
  EXPECT_EQ(messages.back()["content"].get<std::string>().find("hunter22x"), std::string::npos);
  EXPECT_EQ(state(id)["parent_checkpoint"]["checkpoint_id"], fork);
  const auto status = [&](const std::string& body) {
    return ask("POST", "/threads/" + id + "/state", body).status;
  };
  EXPECT_EQ(status(R"({"values":{"receipts":[]}})"), 400);
  EXPECT_EQ(status(R"({"values":[]})"), 400);
  EXPECT_EQ(status(R"({"values":{"messages":[{"type":"tool","content":"a"}]}})"), 400);
  EXPECT_EQ(status(R"({"values":{"title":"a"},"checkpoint_id":"999999"})"), 404);
}

TEST_F(ThreadsApiTest, AQuestionBackIsAnInterruptThatAResumeAnswers) {
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

TEST_F(ThreadsApiTest, TheFirstRunStartMakesTheThreadThatTheClientInvented) {
  const json input = {{"messages", {{{"role", "user"}, {"content", kLetters}}}}};
  const json params = {{"assistant_id", "precedent"}, {"input", input}};
  EXPECT_EQ(ask("POST", "/threads/fresh/stream/events", R"({"channels":["values"]})").status, 404);
  const Got started = command("fresh", "run.start", params);
  ASSERT_EQ(started.status, 200) << started.raw.body;
  EXPECT_EQ(started.body["type"], "success");
  EXPECT_EQ(started.body["id"], 7);
  const json channels = {"values", "updates", "messages", "tools", "lifecycle", "custom:plan"};
  const std::vector<json> events = events_until_end("fresh", {{"channels", channels}});
  std::string text;
  std::set<std::string> methods, ids;
  uint64_t last = 0;
  for (const json& event : events) {
    EXPECT_EQ(event["type"], "event");
    EXPECT_EQ(event["params"]["namespace"], json::array());
    EXPECT_TRUE(ids.insert(event["event_id"]).second) << event["event_id"];
    EXPECT_GE(event["seq"].get<uint64_t>(), last);
    last = event["seq"];
    methods.insert(event["method"]);
    const json& data = event["params"]["data"];
    if (event["method"] == "messages" && data["event"] == "content-block-delta")
      text += data["delta"]["text"];
    if (event["method"] == "custom") {
      EXPECT_EQ(data["name"], "plan");
    }
  }
  EXPECT_EQ(methods, (std::set<std::string>{"values", "updates", "messages", "tools", "lifecycle",
                                            "custom"}));
  EXPECT_EQ(events.front()["params"]["data"]["event"], "started");
  EXPECT_EQ(events.back()["params"]["data"]["event"], "completed");
  EXPECT_EQ(text, last_text(state("fresh")["values"]));
  EXPECT_EQ(ask("GET", "/threads/fresh/runs").body[0]["run_id"], started.body["result"]["run_id"]);
  // From an event on; and only what is below another namespace, which is nothing.
  const auto rest =
      events_until_end("fresh", {{"channels", {"lifecycle"}}, {"since", events.front()["seq"]}});
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0], events.back());
}

TEST_F(ThreadsApiTest, AnOpenStreamOfEventsTellsTheNextRunAndItsInterrupt) {
  const std::string id = thread();
  std::vector<json> heard;
  std::jthread listening(
      [&] { heard = events_until_end(id, {{"channels", {"lifecycle", "input"}}}); });
  const json input = {{"messages", {{{"type", "human"}, {"content", "it's broken again"}}}}};
  EXPECT_EQ(command(id, "run.start", {{"assistant_id", "precedent"}, {"input", input}}).status,
            200);
  listening.join();
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_EQ(heard[1]["method"], "input.requested");
  EXPECT_EQ(heard[2]["params"]["data"]["event"], "interrupted");
  const json interrupt = heard[1]["params"]["data"]["interrupt_id"];
  EXPECT_EQ(state(id)["interrupts"][0]["id"], interrupt);
  const auto respond = [&](const json& params) {
    return command(id, "input.respond", params).body;
  };
  EXPECT_EQ(respond({{"interrupt_id", "interrupt-0"}, {"response", "x"}})["error"],
            "no_such_interrupt");
  EXPECT_EQ(respond({{"interrupt_id", interrupt}, {"response", 7}})["error"], "invalid_argument");
  const json answer = {
      {"namespace", json::array()}, {"interrupt_id", interrupt}, {"response", kLetters}};
  EXPECT_EQ(respond({{"responses", json::array({answer})}})["type"], "success");
  const auto answered = events_until_end(id, {{"channels", {"lifecycle", "input"}}});
  ASSERT_EQ(answered.size(), 3U);
  EXPECT_EQ(answered[1]["method"], "input.answered");
  EXPECT_EQ(answered[1]["params"]["data"]["interrupt_ids"], json::array({interrupt}));
  EXPECT_EQ(answered[2]["params"]["data"]["event"], "completed");
  EXPECT_EQ(respond(answer)["error"], "no_such_interrupt");
}

TEST_F(ThreadsApiTest, WhatACommandCannotDoIsSaidInItsProtocol) {
  const std::string id = thread();
  const auto error = [&](const std::string& method, const json& params) {
    const Got got = command(id, method, params);
    EXPECT_EQ(got.status, 200) << got.raw.body;
    EXPECT_EQ(got.body["id"], 7);
    EXPECT_FALSE(got.body["message"].get<std::string>().empty());
    return got.body["error"].get<std::string>();
  };
  const json input = {{"messages", {{{"role", "user"}, {"content", "letters?"}}}}};
  EXPECT_EQ(error("run.stop", json::object()), "unknown_command");
  EXPECT_EQ(error("agent.getTree", json::object()), "not_supported");
  EXPECT_EQ(error("run.start", {{"assistant_id", "precedent"}, {"input", 7}}), "invalid_argument");
  EXPECT_EQ(
      error("run.start",
            {{"assistant_id", "precedent"}, {"input", input}, {"multitaskStrategy", "enqueue"}}),
      "not_supported");
  EXPECT_EQ(error("run.start", {{"assistant_id", "precedent"},
                                {"input", input},
                                {"config", {{"configurable", {{"checkpoint_id", "999999"}}}}}}),
            "no_such_checkpoint");
  answerer_.held = true;
  ask("POST", "/threads/" + id + "/runs", run_of(kLetters));
  EXPECT_EQ(command(id, "run.start", {{"assistant_id", "precedent"}, {"input", input}}).status,
            409);
  answerer_.held = false;
}

TEST_F(ThreadsApiTest, BadInputIsAProblemThatNamesIt) {
  const std::string id = thread();
  const auto status = [&](const std::string& path, const std::string& body) {
    const Got got = ask("POST", path, body);
    EXPECT_EQ(got.raw.header("Content-Type"), "application/problem+json") << path << body;
    EXPECT_FALSE(got.body["detail"].get<std::string>().empty());
    return got.status;
  };
  const std::string wait = "/threads/" + id + "/runs/wait";
  EXPECT_EQ(status(wait, "{"), 400);
  EXPECT_EQ(status(wait, "[]"), 400);
  EXPECT_EQ(status(wait, R"({"input":{"messages":[]}})"), 400) << "no assistant";
  EXPECT_EQ(status(wait, R"({"assistant_id":"other"})"), 404);
  const auto with = [&](const json& more) { return status(wait, run_of(kLetters, more)); };
  EXPECT_EQ(with({{"input", {{"messages", json::array()}}}}), 400);
  EXPECT_EQ(with({{"input", {{"messages", {{{"role", "assistant"}, {"content", "a"}}}}}}}), 400);
  EXPECT_EQ(with({{"input", {{"messages", {{{"role", "user"}, {"content", " "}}}}}}}), 400);
  EXPECT_EQ(with({{"input", {{"messages", {"text"}}}}}), 400);
  EXPECT_EQ(with({{"stream_mode", "everything"}}), 400);
  EXPECT_EQ(with({{"multitask_strategy", "enqueue"}}), 422);
  EXPECT_EQ(with({{"interrupt_before", "*"}}), 422);
  EXPECT_EQ(with({{"webhook", "http://localhost/"}}), 422);
  EXPECT_EQ(with({{"command", {{"goto", "support_bot"}}}}), 422);
  EXPECT_EQ(status("/threads/t-unknown/runs/wait", run_of(kLetters)), 404);
  EXPECT_EQ(status("/threads/t-unknown/copy", ""), 404);
  EXPECT_EQ(status("/threads/t-unknown/history", "{}"), 404);
  EXPECT_EQ(status("/threads/t-unknown/runs/run-1/cancel", ""), 404);
  EXPECT_EQ(status("/threads", R"({"thread_id":"a/b"})"), 400);
  EXPECT_EQ(status("/threads", R"({"metadata":7})"), 400);
  EXPECT_EQ(status("/threads/search", R"({"limit":-1})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/commands", R"({"method":"run.start"})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/stream/events", "{}"), 400);
  EXPECT_EQ(status("/threads/" + id + "/stream/events", R"({"channels":["noise"]})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/history", R"({"before":{"checkpoint_id":7}})"), 400);
  EXPECT_EQ(ask("GET", "/threads/t-unknown/state").status, 404);
  EXPECT_EQ(ask("GET", "/threads/t-unknown/runs").status, 404);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/runs/run-1").status, 404);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/state/no-number").status, 400);
}

TEST_F(ThreadsApiTest, ARunMakesItsThreadWhereItMay) {
  const Got made = wait("own-1", kLetters, {{"if_not_exists", "create"}});
  ASSERT_EQ(made.status, 200) << made.raw.body;
  EXPECT_EQ(ask("GET", "/threads/own-1").body["values"], made.body);
}

TEST_F(ThreadsApiTest, AStreamOfEventsEndsWithTheServer) {
  const std::string id = thread();
  Got followed;
  std::jthread following([&] {
    followed = ask("POST", "/threads/" + id + "/stream/events", R"({"channels":["lifecycle"]})");
  });
  std::string open;
  while (!open.contains("agent_http_connections 2")) open = ask("GET", "/metrics").raw.body;
  server_->drain(std::chrono::milliseconds(100));
  following.join();
  EXPECT_EQ(followed.status, 200);
}

}  // namespace
}  // namespace precedent
