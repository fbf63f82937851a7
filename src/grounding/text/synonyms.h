// Synonyms: words of operations text of which one says what another says, as far as it matters for
// whether a passage speaks of the same: "down" and "unavailable", "notice" and "detect". They weigh
// a little less than the word itself, and never decide what a sentence denies.
//
// Thread safety: pure function.
#pragma once

#include <cstdint>
#include <span>

namespace precedent {

// The terms of words that may stand for a term, without itself.
std::span<const uint64_t> synonyms_of(uint64_t term);

}  // namespace precedent
