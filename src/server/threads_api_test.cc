// The LangGraph server API over real HTTP: assistants, threads and their states.
#include "server/threads_lab.h"

namespace precedent {
namespace {

class ThreadsApiTest : public ThreadsLab {};

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
  EXPECT_EQ(status("/threads", R"({"if_exists":"perhaps"})"), 400);
  for (const char* search : {R"({"limit":-1})", R"({"metadata":7})", R"({"values":[]})",
                             R"({"ids":[7]})", R"({"status":"tired"})", R"({"sort_order":"up"})"}) {
    EXPECT_EQ(status("/threads/search", search), 400) << search;
    EXPECT_EQ(status("/threads/count", search), 400) << search;
  }
  EXPECT_EQ(status("/threads/search", R"({"select":[{}]})"), 400);
  EXPECT_EQ(status("/assistants/search", R"({"metadata":[]})"), 400);
  EXPECT_EQ(status("/assistants/count", R"({"select":[{}]})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/history", R"({"select":[7]})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/history", R"({"metadata":7})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/state/checkpoint", R"({"select":7})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/state/checkpoint",
                   R"({"checkpoint":{"checkpoint_id":{"checkpoint_id":"1"}}})"),
            400);
  EXPECT_EQ(status("/threads/a%20b/commands", R"({"id":1,"method":"run.start"})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/commands", R"({"method":"run.start"})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/stream/events", "{}"), 400);
  EXPECT_EQ(status("/threads/" + id + "/stream/events", R"({"channels":["noise"]})"), 400);
  EXPECT_EQ(status("/threads/" + id + "/history", R"({"before":{"checkpoint_id":7}})"), 400);
  EXPECT_EQ(ask("GET", "/threads/t-unknown/state").status, 404);
  EXPECT_EQ(ask("GET", "/threads/t-unknown/runs").status, 404);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/runs/run-1").status, 404);
  EXPECT_EQ(ask("GET", "/threads/" + id + "/state/no-number").status, 400);
}

}  // namespace
}  // namespace precedent
