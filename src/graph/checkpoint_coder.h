// The bytes of a checkpoint and of a pending task: version, checksum, record.
//
// Format: docs/format/checkpoints.md. Errors of the decoders: kInvalidArgument for a version from
// the future, kCorrupt for bytes that are not what was written; the caller adds which row it was.
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "graph/checkpoint.h"

namespace precedent {

std::string encode_step(const Step& step);
Result<Step> decode_step(std::string_view bytes);

std::string encode_pending(const Pending& pending);
// `task` is the row's key and not in the bytes.
Result<Pending> decode_pending(int task, std::string_view bytes);

}  // namespace precedent
