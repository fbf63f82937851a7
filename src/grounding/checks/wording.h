// Wording: what kind of sentence it is, by its words.
//
// Thread safety: pure functions.
#pragma once

#include "grounding/checks/claim_check.h"

namespace precedent {

// Whether some sentence in its scope gives a reason.
bool gives_causes(const Sentence& sentence, const Facts& facts);
// Whether it denies what the receipts affirm, or the other way round.
CheckFunction check_polarity;
// Whether it says nothing about this company: "A full disk makes writes fail."
bool is_general(const Sentence& sentence);

}  // namespace precedent
