#include "grounding/verify.h"

#include "base/utf8.h"
#include "grounding/checker.h"
#include "grounding/text/statements.h"

namespace precedent {

Verification verify(std::string_view answer_markdown, const ReceiptIndex& evidence,
                    const GroundingRules& rules) {
  Verification verification;
  const std::string_view own = utf8_prefix(answer_markdown, rules.max_answer_bytes);
  const std::string told = evidence.without_instructions(own);
  const std::string_view answer = told;
  verification.cut = evidence.cut() || answer.size() < answer_markdown.size();
  Checker checker(answer, evidence, rules);
  for (const Statement& statement : find_statements(answer)) {
    if (verification.claims.size() >= rules.max_claims) {
      verification.cut = true;
      break;
    }
    if (auto claim = checker.check(statement)) verification.claims.push_back(std::move(*claim));
  }
  return verification;
}

Verification verify(std::string_view answer_markdown, std::span<const Receipt> receipts,
                    const GroundingRules& rules) {
  return verify(answer_markdown, ReceiptIndex(receipts), rules);
}

}  // namespace precedent
