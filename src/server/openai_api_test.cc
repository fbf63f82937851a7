#include <gtest/gtest.h>

#include "base/utf8.h"
#include "server/server_lab.h"

namespace precedent {
namespace {

class OpenAiTest : public ServerLab {
 protected:
  void also_know(const std::string& id, const std::string& title, const std::string& text) {
    server_.reset();
    knowledge_.add(lab_document(Kind::kRunbook, id, title, text));
    search_ = &knowledge_.search();
    server_ = Server::start(services(), options_).value();
  }
};

constexpr auto* kLate = R"({"model":"any","messages":[{"role":"system","content":"Be kind."},
    {"role":"user","content":[{"type":"text","text":"what to do when letters are late?"}]}]})";

TEST_F(OpenAiTest, ACompletionHasTheAnswerInItsOwnShape) {
  EXPECT_EQ(ask("GET", "/v1/models").body["data"][0]["id"], "precedent");
  const Got got = ask("POST", "/v1/chat/completions", kLate);
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_EQ(got.body["object"], "chat.completion");
  const json& choice = got.body["choices"][0];
  EXPECT_EQ(choice["message"]["role"], "assistant");
  EXPECT_NE(choice["message"]["content"].get<std::string>().find("swift"), std::string::npos);
  EXPECT_EQ(choice["finish_reason"], "stop");
  EXPECT_TRUE(ask("GET", "/chat/").body["chats"].empty()) << "nothing of it is kept";
}

TEST_F(OpenAiTest, AStreamedCompletionIsTheSameAnswerAndEndsWithDone) {
  const json whole = ask("POST", "/v1/chat/completions", kLate).body;
  json request = parse_json(kLate);
  request["stream"] = true;
  request["stream_options"] = {{"include_usage", true}};
  const std::vector<SseEvent> events =
      events_of(ask("POST", "/v1/chat/completions", request.dump()));
  ASSERT_GT(events.size(), 3U);
  EXPECT_EQ(events.back().data, "[DONE]");
  EXPECT_EQ(parse_json(events[0].data)["choices"][0]["delta"]["role"], "assistant");
  EXPECT_FALSE(parse_json(events[1].data)["choices"][0]["delta"].contains("role"));
  std::string text;
  for (const SseEvent& event : events) {
    const json chunk = parse_json(event.data);
    if (chunk.is_object() && !chunk["choices"].empty())
      text += chunk["choices"][0]["delta"].value("content", "");
  }
  EXPECT_EQ(json(text), whole["choices"][0]["message"]["content"]);
  EXPECT_TRUE(parse_json(events[events.size() - 2].data)["usage"].is_object());
}

TEST_F(OpenAiTest, AResponseIsGoneOnFromAndTheFirstStaysAsItWas) {
  const Got first =
      ask("POST", "/v1/responses", R"({"input":"what to do when letters are late?"})");
  ASSERT_EQ(first.status, 200) << first.raw.body;
  EXPECT_EQ(first.body["status"], "completed");
  const json& part = first.body["output"][0]["content"][0];
  EXPECT_NE(part["text"].get<std::string>().find("swift"), std::string::npos);
  EXPECT_EQ(part["annotations"][0]["file_id"], "rb-1");
  EXPECT_EQ(part["text"].get<std::string>()[part["annotations"][0]["index"].get<size_t>()], '[');
  const std::string id = first.body["id"];
  const Got second = ask("POST", "/v1/responses",
                         json{{"input", "who wrote that?"}, {"previous_response_id", id}}.dump());
  ASSERT_EQ(second.status, 200) << second.raw.body;
  EXPECT_EQ(second.body["previous_response_id"], id);
  const std::string own = second.body["id"];
  EXPECT_NE(own, id);
  EXPECT_EQ(ask("GET", "/chat/messages/" + own.substr(5)).body["messages"].size(), 4U);
  EXPECT_EQ(ask("GET", "/chat/messages/" + id.substr(5)).body["messages"].size(), 2U);
  const Got unkept =
      ask("POST", "/v1/responses", R"({"input":"what is a courier?","store":false})");
  const std::string gone = unkept.body["id"];
  EXPECT_EQ(ask("GET", "/chat/messages/" + gone.substr(5)).status, 404);
}

