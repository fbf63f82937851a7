// Anthropic's messages API, as its reference documents it (version 2023-06-01).
//
// Extended thinking is never asked for, so thinking blocks need not be sent back; if they come,
// they are reasoning. Structured output is a tool that must be called, whose input is the content.
#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "llm/dialect.h"
#include "llm/vendor_error.h"

namespace precedent {
namespace {

using foreign::Json;

// The API wants a number; this one every model accepts.
constexpr int kDefaultOutputTokens = 4096;

Json text_block(std::string_view text) { return {{"type", "text"}, {"text", repair_utf8(text)}}; }

Json tool_use_block(const ToolCall& call) {
  Json input = parse_json(repair_utf8(call.args));
  if (!input.is_object()) input = Json::object();
  return {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", std::move(input)}};
}

Json blocks_of(const Message& message) {
  Json blocks = Json::array();
  if (message.role == Role::kTool) {
    blocks.push_back({{"type", "tool_result"},
                      {"tool_use_id", message.tool_call_id},
                      {"content", repair_utf8(message.content)}});
    return blocks;
  }
  if (!trim(message.content).empty()) blocks.push_back(text_block(message.content));
  for (const ToolCall& call : message.tool_calls) blocks.push_back(tool_use_block(call));
  return blocks;
}

// Roles alternate here: the results of one round of calls are one message.
Json messages_json(const std::vector<Message>& messages) {
  Json json = Json::array();
  for (const Message& message : messages) {
    if (message.role == Role::kSystem) continue;
    const std::string_view role = message.role == Role::kAssistant ? "assistant" : "user";
    Json blocks = blocks_of(message);
    if (blocks.empty()) continue;
    if (json.empty() || foreign::text(json.back(), "role") != role)
      json.push_back({{"role", role}, {"content", Json::array()}});
    for (Json& block : blocks) json.back()["content"].push_back(std::move(block));
  }
  return json;
}

std::string system_text(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& message : messages)
    if (message.role == Role::kSystem && !trim(message.content).empty())
      texts.push_back(repair_utf8(message.content));
  return join(texts, "\n\n");
}

Json tool_json(const ToolDescription& tool) {
  return {
      {"name", tool.name}, {"description", tool.description}, {"input_schema", json_schema(tool)}};
}

std::string_view choice_name(ToolChoice choice) {
  switch (choice) {
    case ToolChoice::kAuto: return "auto";
    case ToolChoice::kNone: return "none";
    case ToolChoice::kRequired: return "any";
  }
  return "auto";
}

StopReason stop_reason(std::string_view reason) {
  if (reason == "max_tokens" || reason == "model_context_window_exceeded")
    return StopReason::kLength;
  if (reason == "tool_use") return StopReason::kToolCalls;
  if (reason == "refusal") return StopReason::kRefused;
  return StopReason::kEndOfTurn;
}

void read_usage(const Json& usage, ReplyBuilder& reply) {
  if (!usage.is_object()) return;
  Usage sum = reply.usage();
  const int64_t cached = foreign::count(usage, "cache_read_input_tokens");
  const int64_t input = foreign::count(usage, "input_tokens") + cached +
                        foreign::count(usage, "cache_creation_input_tokens");
  if (input > 0) sum.input_tokens = input;
  if (cached > 0) sum.cached_tokens = cached;
  if (const int64_t output = foreign::count(usage, "output_tokens"); output > 0)
    sum.output_tokens = output;
  reply.usage(sum);
}

// Knows of each content block whether its input is the structured answer.
class AnthropicBlocks {
 public:
  explicit AnthropicBlocks(std::string_view response_tool) : response_tool_(response_tool) {}

  Result<void> start(int64_t index, const Json& block, ReplyBuilder& reply) {
    const std::string_view type = foreign::text(block, "type");
    if (type == "text") reply.text(foreign::text(block, "text"));
    if (type == "thinking") reply.reasoning(foreign::text(block, "thinking"));
    if (type != "tool_use") return {};
    const std::string_view name = foreign::text(block, "name");
    if (!response_tool_.empty() && name == response_tool_) response_index_ = index;
    const Json& input = foreign::member(block, "input");
    const std::string args = input.is_object() && !input.empty() ? dump_json(input) : "";
    if (index == response_index_) {
      reply.text(args);
      return {};
    }
    return reply.tool_piece({index, foreign::text(block, "id"), name, args});
  }

  Result<void> delta(int64_t index, const Json& delta, ReplyBuilder& reply) const {
    const std::string_view type = foreign::text(delta, "type");
    if (type == "text_delta") reply.text(foreign::text(delta, "text"));
    if (type == "thinking_delta") reply.reasoning(foreign::text(delta, "thinking"));
    if (type != "input_json_delta") return {};
    const std::string_view json = foreign::text(delta, "partial_json");
    if (index != response_index_) return reply.tool_piece({index, "", "", json});
    reply.text(json);
    return {};
  }

