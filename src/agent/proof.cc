#include "agent/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "grounding/statements.h"
#include "grounding/verify.h"

namespace precedent {
namespace {

// What a long conversation retrieved at its beginning is not what its latest answer rests on.
constexpr size_t kMostReceipts = 40;
constexpr size_t kMostQuoted = 5;
constexpr size_t kMaxQuoteBytes = 200;

// Their texts are kept as the tools' messages. Looked for from the end: what a turn rests on is near.
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

}  // namespace

Verification verify_answer(std::string_view answer, const CopilotState& state, ProofReach reach) {
  return verify(answer, receipts_behind(state, reach));
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
