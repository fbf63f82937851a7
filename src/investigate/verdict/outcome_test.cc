#include "investigate/verdict/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

TimePoint hour(int hours) { return TimePoint(std::chrono::hours(hours)); }

Change made(std::string id, ChangeKind kind, int at, std::string service = "label") {
  Change out;
  out.id = std::move(id), out.kind = kind, out.at = hour(at);
  out.services = {std::move(service)};
  out.title = std::string(name(kind));
  return out;
}

// Fails since 10:00; what went live at 9:00 did it.
json report(bool convicts = true) {
  json out = {{"onset", "1970-01-01T10:00:00Z"}, {"causes", json::array()}};
  if (convicts) out["causes"] = {"H1"};
  out["hypotheses"] = {{{"id", "H1"}, {"change", "abcdef0123"}, {"service", "label"}}};
  return out;
}

Outcomes outcome_of(const json& report, std::vector<Change> changes) {
  changes.push_back(made("abcdef0123", ChangeKind::kCommit, 8));
  changes.push_back(made("fedcba9876", ChangeKind::kCommit, 7, "web"));
  return outcome_score(report, std::move(changes), hour(10)).outcome;
}

TEST(Outcome, WhatTookTheConvictedChangeBackConfirmsIt) {
  EXPECT_EQ(outcome_of(report(), {made("r", ChangeKind::kRollback, 11)}), Outcomes::kConfirmed);
  Change revert = made("c", ChangeKind::kCommit, 11, "anything");
  revert.reverts = {"abcdef0"};
  EXPECT_EQ(outcome_of(report(), {revert}), Outcomes::kConfirmed);
  // A deploy of the version that ran before.
  std::vector<Change> deploys;
  for (const auto& [version, at] : {std::pair("1", 5), {"2", 9}, {"1", 11}}) {
    deploys.push_back(made("d" + std::to_string(at), ChangeKind::kDeploy, at));
    deploys.back().version = version;
  }
  EXPECT_EQ(outcome_of(report(), deploys), Outcomes::kConfirmed);
  deploys.back().version = "3";
  EXPECT_EQ(outcome_of(report(), deploys), Outcomes::kUnknown) << "forward is not back";
  json release = report();
  release["causes"] = {"W1"};
  release["wider"] = {{{"id", "W1"}, {"release", "4.3"}, {"service", "label"}}};
  EXPECT_EQ(outcome_of(release, {made("r", ChangeKind::kRollback, 11)}), Outcomes::kConfirmed);
}

TEST(Outcome, AFlagThatWasTurnedAgainIsTakenBack) {
  Change on = made("f1", ChangeKind::kFlag, 9), off = made("f2", ChangeKind::kFlag, 11);
  on.subject = off.subject = "new-zones";
  on.from = off.to = "off", on.to = off.from = "on";
  json flag = report();
  flag["hypotheses"][0]["change"] = "f1";
  EXPECT_EQ(outcome_of(flag, {on, off}), Outcomes::kConfirmed);
  off.to = "half";
  EXPECT_EQ(outcome_of(flag, {on, off}), Outcomes::kUnknown);
}

TEST(Outcome, WhatTookAnotherChangeBackSpeaksAgainstIt) {
  Change revert = made("c", ChangeKind::kCommit, 11, "web");
  revert.reverts = {"fedcba9876"};
  EXPECT_EQ(outcome_of(report(), {revert}), Outcomes::kContradicted);
  EXPECT_EQ(outcome_of(report(false), {revert}), Outcomes::kMissed);
  const OutcomeScore score = outcome_score(
      report(), {made("fedcba9876", ChangeKind::kCommit, 7, "web"), revert}, hour(10));
  EXPECT_EQ(to_json(score)["outcome"], "contradicted");
  EXPECT_EQ(score.change, "c");
}

TEST(Outcome, WithoutARecordNothingIsTold) {
  EXPECT_EQ(outcome_of(report(), {}), Outcomes::kUnknown);
  EXPECT_EQ(outcome_of(report(false), {made("d", ChangeKind::kDeploy, 11)}), Outcomes::kUnknown);
  EXPECT_EQ(outcome_of(report(), {made("r", ChangeKind::kRollback, 9)}), Outcomes::kUnknown)
      << "before it began";
  EXPECT_EQ(outcome_score(json(), {}, hour(1)).outcome, Outcomes::kUnknown);
  const std::vector<Change> rolled = {made("r", ChangeKind::kRollback, 11)};
  json told = {{"causes", json::array()}};
  EXPECT_EQ(outcome_score(told, rolled, hour(12)).outcome, Outcomes::kUnknown);
  told["incident"]["fired_at"] = "1970-01-01T10:30:00Z";
  EXPECT_EQ(outcome_score(told, rolled, hour(12)).outcome, Outcomes::kMissed);
}

}  // namespace
}  // namespace precedent
