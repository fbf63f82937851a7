// Polarity: does a sentence deny what the receipts affirm, or affirm what they deny?
//
// A negator governs the first content words after it, up to the end of the clause. A flip is a word
// that is governed in the sentence and free wherever the passages have it, or the other way round.
//
// Thread safety: pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grounding/evidence.h"

namespace precedent {

// The token of the sentence that is flipped. `passages`: units of the evidence, best first.
std::optional<size_t> find_flip(const LexedText& sentence, const Evidence& evidence,
                                const std::vector<uint32_t>& passages);

}  // namespace precedent
