// Requests as the vendors want them, and what becomes of their answers; the network is scripted.
#include "llm/http_chat_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "net/curl_http_client.h"
#include "net/loopback_server.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kYes =
    "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Yes \"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"sir.\"},\"finish_reason\":\"stop\"}],"
    "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":100,"
    "\"prompt_tokens_details\":{\"cached_tokens\":400}}}\n\ndata: [DONE]\n\n";

const std::vector<ToolDescription> kTools = {
    {"lookup",
     "Looks an incident up.",
     {{"incident_id", ToolParameter::Type::kString, "As written.", true},
      {"limit", ToolParameter::Type::kInteger, "How many.", false, {}, int64_t{5}, 1.0, 50.0}}}};

const std::vector<Message> kConversation = {
    {Role::kSystem, "Be brief."},
    {Role::kUser, "Show both."},
    {Role::kAssistant,
     "",
     "",
     {{"c1", "lookup", R"({"incident_id":"A"})"}, {"c2", "lookup", "oops"}}},
    {Role::kTool, "A is", "", {}, "c1"},
    {Role::kTool, "B is", "", {}, "c2"},
    {Role::kAssistant, "Both are."},
    {Role::kUser, "Thanks \xFF"},
};

class HttpModel : public testing::Test {
 protected:
  HttpChatModel model(std::unique_ptr<Dialect> dialect, HttpModelOptions options = {}) {
    return HttpChatModel(std::move(dialect), http_, clock_, std::move(options));
  }
  json sent() { return json::parse(http_.requests().back().body); }

  ScriptedHttpClient http_;
  FixedClock clock_{*parse_time("2025-10-21T07:28:00Z")};
  RecordingSink events_;
  CancelToken cancel_;
  ModelContext context_{events_, cancel_, std::nullopt, "support_bot"};
  const Endpoint openai_{"openai", "https://api.openai.com/v1", "gpt-4o", "s3cret"};
};

TEST_F(HttpModel, StreamsTokensAndCountsTheCost) {
  http_.play(200, kYes);
  auto model = this->model(openai_dialect(openai_), {.prices = Prices{2.5, 10, 1.25}});
  const auto reply = model.complete({.messages = {{Role::kUser, "Well?"}}}, context_);
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->message, (Message{Role::kAssistant, "Yes sir."}));
  EXPECT_EQ(reply->usage, (Usage{1000, 100, 400}));
  EXPECT_DOUBLE_EQ(*reply->cost_usd, (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6);
  EXPECT_EQ(events_.events, (std::vector<Event>{{Event::Type::kToken, "Yes ", "support_bot"},
                                                {Event::Type::kToken, "sir.", "support_bot"}}));
  EXPECT_EQ(model.name(), "openai gpt-4o");
}

TEST_F(HttpModel, OpenAiGetsStrictToolsAndItsOwnNames) {
  http_.play(200, kYes);
  auto model = this->model(openai_dialect(openai_), {.sampling = {0.2, 300}});
  ASSERT_TRUE(model.complete({.messages = kConversation, .tools = kTools}, context_));
  EXPECT_EQ(http_.requests()[0].url, "https://api.openai.com/v1/chat/completions");
  EXPECT_THAT(http_.requests()[0].headers, Contains(HttpHeader{"Authorization", "Bearer s3cret"}));
  const json expected = json::parse(R"({
    "model": "gpt-4o", "stream": true, "stream_options": {"include_usage": true},
    "temperature": 0.2, "max_completion_tokens": 300, "tool_choice": "auto",
    "messages": [
      {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Show both."},
      {"role": "assistant", "content": "", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": "{\"incident_id\":\"A\"}"}},
        {"id": "c2", "type": "function", "function": {"name": "lookup", "arguments": "oops"}}]},
      {"role": "tool", "tool_call_id": "c1", "content": "A is"},
      {"role": "tool", "tool_call_id": "c2", "content": "B is"},
      {"role": "assistant", "content": "Both are."}, {"role": "user", "content": "Thanks \uFFFD"}],
    "tools": [{"type": "function", "function": {"name": "lookup", "description": "Looks an incident up.", "strict": true,
      "parameters": {"type": "object", "additionalProperties": false, "required": ["incident_id", "limit"], "properties": {
        "incident_id": {"type": "string", "description": "As written."},
        "limit": {"type": ["integer", "null"], "description": "How many. Default: 5.", "minimum": 1, "maximum": 50}}}}}]})");
  EXPECT_EQ(sent(), expected);
}

