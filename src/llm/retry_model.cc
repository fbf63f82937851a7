#include "llm/retry_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <thread>

#include "base/compute_slots.h"
#include "llm/counting_sink.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

// How soon a cancel is noticed.
constexpr milliseconds kSlice{50};

}  // namespace

Result<void> wait_for(milliseconds duration, const CancelToken& cancel) {
  const auto end = SteadyClock::now() + duration;
  while (SteadyClock::now() < end) {
    TRY(cancel.check());
    const auto left = std::chrono::ceil<milliseconds>(end - SteadyClock::now());
    std::this_thread::sleep_for(std::min(kSlice, left));
  }
  return cancel.check();
}

double random_unit() {
  thread_local std::mt19937_64 engine{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(engine);
}

RetryModel::RetryModel(std::shared_ptr<ChatModel> inner, RetryOptions options, Wait wait,
                       Random random)
    : inner_(std::move(inner)),
      options_(options),
      wait_(std::move(wait)),
      random_(std::move(random)) {}

// `attempt` counts from 1. What the vendor asks for is the least; the jitter on top of it keeps
// many clients from coming back at once.
milliseconds RetryModel::delay(int attempt, const ModelFailure& failure) const {
  const auto doubled = options_.first_delay * (int64_t{1} << std::min(attempt - 1, 20));
  const auto longest = std::min<milliseconds>(options_.max_delay, doubled);
  const auto jitter =
      milliseconds(static_cast<int64_t>(random_() * static_cast<double>(longest.count())));
  return failure.retry_after ? *failure.retry_after + std::min(jitter, options_.first_delay)
                             : jitter;
}

Result<ModelReply> RetryModel::complete(const ModelRequest& request, ModelContext& context) {
  CountingSink sink(context.events);
  for (int attempt = 1;; ++attempt) {
    ModelContext inner{sink, context.cancel, context.deadline, context.node};
    auto reply = inner_->complete(request, inner);
    context.failure = inner.failure;
    if (reply || !inner.failure.retryable || sink.tokens() > 0) return reply;
    if (attempt >= options_.attempts) {
      if (attempt > 1) reply.error().message += fmt::format(" (asked {} times)", attempt);
      return reply;
    }
    const milliseconds pause = delay(attempt, inner.failure);
    if (pause > options_.max_retry_after) {
      reply.error().message += fmt::format(" (it asks to wait {} s)",
                                           std::chrono::ceil<std::chrono::seconds>(pause).count());
      return reply;
    }
    if (context.deadline && SteadyClock::now() + pause >= *context.deadline) return reply;
    context.events.status(fmt::format("{} is not available, asking again...", name()));
    const WithoutComputeSlot waiting;
    TRY(wait_(pause, context.cancel));
  }
}

}  // namespace precedent
