// Any bytes as answer and receipt, split at the first zero byte: claims lie in the answer in order,
// proofs in the receipt, and a marked answer is the answer with at most one mark a claim.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "embed/fake_learned_reader.h"
#include "grounding/grounding_lab.h"
#include "grounding/repair.h"
#include "grounding/text/statements.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string input =
      repair_utf8(std::string_view(reinterpret_cast<const char*>(data), size));
  const size_t zero = std::min(input.find('\0'), input.size());
  const std::string answer = input.substr(0, zero);
  const Receipt receipt =
      receipt_with(zero < input.size() ? input.substr(zero + 1) : std::string());
  const FakeLearnedReader judge;
  const Facts facts(std::span(&receipt, 1));
  const Verification verification = verify(answer, facts, &judge);
  for (uint32_t unit = 0; unit < facts.index.units().size(); ++unit)
    if (facts.index.said(unit).empty()) std::abort();
  uint32_t at = 0;
  for (const Claim& claim : verification.claims) {
    if (claim.bytes.begin < at || claim.bytes.end > answer.size() ||
        claim.bytes.begin > claim.bytes.end)
      std::abort();
    at = claim.bytes.begin;
    for (const Proof& proof : claim.proofs) {
      if (proof.bytes.begin > proof.bytes.end || proof.bytes.end > receipt.text.size())
        std::abort();
    }
  }
  Verification moved = verification;
  const std::string marked = mark_unsupported(answer, moved);
  const size_t mark = kUnverifiedMark.size() + 1;
  if ((marked.size() - answer.size()) % mark != 0 ||
      (marked.size() - answer.size()) / mark > verification.count(ClaimVerdict::kUnsupported))
    std::abort();
  claim_table(verification, answer);
  return 0;
}
