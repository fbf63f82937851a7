// Claim: one sentence of an answer and how far the receipts prove it.
//
// Thread safety: plain values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grounding/checks/judgement.h"
#include "text/markdown.h"

namespace precedent {

std::string_view name(ClaimKind kind);

enum class ClaimVerdict {
  kSupported,
  kHypothesis,        // worded as one; its ids, numbers and names are right
  kUnsupported,       // no receipt proves it, or one denies it
  kGeneralKnowledge,  // states nothing about this company
};
std::string_view name(ClaimVerdict verdict);

// What was learned of whether the receipts bear a sentence out (opinion.h). Probabilities; their
// sum is 1.
struct Opinion {
  float supported = 0, contradicted = 0, not_stated = 0;
  bool operator==(const Opinion&) const = default;
};
// Claim::check of what was rejected for the opinion alone.
inline constexpr std::string_view kJudgeCheck = "judge";

// Where a receipt proves it: bytes of Receipt::text; empty where only its arguments or its typed
// result do.
struct Proof {
  std::string receipt;
  TextRange bytes;
  bool operator==(const Proof&) const = default;
};

struct Claim {
  TextRange bytes;  // of the answer
  ClaimKind kind = ClaimKind::kGeneral;
  ClaimVerdict verdict = ClaimVerdict::kUnsupported;
  std::vector<Proof> proofs;  // best first
  std::string reason;         // a sentence for a person
  // The check that rejected it (checks/table.cc), or kJudgeCheck; "" if none did.
  std::string check;
  std::optional<Opinion> opinion = std::nullopt;  // where it was asked for
  bool operator==(const Claim&) const = default;
};

struct Verification {
  std::vector<Claim> claims;  // in the order of the answer
  bool cut =
      false;  // the answer or the receipts were longer than the limits: the rest was not read
  size_t count(ClaimVerdict verdict) const;
  // Nothing in it is unsupported.
  bool grounded() const { return count(ClaimVerdict::kUnsupported) == 0 && !cut; }
  bool operator==(const Verification&) const = default;
};

nlohmann::json to_json(const Verification& verification, std::string_view answer);
// A plain table: verdict, kind, sentence, receipts and reason, a claim a line.
std::string claim_table(const Verification& verification, std::string_view answer);

}  // namespace precedent
