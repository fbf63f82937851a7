// The part of the lexer that reads numbers with their units: "1h 32m", "four hours and 39
// minutes", "two thirds", "10-20%", "200 * time.Millisecond". Internal to grounding/.
//
// Thread safety: pure function.
#pragma once

#include <cstddef>
#include <optional>

#include "grounding/text/quantity.h"
#include "grounding/text/raw_tokens.h"

namespace precedent {

struct Measured {
  Quantity quantity;
  size_t last = 0;    // the raw token that it ends with
  bool unit = false;  // a unit was written
};

struct MeasureReading {
  size_t at = 0;  // the raw token that it begins with
  Measured first;
  std::optional<Measured> second;  // the end of a range; of the same raw token
};

// What begins at raw token `at`, which is no break; none if it is no quantity.
std::optional<MeasureReading> read_measure(const RawText& text, size_t at);

}  // namespace precedent
