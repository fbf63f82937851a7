// The verifier: an answer and its receipts → what each sentence claims, and whether it is proved.
//
// It believes nothing but the receipts. Each sentence (text/) is held against what the receipts say
// (facts/) by one check after another (checks/table.cc, which says of each what it catches); a
// claim that was rejected names the check. The rules are described in docs/grounding.md, the
// thresholds measured in eval/README.md. Why it decides as it does: verify.cc.
//
// Thread safety: pure functions. Errors: none; text that is not UTF-8 is repaired first. Time:
// linear in the receipts, and in the answer times a bounded number of passages.
#pragma once

#include <span>
#include <string_view>

#include "embed/learned_reader.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/rules.h"
#include "grounding/claim.h"

namespace precedent {

// `judge`: the learned judge, asked beside the checks (opinion.h); null: the checks alone.
Verification verify(std::string_view answer_markdown, std::span<const Receipt> receipts,
                    const LearnedReader* judge = nullptr, const GroundingRules& rules = {});
// The same over receipts that were read before, with any table of checks.
Verification verify(std::string_view answer_markdown, const Facts& facts,
                    const LearnedReader* judge = nullptr, const GroundingRules& rules = {},
                    std::span<const ClaimCheck> checks = claim_checks());

}  // namespace precedent
