// Explanation: five lines for a person on how an answer came about, before the figures.
//
// Thread safety: pure function.
#pragma once

#include <string>
#include <vector>

#include "agent/evidence/answer.h"
#include "agent/evidence/evidence.h"

namespace precedent {

// What was understood, where it was looked, what was chosen and why, what came second, what was
// left out. `evidence` is ranked. Call it once the answer is composed.
std::vector<std::string> explanation(const Answer& answer, const std::vector<Evidence>& evidence);

}  // namespace precedent
