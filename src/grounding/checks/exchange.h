// Exchanges: two names or figures that a sentence and the receipts have both, each in the place of
// the other: "A called B" where B called A.
//
// Both ways round are scored: how near in the receipts each stands to the words that it has around it
// in the sentence, words of its own clause above all; and how near the other does.
//
// Thread safety: pure function.
#pragma once

#include <optional>
#include <vector>

#include "grounding/facts/receipt_index.h"

namespace precedent {

struct Exchange {
  size_t one = 0, other = 0;  // tokens of the sentence
};

// `records`: those that the sentence may rest on. `factor`: of the score of the exchanged way, how
// little the score of the way written may be.
std::optional<Exchange> find_exchange(const LexedText& sentence, const ReceiptIndex& evidence,
                                      const std::vector<bool>& records, double factor);

}  // namespace precedent
