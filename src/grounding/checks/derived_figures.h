// Derived figures: figures of a sentence that stand in no receipt, but follow from those that do:
// by arithmetic (text/arithmetic.h), by counting, or as the time between two moments (intervals.h).
//
// Thread safety: pure functions.
#pragma once

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// `q`: one of the sentence.
bool derived(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge);
// "3 incidents", "two deploys": as many as the list below has, or lines and names of the receipts.
bool counted(const Sentence& sentence, const Facts& facts, size_t at, const Quantity& q);

}  // namespace precedent
