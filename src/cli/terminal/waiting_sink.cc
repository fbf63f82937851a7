#include "cli/terminal/waiting_sink.h"

#include <fmt/format.h>

#include "base/helpers.h"

namespace precedent {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string waiting_text(std::string_view status, milliseconds waited) {
  while (status.ends_with('.') || status.ends_with(' ')) status.remove_suffix(1);
  return fmt::format("{}, {} s", status, duration_cast<std::chrono::seconds>(waited).count());
}

WaitingSink::WaitingSink(EventSink& next, milliseconds every)
    : every_(every), next_(next), helper_(start_helpers(1, [this] { repeat(); })) {}

WaitingSink::~WaitingSink() {
  const MutexLock lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

void WaitingSink::emit(const Event& event) {
  const MutexLock lock(mutex_);
  next_.emit(event);
  if (event.type == Event::Type::kToken) waited_for_ = {};
  if (event.type != Event::Type::kStatus) return;
  waited_for_ = event;
  since_ = said_ = steady_clock::now();
  changed_.notify_all();
}

void WaitingSink::repeat() {
  const MutexLock lock(mutex_);
  while (!done_) {
    if (waited_for_.text.empty()) {
      changed_.wait(mutex_);
      continue;
    }
    if (steady_clock::now() < said_ + every_) {
      changed_.wait_until(mutex_, said_ + every_);
      continue;
    }
    Event again = waited_for_;
    said_ = steady_clock::now();
    again.text = waiting_text(again.text, duration_cast<milliseconds>(said_ - since_));
    next_.emit(again);
  }
}

}  // namespace precedent
