// Clause denials: a clause that a passage has nearly word for word must be denied in both or in
// neither. This sees flips whose verb no list knows. Where one side denies by an expression of its
// own ("harmless", "spared"), polarity.h decides.
//
// Thread safety: pure function.
#pragma once

#include <optional>
#include <vector>

#include "grounding/facts/receipt_index.h"
#include "grounding/matching/alignment.h"

namespace precedent {

struct ClauseDenialRules {
  // Of a clause's weight, how much a clause of the receipts must hold to be the same.
  double min_same = 0.6;
  // A clause of the other polarity that holds this much of it is as good.
  double nearly_as_good = 0.75;
};

// The token of the sentence whose clause is flipped.
std::optional<size_t> find_clause_denial(const LexedText& sentence, const ReceiptIndex& evidence,
                                         const Alignment& alignment,
                                         const std::vector<bool>& records,
                                         const ClauseDenialRules& rules = {});

}  // namespace precedent
