#include "investigate/knowledge/runbook_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_lab.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RunbookSteps : public testing::Test {
 protected:
  Document runbook(const std::string& body) {
    Document out = lab_document(Kind::kRunbook, "rb-1", "label is slow", body);
    out.body_line = 11;
    return out;
  }
  std::string followed(const std::string& body, std::string_view incident = "label is slow") {
    const auto section = section_to_follow(lab_.search(), runbook(body), incident);
    return section ? section->heading.back() : "";
  }

  SearchLab lab_;
};

constexpr const char* kRunbook = R"(What to do.

## Looking

1. Is the queue long? `label queue`
2. Is the printer hot?

## Mitigation

Never do this at night.

1. Drain the printer:
   ```sh
   label drain
   ```
2. Restart label.
   - One pod at a time.
3. Tell the hall.

## Did it work?

The queue is short.
)";

TEST_F(RunbookSteps, AStepHasItsLinesAndWhatStandsBelowIt) {
  const auto sections = step_sections(runbook(kRunbook));
  ASSERT_THAT(sections, SizeIs(2));
  EXPECT_EQ(sections[1].heading.back(), "Mitigation");
  ASSERT_THAT(sections[1].steps, SizeIs(3));
  EXPECT_THAT(sections[1].steps[0].text, HasSubstr("Drain the printer: ```sh label drain ```"));
  EXPECT_EQ(sections[1].steps[0].lines, (LineRange{22, 25}));
  EXPECT_EQ(sections[1].steps[1].lines, (LineRange{26, 27}));
  EXPECT_EQ(sections[1].steps[2].text, "Tell the hall.");
  EXPECT_EQ(sections[1].lines, (LineRange{18, 28}));
}

TEST_F(RunbookSteps, MendingIsFollowedNotLooking) { EXPECT_EQ(followed(kRunbook), "Mitigation"); }

TEST_F(RunbookSteps, OfSeveralFaultsTheOneOfTheIncidentIsFollowed) {
  constexpr const char* kFixes =
      "## Printers\n\n### Fix A: the certificate expired\n\n1. Issue the certificate.\n2. Load "
      "it.\n\n"
      "### Fix B: paper jam\n\n1. Open the lid.\n2. Pull.\n";
  EXPECT_EQ(followed(kFixes, "printer fails: certificate expired"),
            "Fix A: the certificate expired");
  EXPECT_EQ(followed(kFixes, "printer stops: paper jam"), "Fix B: paper jam");
  EXPECT_EQ(followed("## Mitigation\n\n### One\n\n1. Open it.\n2. Pull.\n\n### One\n\n1. Open "
                     "it.\n2. Pull.\n"),
            "Mitigation")
      << "both are shown";
}

TEST_F(RunbookSteps, WhereAnotherSectionSaysHowNoneIsFollowed) {
  EXPECT_EQ(followed("## Before\n\n1. Look at the clock.\n2. Breathe.\n\n## label is slow\n\n"
                     "```sh\nlabel slow --mend\n```\n"),
            "");
}

TEST_F(RunbookSteps, WhatHasNoNumberedStepsHasNone) {
  EXPECT_EQ(followed("## Talk\n\n- one\n- two\n\n1. alone\n"), "");
  EXPECT_THAT(step_sections(runbook("## Talk\n\nlabel is slow.\n")), IsEmpty());
  Document record = runbook(kRunbook);
  record.body_line = 0;
  EXPECT_THAT(step_sections(record), IsEmpty());
}

TEST_F(RunbookSteps, NoSecretIsQuoted) {
  const auto sections = step_sections(
      runbook("## X\n\n1. `export TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a`\n2. Go on.\n"));
  ASSERT_THAT(sections, SizeIs(1));
  EXPECT_THAT(sections[0].steps[0].text, testing::Not(HasSubstr("ghp_16C7")));
}

}  // namespace
}  // namespace precedent
