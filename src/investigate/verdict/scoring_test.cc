#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "investigate/changes/diff_effects.h"
#include "investigate/changes/renames.h"
#include "investigate/hypotheses/weights.h"
#include "investigate/verdict/verdict.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

Hypothesis change(double live, double words) {
  Hypothesis out;
  out.row = "change";
  out.change = "aaaa";
  out.needs = {{"live", live, 1, "", "", Measure::kLive}};
  out.predictions = {{"words", words, 1, "", "", Measure::kWords}};
  return out;
}

TEST(Score, IsWhatTheRowStartsWithAndItsWeightedConditions) {
  const auto& live = fitted::kWeights[static_cast<size_t>(Measure::kLive)];
  const auto& words = fitted::kWeights[static_cast<size_t>(Measure::kWords)];
  EXPECT_NEAR(score_of(change(0.5, 0.8)),
              fitted::kRows[0].start + live.need * std::log(0.5) + words.prediction * 0.8, 1e-12);
}

TEST(Score, OfARowWithWeightsOfItsOwnTakesTheirMean) {
  Hypothesis one;
  one.row = "record";
  one.predictions = {{"a", 1, 3}, {"b", 0, 1}};
  Hypothesis longer = one;
  longer.predictions.push_back({"c", 0.75, 4});
  EXPECT_NEAR(score_of(one), score_of(longer), 1e-12);
}

TEST(Confidence, ANeedThatDoesNotHoldRefutes) {
  std::vector<Hypothesis> all = {change(0, 1), change(1, 1)};
  EXPECT_TRUE(all[0].refuted());
  share_confidence(all);
  EXPECT_EQ(all[0].confidence, 0);
  EXPECT_GT(all[1].confidence, 0);
}

TEST(Confidence, IsSharedWithTheOthersAndWithNone) {
  std::vector<Hypothesis> all = {change(1, 1)};
  share_confidence(all);
  const double alone = all[0].confidence;
  EXPECT_NEAR(alone, 1 / (1 + std::exp(-score_of(all[0]))), 1e-12);
  all = {change(1, 1), change(1, 1)};
  share_confidence(all);
  EXPECT_LT(all[0].confidence, alone);
  EXPECT_EQ(all[0].confidence, all[1].confidence);
  EXPECT_LT(all[0].confidence + all[1].confidence, 1);
  std::vector<Hypothesis> none;
  share_confidence(none);
}

TEST(Verdict, TwoCausesThatAreAsLikelyDecideNothing) {
  CaseFile evidence;
  evidence.failing = "label", evidence.metrics.series = 1;
  std::vector<Hypothesis> all = {change(1, 1), change(1, 1)};
  all[0].id = "H1", all[1].id = "H2", all[1].change = "bbbb";
  share_confidence(all);
  const CaseVerdict verdict = conclude(evidence, all);
  EXPECT_EQ(verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_EQ(verdict.root_cause_commit, "none");
  EXPECT_TRUE(verdict.question);
  all[1].needs.front().holds = 0;
  share_confidence(all);
  EXPECT_EQ(conclude(evidence, all).root_cause_commit, "aaaa");
  evidence.metrics.series = 0;
  EXPECT_EQ(conclude(evidence, all).root_cause_commit, "none") << "nothing was measured";
}

TEST(Answer, AYesConvictsWhateverWasOpenAndANoRefutes) {
  EXPECT_EQ(yes_or_no(" Yes "), true);
  EXPECT_EQ(yes_or_no("n"), false);
  for (const char* neither : {"", "perhaps", "yes and no"})
    EXPECT_EQ(yes_or_no(neither), std::nullopt) << neither;
  // As many as likely that each is just open.
  std::vector<Hypothesis> all(9, change(1, 1));
  for (size_t i = 0; i < all.size(); ++i) all[i].statement = std::to_string(i);
  share_confidence(all);
  ASSERT_GT(all[0].confidence, kLeft);
  std::vector<Hypothesis> refuted = all;
  weigh({"Is it so?", "4", "change", true, "R9"}, all);
  share_confidence(all);
  EXPECT_GE(all[4].confidence, kConvincing);
  EXPECT_EQ(all[4].needs.back().receipt, "R9");
  EXPECT_EQ(all[3].needs.size(), 1U);
  weigh({"Is it so?", "4", "change", false, "R9"}, refuted);
  share_confidence(refuted);
  EXPECT_TRUE(refuted[4].refuted());
  EXPECT_GT(refuted[3].confidence, all[3].confidence);
}

std::vector<std::string_view> rows_of(std::string_view file, std::string_view diff) {
  std::vector<std::string_view> out;
  for (const Effect& effect : effects_of(parse_diff(diff, {std::string(file)})))
    out.push_back(effect.row);
  return out;
}

TEST(Renames, ARenamedFunctionDoesNothingWhereACompilerChecks) {
  constexpr std::string_view kDiff =
      "@@ -1,6 +1,6 @@\n-func mkId(n int) string {\n+func formatId(n int) string {\n   return n\n"
      " }\n-  return mkId(3)\n+  return formatId(3)\n";
  EXPECT_THAT(rows_of("names.go", kDiff), IsEmpty());
  EXPECT_THAT(rows_of("names.rb", kDiff), Not(IsEmpty()));
  EXPECT_THAT(rows_of("names.go",
                      "@@ -1,2 +1,2 @@\n-  return shipped(order, 3)\n+  return paid(order, 3)\n"),
              Not(IsEmpty()));
}

TEST(Effects, ALockThatIsHeldLongerOrSharedByNoneIsMoreLock) {
  EXPECT_THAT(rows_of("registry.go",
                      "@@ -1,6 +1,6 @@\n-  r.mu.RLock()\n-  e := r.entries[id]\n-  r.mu.RUnlock()\n"
                      "+  r.mu.Lock()\n+  defer r.mu.Unlock()\n+  e := r.entries[id]\n"),
              Contains("lock_added"));
  EXPECT_THAT(rows_of("registry.go", "@@ -1,2 +1,2 @@\n-  a.mu.Lock()\n+  b.mu.Lock()\n"),
              Not(Contains("lock_added")));
}

TEST(Effects, AnErrorThatIsWordedOtherwiseLiftsNoLimit) {
  EXPECT_THAT(rows_of("errors.go",
                      "@@ -1,2 +1,2 @@\n-  return fmt.Errorf(\"timeout: %w\", err)\n"
                      "+  return fmt.Errorf(\"%s took too long: %w\", op, err)\n"),
              Not(Contains("bound_removed")));
  EXPECT_THAT(rows_of("client.go", "@@ -1,3 +1,2 @@\n-  c.Timeout = second\n+  c.Name = name\n"),
              Contains("bound_removed"));
}

TEST(Effects, AHeaderWithAnotherNameIsMissed) {
  EXPECT_THAT(rows_of("client.ts",
                      "@@ -1,2 +1,2 @@\n-  \"x-service-token\": token.value,\n"
                      "+  \"service-authorization\": bearer(token),\n"),
              Contains("name_changed"));
}

}  // namespace
}  // namespace precedent
