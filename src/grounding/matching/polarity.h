// Polarity: does a sentence deny what the receipts affirm, or affirm what they deny?
//
// For every word the place of the receipts is found that fits best what stands around it
// (Alignment::affinity); a flip is a word that is denied on one side only (text/negation.h), or an
// expression of the contrary (text/opposed_expressions.h).
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

class Alignment;
class ReceiptIndex;

// "Ledger has a database of its own but does not call search": whether a line of the receipts names
// other components, but not the one that comes first in the sentence, before token `at`.
bool tells_of_another(std::span<const Token> sentence, size_t at, const ReceiptIndex& evidence,
                      uint32_t unit);

// The token of the sentence that is flipped. `records`: those that it may rest on.
std::optional<size_t> find_flip(const LexedText& sentence, const ReceiptIndex& evidence,
                                const Alignment& alignment, const std::vector<bool>& records);

}  // namespace precedent
