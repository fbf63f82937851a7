// The errors that all checkpointers share, worded once. Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/error.h"
#include "graph/checkpoint.h"

namespace precedent::checkpoint_errors {

std::unexpected<Error> moved(std::string_view thread, std::optional<CheckpointId> expected);
std::unexpected<Error> taken(std::string_view thread);
std::unexpected<Error> no_thread(std::string_view thread);
std::unexpected<Error> not_on_path(std::string_view thread, CheckpointId id);
std::unexpected<Error> missing(std::string_view thread, CheckpointId id);
// A decoder's error, with the row it is about and what to do.
std::unexpected<Error> bad_row(Error error, std::string_view thread, CheckpointId id);

}  // namespace precedent::checkpoint_errors
