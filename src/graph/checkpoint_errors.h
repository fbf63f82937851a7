// The errors that all checkpointers share, worded once. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "base/error.h"
#include "graph/checkpoint.h"

namespace precedent::checkpoint_errors {

std::unexpected<Error> moved(std::string_view thread, std::optional<CheckpointId> expected);
std::unexpected<Error> busy(std::string_view thread);
std::unexpected<Error> taken(std::string_view thread);
std::unexpected<Error> no_thread(std::string_view thread);
std::unexpected<Error> not_on_path(std::string_view thread, CheckpointId id);
std::unexpected<Error> missing(std::string_view thread, CheckpointId id);
// A decoder's error, with the row it is about and what can be done: `last_readable` is the newest
// checkpoint of the path that can be read with everything before it; nothing: none can.
std::unexpected<Error> bad_row(Error error, std::string_view thread, CheckpointId id,
                               std::optional<CheckpointId> last_readable);
// The same for what was pending after `head`.
std::unexpected<Error> bad_pending(Error error, std::string_view thread, CheckpointId head,
                                   std::optional<CheckpointId> last_readable);

}  // namespace precedent::checkpoint_errors