  // The call that carries the answer is no tool call.
  StopReason reason(std::string_view text) const {
    const StopReason reason = stop_reason(text);
    return reason == StopReason::kToolCalls && response_index_ >= 0 ? StopReason::kEndOfTurn
                                                                    : reason;
  }

 private:
  std::string response_tool_;
  int64_t response_index_ = -1;
};

int64_t index_of(const Json& event) { return foreign::count(event, "index"); }

std::string_view response_tool(const ModelRequest& request) {
  return request.response ? std::string_view(request.response->name) : "";
}

class AnthropicAssembler final : public StreamAssembler {
 public:
  explicit AnthropicAssembler(std::string_view response_tool) : blocks_(response_tool) {}

  Result<bool> event(const SseEvent& sse, ReplyBuilder& reply) override {
    const Json event = parse_json(sse.data);
    const std::string_view type = foreign::text(event, "type");
    if (type == "message_start") {
      const Json& message = foreign::member(event, "message");
      reply.model(foreign::text(message, "model"));
      read_usage(foreign::member(message, "usage"), reply);
    } else if (type == "content_block_start") {
      TRY(blocks_.start(index_of(event), foreign::member(event, "content_block"), reply));
    } else if (type == "content_block_delta") {
      TRY(blocks_.delta(index_of(event), foreign::member(event, "delta"), reply));
    } else if (type == "message_delta") {
      const auto reason = foreign::text(foreign::member(event, "delta"), "stop_reason");
      if (!reason.empty()) reply.stop(blocks_.reason(reason));
      read_usage(foreign::member(event, "usage"), reply);
    }
    return type != "message_stop";
  }

 private:
  AnthropicBlocks blocks_;
};

class AnthropicDialect final : public Dialect {
 public:
  explicit AnthropicDialect(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
  const Endpoint& endpoint() const override { return endpoint_; }

  HttpRequest request(const ModelRequest& request) const override {
    HttpRequest http{"POST",
                     endpoint_.base_url + "/v1/messages",
                     {{"Content-Type", "application/json"},
                      {"Accept", "text/event-stream"},
                      {"anthropic-version", "2023-06-01"}}};
    if (!endpoint_.api_key.empty()) http.headers.push_back({"x-api-key", endpoint_.api_key});
    http.body = dump_json(body(request));
    return http;
  }

  std::unique_ptr<StreamAssembler> assembler(const ModelRequest& request) const override {
    return std::make_unique<AnthropicAssembler>(response_tool(request));
  }

  Result<void> read_whole(const Json& body, const ModelRequest& request,
                          ReplyBuilder& reply) const override {
    AnthropicBlocks blocks(response_tool(request));
    reply.model(foreign::text(body, "model"));
    read_usage(foreign::member(body, "usage"), reply);
    const Json& content = foreign::member(body, "content");
    for (size_t i = 0; content.is_array() && i < content.size(); ++i)
      TRY(blocks.start(static_cast<int64_t>(i), content[i], reply));
    if (const auto reason = foreign::text(body, "stop_reason"); !reason.empty())
      reply.stop(blocks.reason(reason));
    return {};
  }

 private:
  Json body(const ModelRequest& request) const {
    const int max_tokens = request.sampling.max_output_tokens;
    Json json = {{"model", endpoint_.model},
                 {"max_tokens", max_tokens > 0 ? max_tokens : kDefaultOutputTokens},
                 {"messages", messages_json(request.messages)},
                 {"stream", true}};
    // System prompt and tools come first and stay the same in a conversation: they are cached.
    if (const std::string system = system_text(request.messages); !system.empty()) {
      json["system"] = Json::array({text_block(system)});
      json["system"][0]["cache_control"] = {{"type", "ephemeral"}};
    }
    if (request.response) {
      json["tools"].push_back(tool_json(*request.response));
      json["tool_choice"] = {{"type", "tool"}, {"name", request.response->name}};
    } else if (!request.tools.empty()) {
      for (const ToolDescription& tool : request.tools) json["tools"].push_back(tool_json(tool));
      json["tool_choice"] = {{"type", choice_name(request.tool_choice)}};
    }
    if (request.sampling.temperature) json["temperature"] = *request.sampling.temperature;
    return json;
  }

  Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Dialect> anthropic_dialect(Endpoint endpoint) {
  return std::make_unique<AnthropicDialect>(std::move(endpoint));
}

}  // namespace precedent
