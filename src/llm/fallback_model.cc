#include "llm/fallback_model.h"

#include <fmt/format.h>

#include "llm/counting_sink.h"

namespace precedent {

Result<ModelReply> FallbackModel::complete(const ModelRequest& request, ModelContext& context) {
  CountingSink sink(context.events);
  ModelContext inner{sink, context.cancel, context.deadline, context.node};
  auto reply = first_->complete(request, inner);
  context.failure = inner.failure;
  if (reply || context.cancel.cancelled() || reply.error().code == ErrorCode::kCancelled)
    return reply;
  if (context.deadline && std::chrono::steady_clock::now() >= *context.deadline) return reply;
  const std::string why = reply.error().text();
  context.events.status(
      fmt::format("{} failed ({}); {} answers instead", first_->name(), why, second_->name()));
  if (sink.tokens() > 0) context.events.emit({.type = Event::Type::kReset, .node = context.node});
  context.failure = {};
  auto second = second_->complete(request, context);
  if (!second) return std::unexpected(std::move(second).error().within("after " + why));
  return second;
}

}  // namespace precedent
