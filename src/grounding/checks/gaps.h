// Gaps: what a sentence says that was not found, or that the receipts do not tell.
//
// Thread safety: pure functions.
#pragma once

#include <optional>

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// Whether it says that something was not found, and that is so.
bool is_gap(const Sentence& sentence, const Facts& facts);
// What such a sentence says beside it, clause by clause; none if nothing.
std::optional<Statement> beside_gap(const Sentence& sentence);
// The sentence without the clauses that say what the receipts do not tell; none if it has no such
// clause, and no words if it has nothing else.
std::optional<Statement> without_missing(const Sentence& sentence);

}  // namespace precedent