TEST_F(HttpModel, LocalServersGetPlainSchemasAndNoKey) {
  http_.play(200, kYes);
  auto model = this->model(openai_dialect({"ollama", "http://127.0.0.1:11434/v1", "qwen3"}));
  ASSERT_TRUE(model.complete({.messages = kConversation,
                              .tools = kTools,
                              .tool_choice = ToolChoice::kRequired,
                              .sampling = {std::nullopt, 99}},
                             context_));
  const json function = sent()["tools"][0]["function"];
  EXPECT_FALSE(function.contains("strict"));
  EXPECT_EQ(function["parameters"]["required"], json::array({"incident_id"}));
  EXPECT_EQ(function["parameters"]["properties"]["limit"]["default"], 5);
  EXPECT_EQ(sent()["max_tokens"], 99);
  EXPECT_EQ(sent()["tool_choice"], "required");
  EXPECT_FALSE(sent().contains("temperature"));
  for (const HttpHeader& header : http_.requests()[0].headers)
    EXPECT_NE(header.name, "Authorization");
}

TEST_F(HttpModel, AzureHasItsOwnPathAndHeader) {
  http_.play(200, kYes);
  auto model = this->model(
      openai_dialect({"azure", "https://x.openai.azure.com", "prod-gpt", "s3cret", "2024-10-21"}));
  ASSERT_TRUE(model.complete({.messages = kConversation}, context_));
  EXPECT_EQ(http_.requests()[0].url,
            "https://x.openai.azure.com/openai/deployments/prod-gpt/chat/"
            "completions?api-version=2024-10-21");
  EXPECT_THAT(http_.requests()[0].headers, Contains(HttpHeader{"api-key", "s3cret"}));
}

TEST_F(HttpModel, StructuredOutputIsAskedForAsASchema) {
  http_.play(200, kYes);
  http_.play(
      200,
      R"({"content":[{"type":"tool_use","id":"t","name":"lookup","input":{"incident_id":"A"}}],"stop_reason":"tool_use"})");
  const ModelRequest request{.messages = kConversation, .tools = kTools, .response = kTools[0]};
  ASSERT_TRUE(model(openai_dialect(openai_)).complete(request, context_));
  EXPECT_FALSE(sent().contains("tools"));
  EXPECT_EQ(sent()["response_format"]["type"], "json_schema");
  EXPECT_EQ(sent()["response_format"]["json_schema"]["strict"], true);
  const auto reply = model(anthropic_dialect({"anthropic", "https://api.anthropic.com", "c", "k"}))
                         .complete(request, context_);
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(sent()["tool_choice"], json::parse(R"({"type":"tool","name":"lookup"})"));
  EXPECT_EQ(reply->message.content, R"({"incident_id":"A"})");
  EXPECT_TRUE(reply->message.tool_calls.empty());
}

