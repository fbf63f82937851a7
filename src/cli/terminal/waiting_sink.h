// WaitingSink: while nothing else is said, says again what is being waited for, and for how long.
//
// Between a status and the next token it repeats the status with the time that has passed ("Waiting
// for the model openai gpt-4o, 12 s"), as a status event like any other. Everything that it is
// given goes on to the sink behind it, one event at a time. Where the system has no thread left,
// nothing is repeated. Thread safety: all members. Lifetime: `next` outlives it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "chat/event.h"

namespace precedent {

class WaitingSink final : public EventSink {
 public:
  // Often enough to see that time passes, and few lines for a program that reads them.
  static constexpr std::chrono::milliseconds kEvery{2000};

  explicit WaitingSink(EventSink& next, std::chrono::milliseconds every = kEvery);
  ~WaitingSink() override;
  void emit(const Event& event) override;

 private:
  void repeat();

  const std::chrono::milliseconds every_;
  Mutex mutex_;
  ConditionVariable changed_;
  EventSink& next_ GUARDED_BY(mutex_);
  Event waited_for_ GUARDED_BY(mutex_);  // without a text: nothing
  std::chrono::steady_clock::time_point since_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point said_ GUARDED_BY(mutex_);
  bool done_ GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> helper_;
};

// "Waiting for the model..." after 12.3 s: "Waiting for the model, 12 s".
std::string waiting_text(std::string_view status, std::chrono::milliseconds waited);

}  // namespace precedent
