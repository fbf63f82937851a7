// The log of long work, as its readers see it: `progress` events, not too many of them, and an
// `error` at the end.
//
// Thread safety: one thread at a time. Lifetime: borrows the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/turns/turns.h"

namespace precedent {

class ProgressEvents {
 public:
  explicit ProgressEvents(ChatTurn& log) : log_(log) {}
  // False: it was left out, since one of its stage was told a moment ago.
  bool tell(std::string_view stage, uint64_t done, uint64_t total);

 private:
  ChatTurn& log_;
  std::string stage_;
  std::chrono::steady_clock::time_point told_;
};

void say_failed(ChatTurn& log, const Error& error);

}  // namespace precedent
