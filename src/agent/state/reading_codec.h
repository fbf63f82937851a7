// How the reading of a question is written to checkpoints. Format: docs/format/checkpoints.md;
// members are only ever appended. Thread safety: pure functions.
#pragma once

#include "agent/understand/reading.h"
#include "graph/field_codec.h"

namespace precedent {

template <>
struct FieldCodec<KeptReading> {
  static void encode(const KeptReading& reading, ByteWriter& out);
  // A reading of another format is none: the question is read again.
  static KeptReading decode(ByteReader& in);
  static nlohmann::json json(const KeptReading& reading);  // as the intent record has it
};

}  // namespace precedent
