// What a node is told beside the state: which task it is, and how long it may take.
//
// Lifetime: for the length of the call. Thread safety: read-only; each task has its own.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/trace_context.h"

namespace precedent {

// What the nodes of one run share beside its state, and what ends with it: nothing of it is kept.
// Whoever runs the graph makes it, and the nodes know its type.
// Thread safety: the tasks of a step use it at the same time.
struct RunLocal {
  virtual ~RunLocal() = default;
};

struct Context {
  using Deadline = std::chrono::steady_clock::time_point;

  std::string_view thread;  // "": nothing is kept
  std::string_view node;
  std::string_view task;                 // unique within its step
  int step = 0;                          // of the thread, not of the run
  std::string_view argument;             // of a task that was sent (Update::send)
  std::span<const std::string> answers;  // to the questions this task asked, oldest first
  const CancelToken* cancel = nullptr;
  std::optional<Deadline> deadline;
  Limits limits;
  const Clock* clock = nullptr;  // never null in a node
  TraceContext trace = {};       // of the run; all zero: it is not traced
  // When the run began: for what a node limits by the time of the whole run.
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  RunLocal* local = nullptr;  // of the run, if it has one

  // For calls that take one.
  const CancelToken& token() const {
    static const CancelToken kNever;
    return cancel == nullptr ? kNever : *cancel;
  }
  // To be called by whatever takes long. Errors: kCancelled, kTimeout.
  Result<void> check() const {
    if (cancel != nullptr) TRY(cancel->check());
    if (deadline && std::chrono::steady_clock::now() >= *deadline) {
      return fail(
          ErrorCode::kTimeout,
          "the deadline of this run passed; what was finished is kept, resume it with more time");
    }
    return {};
  }
};

}  // namespace precedent
