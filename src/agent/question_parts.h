// QuestionParts: a message that asks several things is read, searched and answered as several questions.
//
// "What is the SLO of search, and how do I roll back a deploy?" → two, as each names a subject of its own. "Who owns X and
// what is its pool size?" stays one: the second leans on the first.
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/intent.h"

namespace precedent {

// The intents of the parts, in order; empty where the message is to be answered as a whole.
std::vector<Intent> read_parts(const Intent& whole, const IntentContext& context);

}  // namespace precedent
