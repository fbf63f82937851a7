// What is kept of a conversation: checkpoints, each with what its step added, and what of an
// unfinished step is already done.
//
// A checkpoint has a parent; the state at a checkpoint is what the writes on the path to it give,
// oldest first. Thread safety: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "graph/task.h"

namespace precedent {

// Ascending in time, never given out twice by one store.
using CheckpointId = int64_t;

enum class StepSource : uint8_t {
  kInput = 0,  // what a run was given
  kLoop = 1,   // what a step wrote
  kBase = 2,   // the state itself, in place of a past that was pruned
};
std::string_view name(StepSource source);

struct Step {
  StepSource source = StepSource::kLoop;
  int step = 0;  // of the thread: 0 for its first input
  TimePoint at = {};
  std::vector<TaskWrites> tasks = {};
  std::vector<Task> next = {};  // what runs after it; none: a turn is complete
  std::map<std::string, std::string> metadata = {};
  bool operator==(const Step&) const = default;
};

struct Checkpoint {
  CheckpointId id = 0;
  std::optional<CheckpointId> parent = {};
  std::string thread = {};  // that it was written under; "" if that was deleted
  Step step = {};
  bool operator==(const Checkpoint&) const = default;
};

// Of the step after a thread's head: what one of its tasks has done so far.
struct Pending {
  enum class Kind : uint8_t {
    kFinished = 0,  // writes and sends: not run again
    kAsked = 1,     // question: waits for an answer; "": answered, not finished
    kPaused = 2,    // the run stopped here as it was told to (task is kPausedTask)
  };
  static constexpr int kPausedTask = -1;

  int task = 0;  // its place among the head's next tasks
  Kind kind = Kind::kFinished;
  std::vector<Write> writes = {};
  std::vector<Task> sends = {};
  std::string question = {};
  std::vector<std::string> answers = {};
  bool operator==(const Pending&) const = default;
};

// Where a thread stands.
struct Head {
  CheckpointId checkpoint = 0;
  std::vector<Pending> pending = {};  // by task
  bool operator==(const Head&) const = default;
};

struct ThreadInfo {
  std::string name = {};
  CheckpointId head = 0;
  TimePoint created = {};
  TimePoint updated = {};  // `created` where the head cannot be read
  int step = 0;
  bool operator==(const ThreadInfo&) const = default;
};

}  // namespace precedent
