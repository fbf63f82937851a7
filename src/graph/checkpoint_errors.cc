#include "graph/checkpoint_errors.h"

#include <fmt/format.h>

namespace precedent::checkpoint_errors {
namespace {

std::string delete_it(std::string_view thread) {
  return fmt::format("delete the thread: `precedent threads delete {}`", thread);
}

// What a newer precedent wrote has its remedy already: that one reads it.
std::unexpected<Error> described(Error error, std::string_view what, std::string_view thread,
                                 std::optional<CheckpointId> last_readable) {
  error.message = fmt::format("{}: {}", what, error.message);
  if (error.code != ErrorCode::kCorrupt) return std::unexpected(std::move(error));
  error.message += "; restore a backup, or ";
  error.message += last_readable
                       ? fmt::format(
                             "go on from the last checkpoint that can be read: `precedent "
                             "threads fork {} --at {}`",
                             thread, *last_readable)
                       : delete_it(thread);
  return std::unexpected(std::move(error));
}

}  // namespace

std::unexpected<Error> moved(std::string_view thread, std::optional<CheckpointId> expected) {
  if (!expected) {
    return fail(
        ErrorCode::kConflict,
        fmt::format("thread '{}' was begun by somebody else at the same time; nothing of this run "
                    "was kept: ask again, or use another thread",
                    thread));
  }
  return fail(
      ErrorCode::kConflict,
      fmt::format("thread '{}' went on elsewhere after checkpoint {}; nothing of this step was "
                  "kept: read what was added and ask again, or fork the thread at {}",
                  thread, *expected, *expected));
}

std::unexpected<Error> busy(std::string_view thread) {
  return fail(
      ErrorCode::kConflict,
      fmt::format("thread '{}' is busy with another turn, and nothing of this one was kept: "
                  "wait for the end of that turn and ask again, or use another thread",
                  thread));
}

std::unexpected<Error> taken(std::string_view thread) {
  return fail(
      ErrorCode::kConflict,
      fmt::format("there is a thread '{}' already; choose another name, or delete it", thread));
}

std::unexpected<Error> no_thread(std::string_view thread) {
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no thread '{}'; `precedent threads list` names them", thread));
}

std::unexpected<Error> not_on_path(std::string_view thread, CheckpointId id) {
  return fail(
      ErrorCode::kNotFound,
      fmt::format("thread '{0}' has no checkpoint {1}; `precedent threads history {0}` lists them",
                  thread, id));
}

std::unexpected<Error> missing(std::string_view thread, CheckpointId id) {
  return fail(ErrorCode::kCorrupt, fmt::format("thread '{}', checkpoint {}: it is missing from the "
                                               "store; restore a backup, or {}",
                                               thread, id, delete_it(thread)));
}

std::unexpected<Error> bad_row(Error error, std::string_view thread, CheckpointId id,
                               std::optional<CheckpointId> last_readable) {
  return described(std::move(error), fmt::format("thread '{}', checkpoint {}", thread, id), thread,
                   last_readable);
}

std::unexpected<Error> bad_pending(Error error, std::string_view thread, CheckpointId head,
                                   std::optional<CheckpointId> last_readable) {
  return described(
      std::move(error),
      fmt::format("thread '{}', what was unfinished after checkpoint {}", thread, head), thread,
      last_readable);
}

}  // namespace precedent::checkpoint_errors
