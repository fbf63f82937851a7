// Intervals: how long something took, by the moments that the receipts tell of.
//
// Thread safety: pure function.
#pragma once

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// Whether two moments are so far apart, of which the sentence names or tells one, and perhaps the
// other.
bool lies_between(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge);

}  // namespace precedent