TEST_F(HttpModel, AnthropicGetsAlternatingRolesAndACachedSystemPrompt) {
  http_.play(
      200,
      "data: "
      "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Yes.\"}}\n\n"
      "data: {\"type\":\"message_stop\"}\n\n");
  auto model = this->model(
      anthropic_dialect({"anthropic", "https://api.anthropic.com", "claude", "s3cret"}));
  ASSERT_TRUE(model.complete({.messages = kConversation, .tools = kTools}, context_));
  EXPECT_EQ(http_.requests()[0].url, "https://api.anthropic.com/v1/messages");
  EXPECT_THAT(http_.requests()[0].headers, Contains(HttpHeader{"x-api-key", "s3cret"}));
  EXPECT_THAT(http_.requests()[0].headers, Contains(HttpHeader{"anthropic-version", "2023-06-01"}));
  const json expected = json::parse(R"({
    "model": "claude", "max_tokens": 4096, "stream": true, "tool_choice": {"type": "auto"},
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "messages": [
      {"role": "user", "content": [{"type": "text", "text": "Show both."}]},
      {"role": "assistant", "content": [
        {"type": "tool_use", "id": "c1", "name": "lookup", "input": {"incident_id": "A"}},
        {"type": "tool_use", "id": "c2", "name": "lookup", "input": {}}]},
      {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "c1", "content": "A is"},
        {"type": "tool_result", "tool_use_id": "c2", "content": "B is"}]},
      {"role": "assistant", "content": [{"type": "text", "text": "Both are."}]},
      {"role": "user", "content": [{"type": "text", "text": "Thanks \uFFFD"}]}],
    "tools": [{"name": "lookup", "description": "Looks an incident up.", "input_schema":
      {"type": "object", "additionalProperties": false, "required": ["incident_id"], "properties": {
        "incident_id": {"type": "string", "description": "As written."},
        "limit": {"type": "integer", "description": "How many.", "default": 5, "minimum": 1, "maximum": 50}}}}]})");
  EXPECT_EQ(sent(), expected);
}

struct Refusal {
  int status;
  std::string body;
  ErrorCode code;
  bool retryable;
  std::string says;
};

// Whoever's key it is, and wherever the message is cut.
TEST_F(HttpModel, KeysThatARefusalQuotesAreRedacted) {
  auto model = this->model(openai_dialect(openai_));
  for (const size_t before : {0u, 260u, 290u}) {
    const std::string said = std::string(before, '.') + " Incorrect API key provided: sk-" +
                             "proj-abcdEFGH1234abcdEFGH5678";
    http_.play(401, R"({"error":{"message":")" + said + R"("}})");
    const auto reply = model.complete({.messages = kConversation}, context_);
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error().message, Not(HasSubstr("sk-proj"))) << before;
  }
}

TEST_F(HttpModel, RefusalsSayWhatToDo) {
  const Refusal cases[] = {
      {401,
       R"({"error":{"message":"Incorrect API key provided: s3cret.","code":"invalid_api_key"}})",
       ErrorCode::kPermission, false, "model.api_key_env"},
      {404, R"({"error":{"message":"The model does not exist"}})", ErrorCode::kNotFound, false,
       "model.name"},
      {429, R"({"error":{"message":"Slow down","type":"rate_limit_error"}})",
       ErrorCode::kUnavailable, true, "later"},
      {429, R"({"error":{"message":"Quota","code":"insufficient_quota"}})",
       ErrorCode::kResourceExhausted, false, "billing"},
      {400, R"({"error":{"message":"maximum context length is 5"}})", ErrorCode::kResourceExhausted,
       false, "shorten"},
      {400, R"({"detail":"bad tool"})", ErrorCode::kInvalidArgument, false, "bad tool"},
      {408, "", ErrorCode::kTimeout, true, "later"},
      {409, "", ErrorCode::kUnavailable, true, "later"},
      {302, "", ErrorCode::kUnavailable, false, "model.base_url"},
      {503, "<html>\n\n  Service\x1b unavailable \xFF</html>", ErrorCode::kUnavailable, true,
       "Service unavailable"},
      {529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       ErrorCode::kUnavailable, true, "Overloaded"},
  };
  auto model = this->model(openai_dialect(openai_));
  for (const Refusal& refusal : cases) {
    http_.play(refusal.status, refusal.body, {{"Retry-After", "7"}});
    const auto reply = model.complete({.messages = kConversation}, context_);
    ASSERT_FALSE(reply) << refusal.status;
    EXPECT_EQ(reply.error().code, refusal.code) << reply.error().text();
    EXPECT_THAT(reply.error().message, HasSubstr(refusal.says));
    EXPECT_THAT(reply.error().message, HasSubstr("openai gpt-4o at api.openai.com"));
    EXPECT_THAT(reply.error().message, Not(HasSubstr("s3cret")));
    EXPECT_EQ(context_.failure.http_status, refusal.status);
    EXPECT_EQ(context_.failure.retryable, refusal.retryable) << refusal.status << refusal.body;
    EXPECT_EQ(context_.failure.retry_after, std::chrono::seconds(7));
  }
}

