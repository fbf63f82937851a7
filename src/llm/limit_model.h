// LimitModel: what one run may ask of a model, in steps, tokens, money and time.
//
// Made for each run, or each part of one, around a shared model. A limit is checked before each
// request, so a run may end above it by one reply; time also shortens the deadline of the request:
// each gets what the run has left. Tokens that a server does not report are estimated. Thread
// safety: all members.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "llm/chat_model.h"

namespace precedent {

// 0: no limit.
struct RunLimits {
  // Requests of any kind. An investigation of many tools ends within 20, and as many read questions
  // for its searches; more is a loop.
  int64_t max_steps = 40;
  int64_t max_tokens = 400'000;
  double max_cost_usd = 0;
  std::chrono::milliseconds max_time{0};
  bool operator==(const RunLimits&) const = default;
};

struct RunUse {
  int64_t steps = 0;
  Usage usage = {};
  std::optional<double> cost_usd = std::nullopt;  // where prices are configured
  std::chrono::microseconds time{0};              // waited for replies, also for those that failed
  RunUse& operator+=(const RunUse& other);
  // REQUIRES: `other` is a part of it.
  RunUse& operator-=(const RunUse& other);
  bool operator==(const RunUse&) const = default;
};

class LimitModel final : public ChatModel {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;
  // `already` and `started`: what the run has used before and when it began, where it is made of
  // several of these; nothing: it begins now.
  LimitModel(std::shared_ptr<ChatModel> inner, RunLimits limits, RunUse already = {},
             Now now = std::chrono::steady_clock::now,
             std::optional<std::chrono::steady_clock::time_point> started = std::nullopt);

  std::string name() const override { return inner_->name(); }
  // Errors: kResourceExhausted naming the limit, its setting and what was used.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;
  RunUse used() const;

 private:
  Result<void> begin_step();
  std::optional<std::chrono::steady_clock::time_point> end() const;
  std::unexpected<Error> out_of_time() const;

  std::shared_ptr<ChatModel> inner_;
  const RunLimits limits_;
  const Now now_;
  const std::chrono::steady_clock::time_point started_;
  mutable Mutex mutex_;
  RunUse used_ GUARDED_BY(mutex_);
};

}  // namespace precedent
