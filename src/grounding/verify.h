// The verifier: an answer and its receipts → what each sentence claims, and whether it is proved.
//
// It believes nothing but the receipts. Ids, paths, lines, identifiers and names must stand in them
// (in the one that the sentence cites, where it cites one); quantities must be what a receipt states,
// rounded or converted, or follow from it by the arithmetic that the sentence announces; times must
// occur; quotations and code must be literal. Then words decide: the passages that the sentence speaks
// of must hold most of its weight, its causes above all; a name or number must stand there near the
// words that it has around it in the sentence, in the same row and under the same label; comparisons
// must hold for the figures; and what is denied there must be denied here, in whatever words. The rules
// are described in docs/grounding.md, the thresholds measured in eval/README.md.
//
// Thread safety: pure functions. Errors: none; text that is not UTF-8 is repaired first. Time: linear
// in the receipts, and in the answer times a bounded number of passages.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "grounding/checks/rules.h"
#include "grounding/claim.h"
#include "grounding/facts/receipt_index.h"

namespace precedent {

Verification verify(std::string_view answer_markdown, std::span<const Receipt> receipts,
                    const GroundingRules& rules = {});
// The same over receipts that were read before: for the repaired answer.
Verification verify(std::string_view answer_markdown, const ReceiptIndex& evidence,
                    const GroundingRules& rules = {});

}  // namespace precedent
