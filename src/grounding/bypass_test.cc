// Everything that an answer says is checked, in whatever form, beside whatever else.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kRecord =
    "## Incident INC-2026-05-04-001\n"
    "**Title**: Login refused\n"
    "**Description**: The certificate of login-api expired at 09:12 UTC and logins failed. "
    "The R910 relay was replaced.\n";
constexpr std::string_view kFalsehood = "Alice dropped the production database";

std::vector<Receipt> receipts() {
  std::vector<Receipt> all = {receipt_with(std::string(kRecord), "R1"),
                              receipt_with("No series match login_errors.", "R2")};
  all[1].status = ReceiptStatus::kEmpty;
  return all;
}

void expect_caught(const std::string& answer) {
  const Verification verification = verify(answer, receipts());
  EXPECT_GT(verification.count(ClaimVerdict::kUnsupported), 0u) << answer;
}

// The program's own notes, as a model may write them.
constexpr std::string_view kNotes[] = {
    "Nothing in the knowledge base answers this",
    "Nothing in the knowledge base says whom to call about this",
    "No phone number under that name is recorded",
    "I am read-only: I cannot restart anything for you",
    "Taking 'login' to mean login-api",
    "'tomorrow' has not come yet; nothing was measured then",
    "'tomorrow' has not come yet; what will be then is not known",
    "No runbook on this was found",
    "The tools returned nothing for this question",
    "**Not proved by anything that was found** (1 of 2 statements):",
    "*(unverified)*",
};

TEST(Bypass, ANoteHidesNothingThatFollowsIt) {
  for (const std::string_view note : kNotes) {
    for (const char* between : {", but ", ". ", "\n", "\n\n", "\n- ", "; ", " because "})
      expect_caught(std::string(note) + between + std::string(kFalsehood) + ".");
  }
}

TEST(Bypass, ANoteHidesNothingThatStandsBeforeIt) {
  for (const std::string_view note : kNotes)
    expect_caught(fmt::format("{}\n{}.", kFalsehood, note));
}

TEST(Bypass, AllOfMarkdownIsChecked) {
  const std::string said(kFalsehood);
  for (const std::string& answer : {
           "**" + said + "**",
           "## " + said,
           "- **" + said + "**",
           "1. " + said,
           said + ":",
           said + ":\n- the certificate expired at 09:12",
           "**" + said + ":** the certificate expired at 09:12.",
           "> " + said,
           "| what | when |\n|---|---|\n| " + said + " | 09:12 |",
           "| " + said + " | when |\n|---|---|\n| The certificate expired | 09:12 |",
           "<p>" + said + "</p>",
           "**Sources**\n- " + said,
           "The certificate expired [" + said + " at 09:12].",
           "[" + said + " at 09:12]",
           "_" + said + "_",
       })
    expect_caught(answer);
}

TEST(Bypass, HeadingsThatNameATopicClaimNothing) {
  for (const char* heading :
       {"## Summary", "**What happened**", "## Recommended next steps", "**Root cause:**",
        "## Services affected", "Timeline:", "**How it was resolved**"})
    EXPECT_EQ(verify(heading, receipts()).count(ClaimVerdict::kUnsupported), 0u) << heading;
}

TEST(Bypass, ACitationExistsAndHoldsWhatItIsCitedFor) {
  for (const char* answer :
       {"The certificate of login-api expired at 09:12 UTC [R91].",
        "The certificate of login-api expired at 09:12 UTC and logins failed [R91].",
        "The certificate of login-api expired at 09:12 UTC and logins failed. [R2]",
        "The certificate of login-api expired [R1, R91].", "## Login refused [R91]"})
    expect_caught(answer);
  EXPECT_EQ(verify("The certificate of login-api expired at 09:12 UTC and logins failed [R1].",
                   receipts())
                .count(ClaimVerdict::kUnsupported),
            0u);
}

// What a folder may be called.
TEST(Bypass, APathIsCitedWhateverItsCharacters) {
  for (const char* path : {"team docs/fix & run, now.md", "./fix.md", "../ops/fix.md", "fix.md",
                           "a b/c.md", "R&D/fix, then run.md", "docs/fix (old).md"}) {
    Receipt receipt = receipt_with("## Fix\n**Path**: " + std::string(path) +
                                   "\nRestart the relay.\nThen wait for it.\n");
    SectionsResult result;
    KnowledgeItem item;
    item.id = path;
    item.path = path;
    item.lines = {3, 4};
    result.sections.push_back(item);
    receipt.result = result;
    const std::string cited = " [" + std::string(path) + ":3-4]";
    for (const std::string& answer :
         {"> Restart the relay. Then wait for it." + cited,
          "> Fix\n> ```\n> Restart the relay.\n> Then wait for it.\n> ```\n>" + cited}) {
      const Verification verification = verify(answer, std::span(&receipt, 1));
      ASSERT_FALSE(verification.claims.empty());
      for (const Claim& claim : verification.claims)
        EXPECT_EQ(claim.verdict, ClaimVerdict::kSupported) << answer << ": " << claim.reason;
    }
    EXPECT_EQ(
        verify("> Restart the relay. [" + std::string(path) + ":31-40]", std::span(&receipt, 1))
            .count(ClaimVerdict::kUnsupported),
        1u)
        << path;
  }
}

}  // namespace
}  // namespace precedent
