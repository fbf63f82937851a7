// Measured trends: which of the measured metrics a sentence names, and how they moved.
//
// Thread safety: pure functions. Lifetime: what is returned points into the facts.
#pragma once

#include <vector>

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// How many words of the sentence name what a record measures; 0 if none is of the metric's own
// name.
size_t named_by(const Sentence& sentence, const Facts& facts, uint32_t record);
// The trends of the metric that the sentence names best.
std::vector<const Trend*> named_trends(const Sentence& sentence, const Facts& facts);
// Whether the metric that the sentence names best is about what it was at the same time a day
// earlier.
bool is_at_usual_level(const Sentence& sentence, const Facts& facts);

}  // namespace precedent
