// What a change of a caller can do to what it calls, and what edits like it do. Others are judged
// as whole cases (investigation_test.cc).
#include <gtest/gtest.h>

#include <algorithm>

#include "investigate/hypotheses/generators.h"

namespace precedent {
namespace {

using std::chrono::minutes;

constexpr Instant kOnset{minutes(600)};

// "web" calls "label", which is slow; a commit of web went live before.
CaseFile called(const Effect& effect) {
  CaseFile evidence;
  evidence.failing = "label";
  evidence.onset = kOnset;
  evidence.graph.add_edge({"web", "label", "the span order calls print", "", true});
  evidence.metrics.counted = {"label"};
  evidence.signs = {{Symptom::kLatency, "label", kOnset, 1, "label is slow", ""}};
  ChangeCandidate candidate;
  candidate.change.id = std::string(40, 'a');
  candidate.change.at = TimePoint(minutes(590));
  candidate.has_diff = true;
  candidate.effects = {effect};
  candidate.live = {{"web", kOnset - minutes(5), true, "v2"}};
  evidence.changes.candidates = {candidate};
  return evidence;
}

bool is_held_against(const CaseFile& evidence) {
  const std::vector<Hypothesis> all = change_hypotheses(evidence);
  if (all.size() != 1) return false;
  return std::ranges::any_of(all.front().needs, [](const Condition& need) {
    return need.what == "what it calls feels it" && need.holds < 0.5;
  });
}

const Effect kRepeats = {"retry_added",
                         "failed calls are repeated",
                         {Symptom::kFanOut, Symptom::kTraffic, Symptom::kLatency},
                         0.75,
                         true,
                         "retry(3)",
                         "web/order.py"};
const Effect kWaits = {"call_added",
                       "a request waits for something else",
                       {Symptom::kLatency, Symptom::kTimeouts, Symptom::kPool},
                       0.7,
                       true,
                       "sleep(5)",
                       "web/order.py"};

TEST(ChangeHypotheses, MoreCallsHarmOnlyWhereMoreArrive) {
  CaseFile evidence = called(kRepeats);
  EXPECT_TRUE(is_held_against(evidence));
  evidence.signs.push_back({Symptom::kTraffic, "label", kOnset, 1, "more requests", ""});
  EXPECT_FALSE(is_held_against(evidence));
  evidence.signs.pop_back();
  evidence.metrics.counted.clear();
  EXPECT_FALSE(is_held_against(evidence)) << "nobody counts them";
}

TEST(ChangeHypotheses, ACallerThatWaitsHarmsNothingBelowIt) {
  CaseFile evidence = called(kWaits);
  EXPECT_TRUE(is_held_against(evidence));
  evidence.failing = "web";
  evidence.signs.front().service = "web";
  EXPECT_FALSE(is_held_against(evidence)) << "it runs where the failure begins";
}

TEST(ChangeHypotheses, WhatACallerSendsInAnotherFormHarmsIt) {
  Effect form = kWaits;
  form.can_cause.add(Symptom::kDataFormat);
  EXPECT_FALSE(is_held_against(called(form)));
}

// What is predicted of the one commit, by measure; below 0 where nothing is.
double predicted(const CaseFile& evidence, Measure measure) {
  for (const Hypothesis& hypothesis : change_hypotheses(evidence))
    for (const Condition& prediction : hypothesis.predictions)
      if (prediction.measure == measure) return prediction.holds;
  return -1;
}

TEST(ChangeHypotheses, AnEditIsHeldAgainstWhatEditsLikeItDo) {
  CaseFile evidence = called(kWaits);
  const auto hunks_of = [](const std::string& timeout) {
    return parse_diff("@@ client\n-  read_timeout: 5s\n+  read_timeout: " + timeout + "\n",
                      {"web/client.yaml"});
  };
  std::vector<Hunk>& hunks = evidence.changes.candidates.front().hunks;
  EXPECT_LT(predicted(evidence, Measure::kActs), 0) << "no line of it is known";
  hunks = hunks_of("200ms");
  const double cut = predicted(evidence, Measure::kActs);
  hunks = hunks_of("6s");
  const double raised = predicted(evidence, Measure::kActs);
  EXPECT_GT(cut, raised);
  EXPECT_GE(raised, 0);
  evidence.signs.front().symptom = Symptom::kTimeouts;
  const double timeouts = predicted(evidence, Measure::kAlike);
  evidence.signs.front().symptom = Symptom::kDisk;
  EXPECT_GT(timeouts, predicted(evidence, Measure::kAlike));
}

}  // namespace
}  // namespace precedent