TEST_F(OpenAiTest, AnAnnotationStandsWhereItsClientsCountItInCodePoints) {
  also_know("rb-2", "Öfen überhitzen", "# Öfen überhitzen\n\nDie Öfen der Größe ≥ 3 öffnen 🔥.");
  const Got got = ask("POST", "/v1/responses", R"({"input":"what to do when Öfen überhitzen?"})");
  const json& part = got.body["output"][0]["content"][0];
  const std::string text = part["text"];
  ASSERT_EQ(part["annotations"][0]["file_id"], "rb-2") << text;
  const size_t bytes = text.find("[runbook/rb-2");
  ASSERT_NE(bytes, std::string::npos) << text;
  size_t points = 0;
  for (size_t at = 0; at < bytes; at += code_point_at(text, at).bytes) ++points;
  ASSERT_LT(points, bytes);
  EXPECT_EQ(part["annotations"][0]["index"], points);
}

TEST_F(OpenAiTest, TheEventsOfAResponseAreCountedAndEndWithCompleted) {
  const std::vector<SseEvent> events = events_of(ask(
      "POST", "/v1/responses", R"({"input":"what to do when letters are late?","stream":true})"));
  ASSERT_GT(events.size(), 7U);
  std::string text;
  for (size_t i = 0; i < events.size(); ++i) {
    const json data = parse_json(events[i].data);
    EXPECT_EQ(data["type"], events[i].event);
    EXPECT_EQ(data["sequence_number"], i);
    if (events[i].event == "response.output_text.delta") text += data["delta"].get<std::string>();
  }
  EXPECT_EQ(events.front().event, "response.created");
  EXPECT_EQ(events.back().event, "response.completed");
  EXPECT_EQ(parse_json(events.back().data)["response"]["output"][0]["content"][0]["text"], text);
}

TEST_F(OpenAiTest, ErrorsHaveTheirOwnShape) {
  const auto refused = [&](const std::string& path, const std::string& body) {
    const Got got = ask("POST", path, body);
    EXPECT_EQ(got.body["error"]["type"], "invalid_request_error") << body;
    return got.status;
  };
  EXPECT_EQ(refused("/v1/chat/completions", "{"), 400);
  EXPECT_EQ(refused("/v1/chat/completions", "{}"), 400);
  EXPECT_EQ(refused("/v1/chat/completions", R"({"messages":[{"role":"assistant","content":"a"}]})"),
            400);
  EXPECT_EQ(refused("/v1/chat/completions", R"({"messages":[{"role":"user","content":7}]})"), 400);
  EXPECT_EQ(
      refused("/v1/chat/completions", R"({"messages":[{"role":"user","content":"a"}],"stream":1})"),
      400);
  EXPECT_EQ(refused("/v1/chat/completion", "{}"), 404);
  EXPECT_EQ(refused("/v1/models", "{}"), 405);
  EXPECT_EQ(
      ask("POST", "/v1/responses", "{}", {{"Content-Type", "text/plain"}}).body["error"]["type"],
      "invalid_request_error");
  EXPECT_EQ(refused("/v1/responses", R"({"input":""})"), 400);
  EXPECT_EQ(ask("POST", "/v1/responses", R"({"input":5})").body["error"]["message"],
            "'input' must be a string or a list of messages");
  EXPECT_EQ(refused("/v1/responses", R"({"input":"a","previous_response_id":"x"})"), 400);
  const char* gone = R"({"input":"a","previous_response_id":"resp_t-gone"})";
  EXPECT_EQ(refused("/v1/responses", gone), 404);
  EXPECT_TRUE(ask("POST", "/v1/responses", gone)
                  .body["error"]["message"]
                  .get<std::string>()
                  .contains("no response 'resp_t-gone'"));
}

}  // namespace
}  // namespace precedent
