#include "llm/limit_model.h"

#include <fmt/format.h>

#include "llm/token_estimate.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;

std::unexpected<Error> exhausted(std::string_view used, std::string_view setting) {
  return fail(ErrorCode::kResourceExhausted,
              fmt::format("this run has used {}; ask something narrower or raise model.limits.{}",
                          used, setting));
}

}  // namespace

RunUse& RunUse::operator+=(const RunUse& other) {
  steps += other.steps;
  usage += other.usage;
  if (other.cost_usd) cost_usd = cost_usd.value_or(0) + *other.cost_usd;
  time += other.time;
  return *this;
}

RunUse& RunUse::operator-=(const RunUse& other) {
  steps -= other.steps;
  usage.input_tokens -= other.usage.input_tokens;
  usage.output_tokens -= other.usage.output_tokens;
  usage.cached_tokens -= other.usage.cached_tokens;
  if (cost_usd) *cost_usd -= other.cost_usd.value_or(0);
  time -= other.time;
  return *this;
}

LimitModel::LimitModel(std::shared_ptr<ChatModel> inner, RunLimits limits, RunUse already, Now now,
                       std::optional<std::chrono::steady_clock::time_point> started)
    : inner_(std::move(inner)),
      limits_(limits),
      now_(std::move(now)),
      started_(started ? *started : now_()),
      used_(already) {}

RunUse LimitModel::used() const {
  const MutexLock lock(mutex_);
  return used_;
}

std::optional<std::chrono::steady_clock::time_point> LimitModel::end() const {
  if (limits_.max_time.count() <= 0) return std::nullopt;
  return started_ + limits_.max_time;
}

std::unexpected<Error> LimitModel::out_of_time() const {
  const auto elapsed = std::chrono::duration_cast<milliseconds>(now_() - started_);
  return exhausted(fmt::format("{:.1f} of {:.1f} seconds", elapsed.count() / 1e3,
                               limits_.max_time.count() / 1e3),
                   "time");
}

Result<void> LimitModel::begin_step() {
  const MutexLock lock(mutex_);
  const int64_t tokens = used_.usage.input_tokens + used_.usage.output_tokens;
  if (limits_.max_steps > 0 && used_.steps >= limits_.max_steps)
    return exhausted(fmt::format("all {} model steps", limits_.max_steps), "steps");
  if (limits_.max_tokens > 0 && tokens >= limits_.max_tokens)
    return exhausted(fmt::format("{} of {} tokens", tokens, limits_.max_tokens), "tokens");
  if (limits_.max_cost_usd > 0 && used_.cost_usd.value_or(0) >= limits_.max_cost_usd)
    return exhausted(
        fmt::format("{:.4f} of {:.4f} US dollars", *used_.cost_usd, limits_.max_cost_usd),
        "cost_usd");
  if (end() && now_() >= *end()) return out_of_time();
  ++used_.steps;
  return {};
}

Result<ModelReply> LimitModel::complete(const ModelRequest& request, ModelContext& context) {
  TRY(begin_step());
  ModelContext inner{context.events, context.cancel, context.deadline, context.node};
  const auto last = end();
  if (last) inner.deadline = inner.deadline ? std::min(*inner.deadline, *last) : last;
  const auto asked = now_();
  auto reply = inner_->complete(request, inner);
  context.failure = inner.failure;
  {
    const MutexLock lock(mutex_);
    used_.time += std::chrono::duration_cast<std::chrono::microseconds>(now_() - asked);
  }
  // Whoever reads it can raise the limit, not a deadline that nobody has set.
  if (!reply && reply.error().code == ErrorCode::kTimeout && last && now_() >= *last)
    return out_of_time();
  if (!reply) return reply;
  Usage usage = reply->usage;
  if (usage.input_tokens == 0) usage.input_tokens = estimate_tokens(request);
  if (usage.output_tokens == 0)
    usage.output_tokens = estimate_tokens(reply->message) + estimate_tokens(reply->reasoning);
  const MutexLock lock(mutex_);
  used_.usage += usage;
  if (reply->cost_usd) used_.cost_usd = used_.cost_usd.value_or(0) + *reply->cost_usd;
  return reply;
}

}  // namespace precedent
