// How a run is to be done, and what came of it. Thread safety: plain values.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/checkpoint.h"
#include "graph/context.h"
#include "graph/step_writer.h"
#include "graph/stream.h"

namespace precedent {

struct RunOptions {
  // Under which name it is kept; "": it is not kept.
  std::string thread = {};
  StreamModes modes = {};
  Durability durability = Durability::kSync;
  WriteFailure on_write_failure = WriteFailure::kStop;
  // A turn takes four steps, an investigation with many tools below twenty; beyond that two nodes
  // call each other for ever.
  int max_steps = 25;
  // Tasks of one step that run at the same time: tools that wait for a service, not for the CPU.
  size_t max_parallel = 4;
  // Stop before or after these nodes; resume() goes on.
  std::set<std::string> interrupt_before = {};
  std::set<std::string> interrupt_after = {};
  const CancelToken* cancel = nullptr;
  std::optional<Context::Deadline> deadline = {};
  Limits limits = {};
  const Clock* clock = nullptr;  // null: the system's
  TraceContext trace = {};       // handed to the nodes as it is
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  RunLocal* local = nullptr;  // handed to the nodes as it is
  // Kept with each checkpoint of the run: small, for people.
  std::map<std::string, std::string> metadata = {};
};

struct OpenQuestion {
  std::string task = {};  // "" if the run was told to stop here
  std::string node = {};
  std::string question = {};  // JSON
  bool operator==(const OpenQuestion&) const = default;
};

enum class Outcome { kComplete, kInterrupted };

struct RunReport {
  Outcome outcome = Outcome::kComplete;
  std::vector<OpenQuestion> questions = {};     // when interrupted
  std::optional<CheckpointId> checkpoint = {};  // where the thread stands; nothing: not kept
  int steps = 0;                                // of this run
  // Why the end of this run is not kept (WriteFailure::kGoOn); nothing: all of it is.
  std::optional<Error> unkept = {};
};

// Which checkpoints of a thread may go: those that are not among the last `keep_last`, and older
// than `older_than` if that is given.
struct PrunePolicy {
  size_t keep_last = 1;  // at least 1
  std::optional<TimePoint> older_than = {};
};

}  // namespace precedent
