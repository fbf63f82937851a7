// A report in Markdown, as a page and as a draft: what others wrote is text in it, and nothing
// else.
#include "investigate/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "investigate/report/draft.h"
#include "investigate/report/markdown_line.h"
#include "investigate/report/report_html.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kForged =
    "# X\n\n## Cause\n\ndeadbeef did it [open](https://evil.example/) <img src=x>";

Investigation forged() {
  const std::string text(kForged);
  Investigation out;
  CaseFile& evidence = out.evidence;
  evidence.brief = *read_brief(
      nlohmann::json{{"monitor", text}, {"service", text}, {"startsAt", "2026-11-19"}}.dump(),
      "alert.json");
  evidence.metrics.series = 1;
  evidence.missing = {text};
  evidence.failing = text;
  evidence.signs.push_back({Symptom::kErrors, text, Instant(std::chrono::hours(1)), 1, text, ""});
  evidence.signs.push_back({Symptom::kCrash, text, Instant(std::chrono::hours(1)), 1, text, ""});
  Hypothesis other;
  other.id = "H1", other.row = "change", other.statement = text, other.needs = {{text, 1, 1, text}};
  out.hypotheses = {other};
  out.verdict.summary = text, out.verdict.first_failing_service = text;
  out.verdict.blast_radius = {text}, out.verdict.advice = text;
  out.verdict.question = DecidingQuestion{text, text, text};
  out.verdict.alternatives = {{"H1", text}};
  out.known.push_back({.id = text,
                       .title = text,
                       .kind = "runbook",
                       .path = text,
                       .helps = "## Cause\n\nmine",
                       .lines = {3, 9}});
  out.known.push_back({.id = text, .title = text, .kind = "incident", .helps = text});
  out.owners.push_back({text, text, text, text, text, ""});
  return out;
}

TEST(Report, NoTextOfOthersIsAHeadingOrALink) {
  Investigation made = forged();
  for (const bool convicted : {false, true}) {
    if (convicted) made.verdict.causes = {"H1"};
    const std::string report = to_markdown(made);
    const size_t cause = report.find("\n## Cause");
    EXPECT_EQ(cause != std::string::npos, convicted) << report;
    EXPECT_EQ(report.rfind("\n## Cause"), cause);
    EXPECT_THAT(report, Not(HasSubstr("[open](")));
    EXPECT_THAT(report, Not(HasSubstr(" <img")));
    EXPECT_EQ(report.find("\n# X"), std::string::npos);
  }
}

TEST(Report, TheHeadingSaysWhoseItIsAndHowBad) {
  Investigation made;
  made.evidence.brief.title = "Labels fail";
  EXPECT_TRUE(to_markdown(made).starts_with("# Labels fail\n"));
  made.evidence.brief.service = "label", made.evidence.brief.severity = "critical";
  EXPECT_TRUE(to_markdown(made).starts_with("# Labels fail (label, critical)\n"));
  EXPECT_THAT(to_html(made), HasSubstr("<h1>Labels fail (label, critical)</h1>"));
}

TEST(Report, NeitherInAPageNorInADraft) {
  Investigation made = forged();
  EXPECT_THAT(to_html(made), Not(HasSubstr("<h2>Cause</h2>")));
  made.verdict.causes = {"H1"};
  const std::string draft = draft_known_issue(made, {});
  EXPECT_EQ(draft.find("\n## Cause"), draft.rfind("\n## Cause"));
  EXPECT_THAT(draft_postmortem(made, {}), Not(HasSubstr("\n## Cause")));
}

TEST(Report, WhatToDoQuotesTheRunbookAndNamesRiskAndRollback) {
  Investigation made;
  made.verdict.remediation = "drain-node", made.verdict.advice = "Drain the machine.";
  made.known = {
      {"rb-1", "Label is slow", "runbook", "rb/label.md", "", 0.9, "1. Drain.\n2. Wait.", {12, 14}},
      {"INC-7", "Label was slow", "incident", "", "", 0.7, "The machine was drained."}};
  const std::string report = to_markdown(made);
  EXPECT_THAT(report, HasSubstr("- Risk: The other machines get its load.\n- To take it back: "));
  EXPECT_THAT(report,
              HasSubstr("Label is slow (rb/label.md:12-14) says:\n\n> 1. Drain.\n> 2. Wait."));
  EXPECT_THAT(report, HasSubstr("### Runbooks\n\n- Label is slow (90 %), rb/label.md\n"));
  EXPECT_THAT(report, HasSubstr("### Similar incidents\n\n- Label was slow (70 %), INC-7\n"
                                "  Fixed by: The machine was drained."));
  const auto json = to_json(made);
  EXPECT_EQ(json["remedy"]["rollback"], "Let the machine take work again.");
  EXPECT_EQ(json["knowledge"]["runbooks"][0], "rb-1");
  EXPECT_EQ(json["knowledge"]["incidents"][0], "INC-7");
  EXPECT_EQ(json["knowledge"]["found"][0]["procedure"], "1. Drain.\n2. Wait.");
  EXPECT_EQ(json["knowledge"]["found"][1]["fixed_by"], "The machine was drained.");
  EXPECT_THAT(to_html(made), HasSubstr("<pre>1. Drain.\n2. Wait.</pre>"));
  // Where no cause is proved, a runbook that fits is worth as much.
  made.verdict = {};
  EXPECT_THAT(to_markdown(made), HasSubstr("## What to do\n\nLabel is slow (rb/label.md:12-14)"));
}

TEST(Report, ATimelineIsOneLineAnEntry) {
  for (const TimelineEntry& entry : timeline_of(forged()))
    EXPECT_EQ(entry.what.find('\n'), std::string::npos) << entry.what;
}

TEST(Report, ADraftSaysEachSymptomOnce) {
  Investigation made = forged();
  made.verdict.causes = {"H1"};
  const std::string draft = draft_known_issue(made, {});
  const std::string line = "- " + markdown_line(kForged);
  ASSERT_THAT(draft, HasSubstr(line));
  EXPECT_EQ(draft.find(line), draft.rfind(line));
}

TEST(Report, WhatNobodyMeasuredIsOnlySaidToFail) {
  Investigation made = forged();
  EXPECT_THAT(to_markdown(made), HasSubstr("\nFirst to fail: "));
  made.evidence.metrics.series = 0;
  for (const std::string& report : {to_markdown(made), to_html(made)}) {
    EXPECT_THAT(report, HasSubstr("Said to fail first: "));
    EXPECT_THAT(report, Not(HasSubstr("First to fail")));
  }
}

TEST(MarkdownLine, PlainTextStaysAsItIs) {
  EXPECT_EQ(markdown_line("a[0] of map rose from 0.1 to 5"), "a[0] of map rose from 0.1 to 5");
  EXPECT_EQ(markdown_line("- a\n b"), "\\- a b");
}

}  // namespace
}  // namespace precedent
