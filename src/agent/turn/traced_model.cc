#include "agent/turn/traced_model.h"

#include <fmt/format.h>

namespace precedent {
namespace {

const ModelNames kOffline{"precedent", "offline"};
// Between a model and its fallback.
constexpr std::string_view kElse = ", else ";

std::string_view finish_reason(StopReason stop) {
  switch (stop) {
    case StopReason::kEndOfTurn: return "stop";
    case StopReason::kToolCalls: return "tool_call";
    case StopReason::kLength: return "length";
    case StopReason::kRefused: return "content_filter";
  }
  return "stop";
}

void describe_request(ScopedSpan& span, const ModelNames& names, const ModelRequest& request) {
  span.set("gen_ai.operation.name", "chat");
  span.set("gen_ai.provider.name", names.provider);
  // What the provider was called before version 1.37 of the conventions; many still read it.
  span.set("gen_ai.system", names.provider);
  span.set("gen_ai.request.model", names.model);
  if (request.sampling.temperature)
    span.set("gen_ai.request.temperature", *request.sampling.temperature);
  if (request.sampling.max_output_tokens > 0)
    span.set("gen_ai.request.max_tokens", request.sampling.max_output_tokens);
  span.set("gen_ai.input.messages", messages_json(request.messages));
}

void describe_reply(ScopedSpan& span, const ModelReply& reply) {
  span.set("gen_ai.response.model", reply.model);
  span.set("gen_ai.response.finish_reasons", std::vector{std::string(finish_reason(reply.stop))});
  if (reply.usage != Usage()) {
    span.set("gen_ai.usage.input_tokens", reply.usage.input_tokens);
    span.set("gen_ai.usage.output_tokens", reply.usage.output_tokens);
    span.set("gen_ai.usage.cache_read.input_tokens", reply.usage.cached_tokens);
  }
  if (reply.cost_usd) span.set("gen_ai.usage.cost", *reply.cost_usd);
  span.set("gen_ai.output.messages", messages_json({reply.message}, finish_reason(reply.stop)));
}

}  // namespace

ModelNames model_names(std::string_view name) {
  if (name == "offline") return kOffline;
  // Of a model with a fallback the first is asked; who answered is gen_ai.response.model.
  name = name.substr(0, name.find(kElse));
  const size_t space = name.find(' ');
  if (space == std::string_view::npos) return {std::string(name), std::string(name)};
  const std::string_view provider = name.substr(0, space);
  return {provider == "azure" ? "azure.ai.openai" : std::string(provider),
          std::string(name.substr(space + 1))};
}

Result<ModelReply> TracedModel::complete(const ModelRequest& request, ModelContext& context) {
  const std::string who = inner_.name();
  events_.status(fmt::format("Waiting for the model {}...", who.substr(0, who.find(kElse))));
  if (services_.tracer == nullptr || !context_.trace) return inner_.complete(request, context);
  const ModelNames names = model_names(inner_.name());
  ScopedSpan span = open_span(services_, state_, context_, run_,
                              names == kOffline ? SpanKind::kInternal : SpanKind::kClient);
  describe_request(span, names, request);
  auto reply = inner_.complete(request, context);
  if (reply) {
    describe_reply(span, *reply);
  } else {
    span.fail(reply.error());
  }
  return reply;
}

Update NodeModel::keep_use(Update update) const {
  const RunUse used = limited_.used();
  if (used != state_.usage) update.add(copilot_fields().usage, used);
  return update;
}

}  // namespace precedent
