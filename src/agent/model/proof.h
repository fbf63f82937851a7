// Proof: an answer against the receipts of its conversation: what they prove, what is a hypothesis,
// and what nothing proves.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/evidence/answer.h"
#include "agent/state/copilot_state.h"
#include "grounding/facts/facts.h"
#include "grounding/verify.h"

namespace precedent {

// Which receipts count: those of the turn and what it remembered, for an answer that says what it
// rests on; the latest of the thread for a model's, which may lean on any it has seen.
enum class ProofReach { kTurn, kThread };
Verification verify_answer(std::string_view answer, const CopilotState& state, ProofReach reach,
                           const LearnedReader* judge);
// What those receipts say, for whoever verifies more than once.
Facts facts_behind(const CopilotState& state, ProofReach reach);

// The same of an answer that the program composed, whose sentences are proved by how they were
// made: a note claims nothing, a quotation stands in its receipt, the rest was computed from
// receipts. What only that proves says so in its reason (kComputedReason). REQUIRES: `spans` are of
// `answer`.
inline constexpr std::string_view kQuotedReason = "it is a quotation of ";
inline constexpr std::string_view kComputedReason = "it was computed from ";
Verification prove_composed(std::string_view answer, const std::vector<AnswerSpan>& spans,
                            const CopilotState& state);

// The list behind an answer of what in it is not proved begins so.
inline constexpr std::string_view kUnprovedTitle = "**Not proved by anything that was found**";

// Told of an answer with unproved() at its end.
inline constexpr std::string_view kPartlyUnproved =
    "Not everything in this answer is proved; its end says what is not and why.";

// How many claims of each verdict, the rules of the policy that no call met, and whether all that
// makes a grounded answer.
nlohmann::json grounding_json(const Verification& verification,
                              const std::vector<std::string>& unmet);

// A closing paragraph that quotes each unsupported sentence with the reason, at most a few of them;
// "" if there is none. REQUIRES: `verification` is of `answer`.
std::string unproved(std::string_view answer, const Verification& verification);

}  // namespace precedent
