// OpenAI's chat completions, as its API reference documents them, and the servers that speak it:
// Azure, Ollama, vLLM, llama.cpp, OpenRouter.
#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/utf8.h"
#include "llm/dialect.h"
#include "llm/vendor_error.h"

namespace precedent {
namespace {

using foreign::Json;

Json message_json(const Message& message) {
  Json json = {{"role", name(message.role)}, {"content", repair_utf8(message.content)}};
  if (message.role == Role::kTool) json["tool_call_id"] = message.tool_call_id;
  for (const ToolCall& call : message.tool_calls)
    json["tool_calls"].push_back(
        {{"id", call.id},
         {"type", "function"},
         {"function", {{"name", call.name}, {"arguments", repair_utf8(call.args)}}}});
  return json;
}

Json tool_json(const ToolDescription& tool, bool strict) {
  Json function = {{"name", tool.name},
                   {"description", tool.description},
                   {"parameters", strict ? strict_json_schema(tool) : json_schema(tool)}};
  if (strict) function["strict"] = true;
  return {{"type", "function"}, {"function", std::move(function)}};
}

std::string_view choice_name(ToolChoice choice) {
  switch (choice) {
    case ToolChoice::kAuto: return "auto";
    case ToolChoice::kNone: return "none";
    case ToolChoice::kRequired: return "required";
  }
  return "auto";
}

StopReason stop_reason(std::string_view reason) {
  if (reason == "length") return StopReason::kLength;
  if (reason == "tool_calls" || reason == "function_call") return StopReason::kToolCalls;
  if (reason == "content_filter") return StopReason::kRefused;
  return StopReason::kEndOfTurn;
}

// A content is a string, or parts of which the texts count.
void read_content(const Json& content, ReplyBuilder& reply) {
  if (content.is_string()) return reply.text(foreign::text(content));
  if (!content.is_array()) return;
  for (const Json& part : content) reply.text(foreign::text(part, "text"));
}

Result<void> read_tool_calls(const Json& calls, bool numbered, ReplyBuilder& reply) {
  if (!calls.is_array()) return {};
  int64_t position = 0;
  for (const Json& call : calls) {
    const Json& function = foreign::member(call, "function");
    const Json& args = foreign::member(function, "arguments");
    const Json& index = foreign::member(call, "index");
    const std::string whole = args.is_object() || args.is_array() ? dump_json(args) : "";
    ToolPiece piece{std::nullopt, foreign::text(call, "id"), foreign::text(function, "name"),
                    whole.empty() ? foreign::text(args) : whole};
    if (index.is_number_integer()) piece.index = index.get<int64_t>();
    if (numbered) piece.index = position++;
    TRY(reply.tool_piece(piece));
  }
  return {};
}

// A `delta` of a stream, or a whole `message`.
Result<void> read_message(const Json& message, bool whole, ReplyBuilder& reply) {
  for (const char* key : {"reasoning_content", "reasoning"})
    if (const auto text = foreign::text(message, key); !text.empty()) {
      reply.reasoning(text);
      break;  // some servers send both, with the same text
    }
  read_content(foreign::member(message, "content"), reply);
  if (const auto refusal = foreign::text(message, "refusal"); !refusal.empty()) {
    reply.text(refusal);
    reply.stop(StopReason::kRefused);
  }
  return read_tool_calls(foreign::member(message, "tool_calls"), whole, reply);
}

Result<void> read_chunk(const Json& chunk, ReplyBuilder& reply) {
  if (const auto model = foreign::text(chunk, "model"); !model.empty()) reply.model(model);
  if (const Json& usage = foreign::member(chunk, "usage"); usage.is_object())
    reply.usage({foreign::count(usage, "prompt_tokens"), foreign::count(usage, "completion_tokens"),
                 foreign::count(foreign::member(usage, "prompt_tokens_details"), "cached_tokens")});
  const Json& choices = foreign::member(chunk, "choices");
  if (!choices.is_array() || choices.empty()) return {};
  const Json& choice = choices[0];
  const bool whole = foreign::member(choice, "message").is_object();
  TRY(read_message(foreign::member(choice, whole ? "message" : "delta"), whole, reply));
  const std::string_view reason = foreign::text(choice, "finish_reason");
  const bool refused = reply.stopped() && stop_reason(reason) == StopReason::kEndOfTurn;
  if (!reason.empty() && !refused) reply.stop(stop_reason(reason));
  return {};
}

class OpenAiAssembler final : public StreamAssembler {
 public:
  Result<bool> event(const SseEvent& event, ReplyBuilder& reply) override {
    if (event.data == "[DONE]") return false;
    TRY(read_chunk(parse_json(event.data), reply));
    return true;
  }
};

class OpenAiDialect final : public Dialect {
 public:
  explicit OpenAiDialect(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
  const Endpoint& endpoint() const override { return endpoint_; }

  HttpRequest request(const ModelRequest& request) const override {
    HttpRequest http{
        "POST", url(), {{"Content-Type", "application/json"}, {"Accept", "text/event-stream"}}};
    if (!endpoint_.api_key.empty())
      http.headers.push_back(azure() ? HttpHeader{"api-key", endpoint_.api_key}
                                     : HttpHeader{"Authorization", "Bearer " + endpoint_.api_key});
    http.body = dump_json(body(request));
    return http;
  }

  std::unique_ptr<StreamAssembler> assembler(const ModelRequest&) const override {
    return std::make_unique<OpenAiAssembler>();
  }

  Result<void> read_whole(const Json& body, const ModelRequest&,
                          ReplyBuilder& reply) const override {
    return read_chunk(body, reply);
  }

 private:
  bool azure() const { return endpoint_.provider == "azure"; }
  bool vendor() const { return azure() || endpoint_.provider == "openai"; }
  // Local servers read plain schemas: not all accept a list of types, and none enforces `strict`.
  bool strict() const { return vendor() || endpoint_.provider == "openrouter"; }

  std::string url() const {
    if (!azure()) return endpoint_.base_url + "/chat/completions";
    return fmt::format("{}/openai/deployments/{}/chat/completions?api-version={}",
                       endpoint_.base_url, endpoint_.model, endpoint_.api_version);
  }

  Json body(const ModelRequest& request) const {
    Json json = {{"model", endpoint_.model},
                 {"messages", Json::array()},
                 {"stream", true},
                 {"stream_options", {{"include_usage", true}}}};
    for (const Message& message : request.messages)
      json["messages"].push_back(message_json(message));
    if (request.response) {
      json["response_format"] = {{"type", "json_schema"},
                                 {"json_schema",
                                  {{"name", request.response->name},
                                   {"description", request.response->description},
                                   {"strict", true},
                                   {"schema", strict_json_schema(*request.response)}}}};
    } else if (!request.tools.empty()) {
      for (const ToolDescription& tool : request.tools)
        json["tools"].push_back(tool_json(tool, strict()));
      json["tool_choice"] = choice_name(request.tool_choice);
    }
    if (request.sampling.temperature) json["temperature"] = *request.sampling.temperature;
    // OpenAI's reasoning models refuse the old name, other servers do not know the new one.
    if (request.sampling.max_output_tokens > 0)
      json[vendor() ? "max_completion_tokens" : "max_tokens"] = request.sampling.max_output_tokens;
    return json;
  }

  Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Dialect> openai_dialect(Endpoint endpoint) {
  return std::make_unique<OpenAiDialect>(std::move(endpoint));
}

}  // namespace precedent
