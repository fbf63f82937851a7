#include "grounding/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// A terminal shows a sentence's beginning; the JSON has the whole.
constexpr size_t kTableBytes = 100;

// To whole per cents.
double rounded(float probability) { return std::round(100.0 * probability) / 100; }

std::string receipts_of(const Claim& claim) {
  std::vector<std::string> ids;
  for (const Proof& proof : claim.proofs) {
    if (std::ranges::find(ids, proof.receipt) == ids.end()) ids.push_back(proof.receipt);
  }
  return join(ids, " ");
}

std::string opinion_text(const Opinion& opinion) {
  return fmt::format(
      "learned judge: supported {:.0f} %, contradicted {:.0f} %, not stated {:.0f} %",
      100 * opinion.supported, 100 * opinion.contradicted, 100 * opinion.not_stated);
}

}  // namespace

std::string_view name(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::kId: return "id";
    case ClaimKind::kPath: return "path";
    case ClaimKind::kNumber: return "number";
    case ClaimKind::kQuotation: return "quotation";
    case ClaimKind::kTime: return "time";
    case ClaimKind::kName: return "name";
    case ClaimKind::kCause: return "cause";
    case ClaimKind::kGap: return "gap";
    case ClaimKind::kGeneral: return "general";
  }
  return "general";
}

std::string_view name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kSupported: return "supported";
    case ClaimVerdict::kHypothesis: return "hypothesis";
    case ClaimVerdict::kUnsupported: return "unsupported";
    case ClaimVerdict::kGeneralKnowledge: return "general knowledge";
  }
  return "unsupported";
}

size_t Verification::count(ClaimVerdict verdict) const {
  return static_cast<size_t>(std::ranges::count(claims, verdict, &Claim::verdict));
}

nlohmann::json to_json(const Verification& verification, std::string_view answer) {
  nlohmann::json claims = nlohmann::json::array();
  for (const Claim& claim : verification.claims) {
    nlohmann::json proofs = nlohmann::json::array();
    for (const Proof& proof : claim.proofs) {
      nlohmann::json entry = {{"receipt", proof.receipt}};
      if (proof.bytes.size() > 0)
        entry["bytes"] = {{"begin", proof.bytes.begin}, {"end", proof.bytes.end}};
      proofs.push_back(std::move(entry));
    }
    nlohmann::json entry = {{"text", claim.bytes.in(answer)},
                            {"bytes", {{"begin", claim.bytes.begin}, {"end", claim.bytes.end}}},
                            {"kind", name(claim.kind)},
                            {"verdict", name(claim.verdict)},
                            {"reason", claim.reason},
                            {"proofs", std::move(proofs)}};
    if (!claim.check.empty()) entry["check"] = claim.check;
    if (const auto& opinion = claim.opinion)
      entry["opinion"] = {{"supported", rounded(opinion->supported)},
                          {"contradicted", rounded(opinion->contradicted)},
                          {"not_stated", rounded(opinion->not_stated)}};
    claims.push_back(std::move(entry));
  }
  return {{"grounded", verification.grounded()},
          {"supported", verification.count(ClaimVerdict::kSupported)},
          {"hypotheses", verification.count(ClaimVerdict::kHypothesis)},
          {"unsupported", verification.count(ClaimVerdict::kUnsupported)},
          {"general_knowledge", verification.count(ClaimVerdict::kGeneralKnowledge)},
          {"cut", verification.cut},
          {"claims", std::move(claims)}};
}

std::string claim_table(const Verification& verification, std::string_view answer) {
  std::string out = fmt::format("{:<18}{:<10}{:<8}{}\n", "verdict", "kind", "receipt", "claim");
  for (const Claim& claim : verification.claims) {
    std::string text = squeeze(claim.bytes.in(answer));
    if (text.size() > kTableBytes) text = std::string(utf8_prefix(text, kTableBytes)) + "…";
    fmt::format_to(std::back_inserter(out), "{:<18}{:<10}{:<8}{}\n", name(claim.verdict),
                   name(claim.kind), receipts_of(claim), text);
    if (claim.verdict == ClaimVerdict::kUnsupported)
      fmt::format_to(std::back_inserter(out), "{:<18}{}{}\n", "", claim.reason,
                     claim.check.empty() ? "" : fmt::format(" (check: {})", claim.check));
    if (claim.opinion)
      fmt::format_to(std::back_inserter(out), "{:<18}{}\n", "", opinion_text(*claim.opinion));
  }
  return out;
}

}  // namespace precedent
