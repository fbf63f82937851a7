#include "agent/turn/tracing.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kAgent = "precedent";
// Of one message: a long receipt must not push the others out of the span.
constexpr size_t kMaxMessageBytes = 8 * 1024;

// On every span, since that is where Langfuse and others look for them.
void set_identity(ScopedSpan& span, std::string_view session, std::string_view user) {
  if (!span) return;
  for (const std::string_view key : {"session.id", "langfuse.session.id", "gen_ai.conversation.id"})
    span.set(key, session);
  for (const std::string_view key : {"user.id", "langfuse.user.id"}) span.set(key, user);
}

json parts_of(const Message& message) {
  json parts = json::array();
  const std::string content = span_text(message.content, kMaxMessageBytes);
  if (message.role == Role::kTool) {
    parts.push_back(
        {{"type", "tool_call_response"}, {"id", message.tool_call_id}, {"response", content}});
    return parts;
  }
  if (!content.empty()) parts.push_back({{"type", "text"}, {"content", content}});
  for (const ToolCall& call : message.tool_calls) {
    parts.push_back({{"type", "tool_call"},
                     {"id", call.id},
                     {"name", call.name},
                     {"arguments", span_text(call.args, kMaxMessageBytes)}});
  }
  return parts;
}

}  // namespace

std::string messages_json(const std::vector<Message>& messages, std::string_view finish) {
  json list = json::array();
  for (const Message& message : messages) {
    list.push_back({{"role", name(message.role)}, {"parts", parts_of(message)}});
    if (!finish.empty()) list.back()["finish_reason"] = finish;
  }
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

ScopedSpan open_turn(const CopilotServices& services, const AskOptions& options,
                     std::string_view question) {
  ScopedSpan turn = ScopedSpan::root(options.langfuse_enabled ? services.tracer : nullptr,
                                     "invoke_agent precedent");
  if (!turn) return turn;
  turn.set("gen_ai.operation.name", "invoke_agent");
  turn.set("gen_ai.agent.name", kAgent);
  turn.set("gen_ai.provider.name", kAgent);
  set_identity(turn, options.thread, options.user);
  if (!question.empty())
    turn.set("gen_ai.input.messages", messages_json({{Role::kUser, std::string(question)}}));
  return turn;
}

void close_turn(ScopedSpan& turn, const Reply& reply) {
  if (!turn) return;
  turn.set("gen_ai.output.messages", messages_json({{Role::kAssistant, reply.text}}, "stop"));
  turn.set("precedent.answer.status", name(reply.status));
  turn.set("precedent.answer.sources", reply.sources.size());
  turn.set("precedent.answer.receipts", reply.receipts.size());
  if (reply.status == AnswerStatus::kError) turn.fail(name(reply.status), reply.text);
}

ScopedSpan open_span(const CopilotServices& services, const CopilotState& state,
                     const Context& context, std::string_view name, SpanKind kind) {
  ScopedSpan span(services.tracer, context.trace, name, kind);
  set_identity(span, context.thread, state.user_id);
  return span;
}

ScopedSpan open_call(const CopilotServices& services, const CopilotState& state,
                     const Context& context, const ScopedSpan& node, const ToolCall& call) {
  if (!node) return {};
  ScopedSpan span(services.tracer, node.context(), fmt::format("execute_tool {}", call.name));
  set_identity(span, context.thread, state.user_id);
  span.set("gen_ai.operation.name", "execute_tool");
  span.set("gen_ai.tool.name", call.name);
  span.set("gen_ai.tool.call.id", call.id);
  span.set("gen_ai.tool.type", "datastore");
  span.set("gen_ai.tool.call.arguments", call.args);
  return span;
}

void close_call(ScopedSpan& span, const Receipt& receipt) {
  if (!span) return;
  span.set("gen_ai.tool.call.result", receipt.text);
  span.set("precedent.receipt.id", receipt.id);
  span.set("precedent.receipt.status", name(receipt.status));
  if (receipt.status == ReceiptStatus::kError) span.fail("tool_error", receipt.text);
}

void trace_offline_title(const CopilotServices& services, const CopilotState& state,
                         const Context& context, const std::string& title) {
  ScopedSpan span = open_span(services, state, context, "Title Generator LLM");
  if (!span) return;
  span.set("gen_ai.operation.name", "chat");
  span.set("gen_ai.provider.name", kAgent);
  span.set("gen_ai.request.model", "offline");
  span.set("gen_ai.output.messages", messages_json({{Role::kAssistant, title}}, "stop"));
}

}  // namespace precedent
