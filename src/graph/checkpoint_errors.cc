#include "graph/checkpoint_errors.h"

#include <fmt/format.h>

namespace precedent::checkpoint_errors {

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
  return fail(
      ErrorCode::kCorrupt,
      fmt::format("thread '{}', checkpoint {}: it is missing from the store; restore a backup, or "
                  "delete the thread",
                  thread, id));
}

std::unexpected<Error> bad_row(Error error, std::string_view thread, CheckpointId id) {
  error.message = fmt::format("thread '{}', checkpoint {}: {}", thread, id, error.message);
  if (error.code == ErrorCode::kCorrupt)
    error.message += "; restore a backup, or fork the thread before it";
  return std::unexpected(std::move(error));
}

}  // namespace precedent::checkpoint_errors
