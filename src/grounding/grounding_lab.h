// What the tests and the bench of the verifier share: a receipt of a given text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "grounding/verify.h"

namespace precedent {

inline Receipt receipt_with(std::string text, std::string id = "R1", std::string args = "{}") {
  Receipt receipt;
  receipt.id = std::move(id);
  receipt.tool = "doc_search";
  receipt.args = std::move(args);
  receipt.text = std::move(text);
  return receipt;
}

// Expects the first sentence to be supported by a receipt of that text, or not.
inline void expect_supported(std::string_view answer, std::string_view text,
                             bool supported = true) {
  const Receipt receipt = receipt_with(std::string(text));
  const Verification verification = verify(answer, std::span(&receipt, 1));
  ASSERT_FALSE(verification.claims.empty()) << answer;
  const Claim& claim = verification.claims.front();
  EXPECT_EQ(claim.verdict, supported ? ClaimVerdict::kSupported : ClaimVerdict::kUnsupported)
      << answer << ": " << claim.reason;
}
inline void expect_unsupported(std::string_view answer, std::string_view text) {
  expect_supported(answer, text, false);
}

}  // namespace precedent
