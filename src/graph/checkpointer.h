// The `Checkpointer` seam: where checkpoints are kept.
//
// Checkpoints form a tree; a thread is a name for one of them, its head (as a branch is in git).
// Putting a step moves the head, by comparing and swapping: of two who started from the same head
// one wins, the other gets kConflict, and nothing of its step is kept. A fork is another name; it
// shares its past. Each call is atomic and, when it has returned, survives the end of the process.
//
// Errors, beside those of each call: kCorrupt and kInvalidArgument for a row that is damaged or
// from a newer precedent, naming thread and checkpoint; kUnavailable and kResourceExhausted from
// the store itself. Thread safety: all members. checkpointer_contract.h tests it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/checkpoint.h"

namespace precedent {

// A turn's right to a thread, until it is let go of.
using ThreadLease = std::shared_ptr<void>;

class Checkpointer {
 public:
  virtual ~Checkpointer() = default;

  // For a run: while it is held nobody else runs on the thread, so that no turn builds on the
  // unfinished step of another. It ends with the process, however that ends. The thread need not
  // exist. Errors: kConflict if somebody has it, in this process or another.
  virtual Result<ThreadLease> lease(std::string_view thread) = 0;

  // Nothing: there is no such thread.
  virtual Result<std::optional<Head>> head(std::string_view thread) = 0;

  // The path to `last`, oldest first: from the root, or from behind `after` if that lies on it.
  // REQUIRES: `last` is, or was, the thread's head.
  virtual Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                               std::optional<CheckpointId> after = {}) = 0;

  // Appends steps and moves the head from `parent` to the last of them, whose id is returned;
  // forgets what was pending. Without a parent the thread must be new. REQUIRES: steps.
  // Errors: kConflict if the head is another one.
  virtual Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                                   std::span<const Step> steps) = 0;

  // Keeps what a task of the step after `head` has done, in place of what it had before.
  // Errors: kConflict if the head is another one.
  virtual Result<void> put_pending(std::string_view thread, CheckpointId head,
                                   const Pending& pending) = 0;

  // Errors: kNotFound if it is not on the thread's path.
  virtual Result<Checkpoint> checkpoint(std::string_view thread, CheckpointId id) = 0;

  // At most `limit`, newest first, from the head or from before `before`.
  // Errors: kNotFound if there is no such thread, or `before` is not on its path.
  virtual Result<std::vector<Checkpoint>> history(std::string_view thread,
                                                  std::optional<CheckpointId> before,
                                                  size_t limit) = 0;

  // A new thread that stands at a checkpoint of `thread`, with nothing pending.
  // Errors: kNotFound; kConflict if the new name is taken.
  virtual Result<void> fork(std::string_view thread, CheckpointId checkpoint,
                            std::string_view new_thread, TimePoint at) = 0;

  // A new thread that stands where `thread` stands, with what is pending there. Errors: as fork.
  virtual Result<void> copy(std::string_view thread, std::string_view new_thread, TimePoint at) = 0;

  // Lets `thread` stand at a checkpoint of its path, with nothing pending; where it stood is kept
  // as a new thread `left`, with what is pending there. Errors: as fork.
  virtual Result<void> rewind(std::string_view thread, CheckpointId checkpoint,
                              std::string_view left, TimePoint at) = 0;

  // Forgets the name, and the checkpoints that no other thread reaches. Errors: kNotFound.
  virtual Result<void> remove(std::string_view thread) = 0;

  // Puts `base` in the place of everything before `first_kept` on the thread's path, and returns
  // how many checkpoints went. If another thread reaches `first_kept` nothing is changed: the past
  // is that thread's too. Errors: kNotFound if it is not on the path.
  virtual Result<size_t> fold(std::string_view thread, CheckpointId first_kept,
                              const Step& base) = 0;

  // Those whose names begin with `prefix`, the last changed first; skips `offset` of them.
  virtual Result<std::vector<ThreadInfo>> threads(size_t limit, size_t offset = 0,
                                                  std::string_view prefix = {}) = 0;
};

}  // namespace precedent
