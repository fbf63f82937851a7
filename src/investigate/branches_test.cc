#include "investigate/verdict/branches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "investigate/notes/note.h"
#include "investigate/report/report.h"
#include "investigate/report/report_html.h"
#include "investigate/verdict/verdict.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// label fails, which db is behind; commits a and b went live in db with 4.3, c with 4.4.
class BranchesTest : public testing::Test {
 protected:
  BranchesTest() {
    evidence_.failing = "label";
    evidence_.metrics.series = 1;
    for (const auto& [commit, deploy] : {std::pair("a", "4.3"), {"b", "4.3"}, {"c", "4.4"}}) {
      ChangeCandidate candidate;
      candidate.change.id = commit;
      candidate.live = {{"db", Instant(std::chrono::hours(9)), true, deploy}};
      evidence_.changes.candidates.push_back(candidate);
    }
  }
  // Ids are in the order in which they are added: the likeliest first.
  Hypothesis& add(std::string_view row, const std::string& service, const std::string& change,
                  double confidence) {
    Hypothesis made;
    made.id = "H" + std::to_string(all_.size() + 1);
    made.row = row, made.service = service, made.change = change;
    made.statement = change.empty() ? std::string(row) : change + " did it";
    made.confidence = confidence;
    made.needs = {{"live before the onset", 1, 1, "it went live", "", Measure::kLive},
                  {"can reach what fails", 0.9, 1, "label calls db", "R1", Measure::kReach}};
    return all_.emplace_back(std::move(made));
  }
  const WiderHypothesis* at(const Branches& branches, BranchLevel level) {
    for (const WiderHypothesis& each : branches.wider)
      if (each.level == level) return &each;
    return nullptr;
  }

  CaseFile evidence_;
  std::vector<Hypothesis> all_;
};

TEST_F(BranchesTest, APlaceBranchesIntoChangesReleasesAndCommits) {
  add("change", "db", "a", 0.30);
  add("change", "db", "b", 0.25);
  add("resource", "db", "", 0.20);
  add("change", "db", "c", 0.15);
  const Branches branches = branches_of(evidence_, all_);
  ASSERT_THAT(branches.wider, SizeIs(3));
  const WiderHypothesis &place = branches.wider[0], &changes = branches.wider[1],
                        &release = branches.wider[2];
  EXPECT_EQ(place.hypothesis.statement, "the cause lies in db");
  EXPECT_NEAR(place.hypothesis.confidence, 0.9, 1e-9);
  EXPECT_THAT(place.branches, ElementsAre("W2", "H3"));
  EXPECT_EQ(changes.parent, "W1");
  EXPECT_THAT(changes.branches, ElementsAre("W3", "H4"));
  EXPECT_EQ(release.parent, "W2");
  EXPECT_NEAR(release.hypothesis.confidence, 0.55, 1e-9);
  EXPECT_THAT(release.branches, ElementsAre("H1", "H2"));
  EXPECT_EQ(release.hypothesis.change, "4.3");
  EXPECT_THAT(release.hypothesis.statement, HasSubstr("4.3 of db"));
  EXPECT_EQ(branches.parent_of.at("H1"), "W3");
  EXPECT_EQ(branches.parent_of.at("H3"), "W1");
  // The hypothesis itself is the fourth.
  size_t depth = 1;
  for (const WiderHypothesis* up = &release; up != nullptr; up = branches.find(up->parent)) ++depth;
  EXPECT_EQ(depth, kMaxDepth);
}

TEST_F(BranchesTest, WhatHasASingleBranchOrIsRefutedOrApartIsNone) {
  add("change", "db", "a", 0.5);
  EXPECT_THAT(branches_of(evidence_, all_).wider, IsEmpty());
  add("change", "db", "b", 0).needs[0].holds = 0;
  add("change", "db", "b", 0.4).part = "printer";
  add("change", "web", "c", 0.2);
  EXPECT_THAT(branches_of(evidence_, all_).wider, IsEmpty());
  add("change", "db", "c", 0.1);
  const Branches branches = branches_of(evidence_, all_);
  ASSERT_THAT(branches.wider, SizeIs(1));
  EXPECT_EQ(branches.wider[0].level, BranchLevel::kChanges) << "of two releases";
}

TEST_F(BranchesTest, AReleaseIsConvictedWhereNoneOfItsCommitsIs) {
  add("change", "db", "a", 0.40).category = Category::kCode;
  add("change", "db", "b", 0.35);
  add("traffic", "label", "", 0.10);
  const CaseVerdict verdict = conclude(evidence_, all_);
  EXPECT_EQ(verdict.outcome, VerdictKind::kCause);
  EXPECT_THAT(verdict.causes, ElementsAre("W1"));
  EXPECT_NEAR(verdict.confidence, 0.75, 1e-9);
  EXPECT_EQ(verdict.root_cause_commit, "none") << "no single one is";
  EXPECT_EQ(verdict.remediation, "rollback");
  EXPECT_EQ(verdict.advice, "Roll db back to before 4.3.");
  EXPECT_THAT(verdict.summary, HasSubstr("Which of its 2 changes it was is not proved."));
  EXPECT_FALSE(verdict.question);

  Investigation made;
  made.evidence = evidence_, made.hypotheses = all_, made.verdict = verdict;
  made.branches = branches_of(evidence_, all_);
  const nlohmann::json report = to_json(made);
  EXPECT_EQ(report["hypotheses"][0]["parent"], "W1");
  EXPECT_EQ(report["wider"][0]["status"], "accepted");
  EXPECT_EQ(report["wider"][0]["release"], "4.3");
  EXPECT_THAT(to_markdown(made),
              testing::AllOf(HasSubstr("One of these:\n- a did it (0.40)\n- b did it (0.35)\n"),
                             HasSubstr("- the release 4.3 of db did it, which went live at "
                                       "1970-01-01T09:00:00Z (0.75)\n  - a did it (0.40)\n")));
  EXPECT_THAT(to_html(made), HasSubstr("<ul>\n<li>a did it (0.40)</li>"));
  ASSERT_THAT(note_of(report, "").causes, SizeIs(1));
  EXPECT_THAT(note_of(report, "").causes[0].statement, HasSubstr("the release 4.3"));
}

TEST_F(BranchesTest, ManyCommitsThatCanHardlyHaveDoneItConvictNoRelease) {
  add("change", "db", "a", 0.4);
  for (int i = 0; i < 5; ++i) add("change", "db", "b", 0.09);
  EXPECT_GT(branches_of(evidence_, all_).wider.at(0).hypothesis.confidence, kConvincing);
  EXPECT_EQ(conclude(evidence_, all_).outcome, VerdictKind::kInconclusive);
  all_[1].confidence = 0.25;
  EXPECT_EQ(conclude(evidence_, all_).outcome, VerdictKind::kCause);
  evidence_.metrics.series = 0;
  EXPECT_EQ(conclude(evidence_, all_).outcome, VerdictKind::kInconclusive) << "nothing measured";
}

}  // namespace
}  // namespace precedent
