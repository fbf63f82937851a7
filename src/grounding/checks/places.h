// Places: where in the receipts a fact of a sentence stands, and whether that is where the sentence
// puts it. A rival is another fact of its kind in the passages that the sentence speaks of: if a
// rival stands nearer to the words around the fact, the fact was told of something else.
//
// Thread safety: pure functions; places are tokens of the receipts.
#pragma once

#include <vector>

#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// Whether the sentence may rest on the record of a place.
bool in_scope(const Sentence& sentence, const Facts& facts, uint32_t place);
// Whether a token of the sentence and one of the receipts state the same.
bool same_fact(const Sentence& sentence, const Facts& facts, const Token& claimed,
               const Token& stated);
// Tokens of a kind in the passages that the sentence speaks of.
std::vector<uint32_t> in_passages(const Sentence& sentence, const Facts& facts, TokenKind kind);
// In a line about one of several series, which the sentence does not name.
bool of_another_series(const Sentence& sentence, const Facts& facts, uint32_t place);
// All of these in lines about other series than one that the sentence names.
bool all_of_other_series(const Sentence& sentence, const Facts& facts,
                         const std::vector<uint32_t>& own);
// A fact in the line that the sentence cites is rivalled by that line only.
void keep_cited(const Sentence& sentence, const Facts& facts, const std::vector<uint32_t>& own,
                std::vector<uint32_t>& rivals);
// Whether token `at` of the sentence stands as near to its words as any rival; then its best place
// is added to `proofs`. `own`: the places where it stands.
bool stands_in_place(const Sentence& sentence, const Facts& facts, size_t at,
                     const std::vector<uint32_t>& own, const std::vector<uint32_t>& rivals,
                     std::vector<uint32_t>& proofs);
// Whether a rival has the words of the clause around it, and the fact has hardly any.
bool outplaced(const Sentence& sentence, const Facts& facts, size_t at,
               const std::vector<uint32_t>& own, const std::vector<uint32_t>& rivals);

}  // namespace precedent
