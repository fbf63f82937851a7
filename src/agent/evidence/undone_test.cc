#include "agent/evidence/undone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/changes_lab.h"

namespace precedent {
namespace {

Change change(ChangeKind kind, std::string_view at, std::string version, std::string from = "",
              std::string to = "", std::string title = "a title") {
  Change c;
  c.kind = kind;
  c.at = moment(at);
  c.services = {"pickup-api"};
  c.version = std::move(version);
  c.from = std::move(from);
  c.to = std::move(to);
  c.title = std::move(title);
  return c;
}

Receipt receipt_of(std::vector<Change> list) {
  std::ranges::sort(list, newer);
  ChangesResult result;
  result.changes = std::move(list);
  Receipt receipt;
  receipt.tool = "recent_changes";
  receipt.result = std::move(result);
  return receipt;
}

std::string undone_at(const Change& suspect, std::vector<Change> others) {
  others.push_back(suspect);
  const std::vector<Receipt> receipts = {receipt_of(std::move(others))};
  const auto undone = find_undone(receipts, suspect);
  return undone ? format_time(undone->change->at) : "";
}

constexpr std::string_view kBefore = "2026-11-17T08:00:00Z", kThen = "2026-11-17T10:00:00Z",
                           kAfter = "2026-11-17T11:10:00Z", kLater = "2026-11-17T12:00:00Z";
using enum ChangeKind;

TEST(Undone, AReleaseIsByARollbackOrByAVersionThatRanBefore) {
  const Change deploy = change(kDeploy, kThen, "2.0", "1.9");
  EXPECT_EQ(undone_at(deploy, {change(kRollback, kAfter, "1.9")}), kAfter);
  EXPECT_EQ(undone_at(deploy, {change(kDeploy, kAfter, "1.9")}), kAfter);
  EXPECT_EQ(undone_at(deploy, {change(kDeploy, kBefore, "1.8"), change(kDeploy, kAfter, "1.8")}),
            kAfter);
  // The first of several.
  EXPECT_EQ(undone_at(deploy, {change(kRollback, kLater, "1.9"), change(kRollback, kAfter, "1.9")}),
            kAfter);
}

TEST(Undone, ANewerReleaseOrOneOfAnotherSystemTakesNothingBack) {
  const Change deploy = change(kDeploy, kThen, "2.0", "1.9");
  EXPECT_EQ(undone_at(deploy, {change(kDeploy, kAfter, "2.1")}), "");
  EXPECT_EQ(undone_at(deploy, {change(kDeploy, kAfter, "2.0")}), "");
  EXPECT_EQ(undone_at(deploy, {change(kRollback, kBefore, "1.9")}), "");
  // A rollback of the release after it, to it.
  EXPECT_EQ(undone_at(deploy, {change(kRollback, kAfter, "2.0", "2.1")}), "");
  EXPECT_EQ(undone_at(deploy, {change(kRollback, kAfter, "1.9", "2.1")}), "");
  Change other = change(kRollback, kAfter, "1.9");
  other.services = {"labels"};
  EXPECT_EQ(undone_at(deploy, {other}), "");
  Change staging = change(kRollback, kAfter, "1.9"), production = deploy;
  staging.environment = "staging";
  production.environment = "production";
  EXPECT_EQ(undone_at(production, {staging}), "");
}

TEST(Undone, AFlagIsByItsReturnAndACommitByItsRevert) {
  const Change on = change(kFlag, kThen, "", "off", "on", "Flag fast_path: off → on");
  EXPECT_EQ(undone_at(on, {change(kFlag, kAfter, "", "on", "off", "Flag fast_path: on → off")}),
            kAfter);
  EXPECT_EQ(undone_at(on, {change(kFlag, kAfter, "", "on", "off", "Flag dark: on → off")}), "");
  const Change commit = change(kCommit, kThen, "", "", "", "Cache pages for an hour");
  EXPECT_EQ(undone_at(commit,
                      {change(kCommit, kAfter, "", "", "", "Revert \"Cache pages for an hour\"")}),
            kAfter);
  EXPECT_EQ(undone_at(commit, {change(kCommit, kAfter, "", "", "", "Revert \"Cache\"")}), "");
}

TEST(Undone, WhatTheMetricDidSinceIsTold) {
  MetricsResult metric;
  metric.metric = "p95_latency";
  metric.unit = "seconds";
  metric.summary = WindowSummary{.points = 9, .last = 2.9, .last_at = moment(kLater)};
  EXPECT_EQ(course_after(metric, moment(kAfter)),
            "no change of p95_latency since: it was 2.9 s at 2026-11-17T12:00:00Z");
  EXPECT_EQ(course_after(metric, moment(kLater)), "p95_latency has no values since");
  metric.changes = {{.at = moment(kThen), .before = 0.2, .after = 2.9},
                    {.at = moment("2026-11-17T11:20:00Z"), .before = 2.9, .after = 0.2}};
  EXPECT_EQ(course_after(metric, moment(kAfter)),
            "p95_latency fell at 2026-11-17T11:20:00Z from 2.9 s to 0.2 s");
}

}  // namespace
}  // namespace precedent