TEST_F(HttpModel, AReplyOfTenMegabytesIsRefused) {
  ScriptedExchange flood{{200}};
  for (int i = 0; i < 160; ++i)
    flood.pieces.push_back("data: {\"choices\":[{\"delta\":{\"content\":\"" +
                           std::string(65'536, 'x') + "\"}}]}\n\n");
  http_.play(std::move(flood));
  const auto reply = model(openai_dialect(openai_)).complete({.messages = kConversation}, context_);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kResourceExhausted);
  EXPECT_FALSE(context_.failure.retryable);
  EXPECT_EQ(context_.failure.http_status, 200) << "it answered, if with too much";
}

TEST_F(HttpModel, WhoeverAnswersNonsenseIsThereAndIsNamed) {
  auto model = this->model(openai_dialect(openai_));
  for (const std::string body :
       {"<html>Login please</html>", "data: {\"choices\":[]}\n\n", "data: nonsense\n\n"}) {
    http_.play(200, body, {});
    const auto reply = model.complete({.messages = kConversation}, context_);
    ASSERT_FALSE(reply) << body;
    EXPECT_EQ(context_.failure.http_status, 200) << body;
    EXPECT_THAT(reply.error().text(), HasSubstr("openai gpt-4o")) << body;
  }
  http_.play(200, "data: " + std::string(size_t{5} << 20, 'x') + "\n\n", {});
  const auto reply = model.complete({.messages = kConversation}, context_);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().text(),
              HasSubstr("openai gpt-4o: a line of the event stream is longer"));
}

TEST_F(HttpModel, ABrokenConnectionMayBeTriedAgainAndATokenCancels) {
  http_.play({{200},
              {"data: {\"choices\":[{\"delta\":{\"content\":\"Ye"},
              Error{ErrorCode::kUnavailable, "broke"}});
  auto model = this->model(openai_dialect(openai_));
  ASSERT_FALSE(model.complete({.messages = kConversation}, context_));
  EXPECT_TRUE(context_.failure.retryable);
  cancel_.cancel();
  const auto reply = model.complete({.messages = kConversation}, context_);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(context_.failure.retryable);
}

TEST_F(HttpModel, AStalledServerTimesOut) {
  std::atomic<bool> done = false;
  LoopbackServer server([&](const std::string&, const LoopbackServer::Say& say) {
    say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: "
        "{\"choices\":[{\"delta\":{\"content\":\"Ye\"}}]}\n\n");
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  CurlHttpClient http;
  HttpChatModel model(openai_dialect({"vllm", server.url("/v1"), "m"}), http, clock_,
                      {.stall_timeout = std::chrono::milliseconds(80)});
  const auto reply = model.complete({.messages = kConversation}, context_);
  done = true;
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kTimeout);
  EXPECT_TRUE(context_.failure.retryable);
  EXPECT_EQ(events_.events.size(), 1U);
}

TEST_F(HttpModel, ARealStreamOverALoopbackServer) {
  LoopbackServer server([](const std::string&, const LoopbackServer::Say& say) {
    say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
    for (const char c : std::string_view(kYes)) say({&c, 1});
  });
  CurlHttpClient http;
  HttpChatModel model(openai_dialect({"vllm", server.url("/v1"), "m"}), http, clock_);
  const auto reply = model.complete({.messages = kConversation}, context_);
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->message.content, "Yes sir.");
}

TEST(RetryAfter, IsSecondsOrADate) {
  const TimePoint now = *parse_time("2015-10-21T07:28:00Z");
  using std::chrono::milliseconds;
  const std::pair<const char*, std::optional<milliseconds>> cases[] = {
      {"120", milliseconds(120'000)},
      {" 0.5 ", milliseconds(500)},
      {"Wed, 21 Oct 2015 07:28:30 GMT", milliseconds(30'000)},
      {"Wed, 21 Oct 2015 07:00:00 GMT", milliseconds(0)},
      {"soon", std::nullopt},
      {"-3", std::nullopt},
      {"", std::nullopt},
      {"nan", std::nullopt},
      {"1e99", std::nullopt},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(parse_retry_after(text, now), expected) << text;
}

}  // namespace
}  // namespace precedent
