#include "agent/model/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/strings.h"
#include "base/utf8.h"
#include "grounding/verify.h"

namespace precedent {
namespace {

// What a long conversation retrieved at its beginning is not what its latest answer rests on.
constexpr size_t kMostReceipts = 40;
constexpr size_t kMostQuoted = 5;
constexpr size_t kMaxQuoteBytes = 200;

// Their texts are kept as the tools' messages. Looked for from the end: what a turn rests on is
// near.
void put_texts(std::vector<Receipt>& receipts, const SharedList<Message>& messages) {
  size_t left = receipts.size();
  for (size_t i = messages.size(); i-- > 0 && left > 0;) {
    if (messages[i].role != Role::kTool) continue;
    const auto receipt = std::ranges::find(receipts, messages[i].tool_call_id, &Receipt::call);
    if (receipt == receipts.end() || !receipt->text.empty()) continue;
    receipt->text = messages[i].content;
    --left;
  }
}

std::vector<Receipt> receipts_behind(const CopilotState& state, ProofReach reach) {
  std::vector<Receipt> receipts;
  if (reach == ProofReach::kThread) {
    const size_t from = state.receipts.size() - std::min(state.receipts.size(), kMostReceipts);
    for (size_t i = from; i < state.receipts.size(); ++i) receipts.push_back(state.receipts[i]);
  } else {
    receipts = receipts_of_last_question(state);
    for (const Receipt& receipt : state.receipts)
      if (std::ranges::find(state.answer.remembered, receipt.id) != state.answer.remembered.end())
        receipts.push_back(receipt);
  }
  put_texts(receipts, state.messages);
  return receipts;
}

// A quotation's receipt and, where it stands in the text as it was quoted, the place.
std::optional<Proof> place_of(std::string_view words, const std::vector<std::string>& ids,
                              const std::vector<Receipt>& receipts) {
  for (const Receipt& receipt : receipts) {
    if (std::ranges::find(ids, receipt.id) == ids.end()) continue;
    const size_t at = receipt.text.find(words);
    if (at != std::string::npos)
      return Proof{receipt.id,
                   {static_cast<uint32_t>(at), static_cast<uint32_t>(at + words.size())}};
    if (ReceiptIndex(std::span(&receipt, 1)).has_literal(words)) return Proof{receipt.id, {}};
  }
  return std::nullopt;
}

// What of a sentence lies in a span.
TextRange common(const TextRange& one, const TextRange& other) {
  return {std::max(one.begin, other.begin), std::min(one.end, other.end)};
}

// How a sentence was made, which may lie in several spans: of a label, of the quotation behind it,
// of its citation. The quotation counts most; a note is one only if the sentence is nothing else.
const AnswerSpan* made_of(const Claim& claim, const std::vector<AnswerSpan>& spans) {
  const AnswerSpan* best = nullptr;
  for (const AnswerSpan& span : spans) {
    const TextRange both = common(claim.bytes, span.bytes);
    if (both.begin >= both.end) continue;
    const bool quoted = span.origin == Origin::kQuotation;
    if (best == nullptr ||
        (best->origin != Origin::kQuotation && (quoted || best->origin == Origin::kNote)))
      best = &span;
  }
  return best;
}

}  // namespace

Verification prove_composed(std::string_view answer, const std::vector<AnswerSpan>& spans,
                            const CopilotState& state) {
  const std::vector<Receipt> receipts = receipts_behind(state, ProofReach::kTurn);
  Verification verification = verify(answer, receipts);
  std::erase_if(verification.claims, [&](const Claim& claim) {
    const AnswerSpan* span = made_of(claim, spans);
    return span != nullptr && span->origin == Origin::kNote;
  });
  for (Claim& claim : verification.claims) {
    const AnswerSpan* span = made_of(claim, spans);
    if (span == nullptr) continue;
    if (span->origin == Origin::kQuotation) {
      const TextRange words = common(claim.bytes, span->bytes);
      if (const auto place = place_of(trim(words.in(answer)), span->receipts, receipts)) {
        claim.kind = ClaimKind::kQuotation;
        claim.verdict = ClaimVerdict::kSupported;
        claim.proofs = {*place};
        claim.check.clear();
        claim.reason = fmt::format("{}{}", kQuotedReason, place->receipt);
        continue;
      }
    }
    if (claim.verdict != ClaimVerdict::kUnsupported) continue;
    claim.verdict = ClaimVerdict::kSupported;
    claim.check.clear();
    claim.proofs.clear();
    for (const std::string& id : span->receipts) claim.proofs.push_back({id, {}});
    claim.reason = fmt::format(
        "{}{}", kComputedReason,
        span->receipts.empty() ? "what the tools returned" : join(span->receipts, ", "));
  }
  return verification;
}

Verification verify_answer(std::string_view answer, const CopilotState& state, ProofReach reach,
                           const LearnedReader* judge) {
  return verify(answer, receipts_behind(state, reach), judge);
}

Facts facts_behind(const CopilotState& state, ProofReach reach) {
  return Facts(receipts_behind(state, reach));
}

nlohmann::json grounding_json(const Verification& verification,
                              const std::vector<std::string>& unmet) {
  return {{"claims", verification.claims.size()},
          {"supported", verification.count(ClaimVerdict::kSupported)},
          {"hypothesis", verification.count(ClaimVerdict::kHypothesis)},
          {"unsupported", verification.count(ClaimVerdict::kUnsupported)},
          {"general", verification.count(ClaimVerdict::kGeneralKnowledge)},
          {"unmet_rules", unmet},
          {"grounded", verification.grounded() && unmet.empty()}};
}

std::string unproved(std::string_view answer, const Verification& verification) {
  const size_t count = verification.count(ClaimVerdict::kUnsupported);
  if (count == 0) return {};
  std::string text = fmt::format("\n\n{} ({} of {} statements):\n", kUnprovedTitle, count,
                                 verification.claims.size());
  size_t quoted = 0;
  for (const Claim& claim : verification.claims) {
    if (claim.verdict != ClaimVerdict::kUnsupported) continue;
    if (++quoted > kMostQuoted) {
      text += fmt::format("- and {} more\n", count - kMostQuoted);
      break;
    }
    const std::string sentence = squeeze(claim.bytes.in(answer));
    text += fmt::format("- \"{}{}\": {}\n", utf8_prefix(sentence, kMaxQuoteBytes),
                        sentence.size() > kMaxQuoteBytes ? " …" : "", claim.reason);
  }
  return text;
}

}  // namespace precedent
