// RetryModel: asks again after failures that may pass, with full jitter ("Exponential Backoff And
// Jitter", AWS Architecture Blog): a random part of a delay that doubles.
//
// Only what ModelFailure calls retryable is repeated, and only while no token was emitted: a reader
// must not see the beginning of two answers. Retry-After is honoured; a wait that does not fit into
// the deadline, or is longer than max_retry_after, is not begun. Each wait is a kStatus event.
// Thread safety: all members, if `random` and `wait` are.
#pragma once

#include <functional>
#include <memory>

#include "llm/chat_model.h"

namespace precedent {

struct RetryOptions {
  int attempts = 3;  // in all
  std::chrono::milliseconds first_delay{500};
  std::chrono::milliseconds max_delay{20'000};
  // Somebody is waiting at a terminal: beyond this they should rather know.
  std::chrono::milliseconds max_retry_after{60'000};
};

// Waits, or returns early with kCancelled.
using Wait = std::function<Result<void>(std::chrono::milliseconds, const CancelToken&)>;
Result<void> wait_for(std::chrono::milliseconds duration, const CancelToken& cancel);
// In [0, 1).
using Random = std::function<double()>;
double random_unit();

class RetryModel final : public ChatModel {
 public:
  explicit RetryModel(std::shared_ptr<ChatModel> inner, RetryOptions options = {},
                      Wait wait = wait_for, Random random = random_unit);

  std::string name() const override { return inner_->name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  std::chrono::milliseconds delay(int attempt, const ModelFailure& failure) const;

  std::shared_ptr<ChatModel> inner_;
  RetryOptions options_;
  Wait wait_;
  Random random_;
};

}  // namespace precedent
