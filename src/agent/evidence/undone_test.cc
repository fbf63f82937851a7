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

Change switched(ChangeKind kind, std::string_view at, std::string subject, std::string from,
                std::string to) {
  Change c = change(kind, at, "", std::move(from), std::move(to), "Ana Ruiz switched it");
  c.subject = std::move(subject);
  return c;
}

TEST(Undone, AFlagOrASettingIsByItsReturn) {
  for (const ChangeKind kind : {kFlag, kConfig}) {
    const Change on = switched(kind, kThen, "fast_path", "off", "on");
    EXPECT_EQ(undone_at(on, {switched(kind, kAfter, "fast_path", "on", "off")}), kAfter);
    EXPECT_EQ(undone_at(on, {switched(kind, kAfter, "fast_path", "", "off")}), kAfter);
    EXPECT_EQ(undone_at(on, {switched(kind, kAfter, "fast_path", "on", "half"),
                             switched(kind, kLater, "fast_path", "half", "off")}),
              kLater);
    EXPECT_EQ(undone_at(on, {switched(kind, kAfter, "dark", "on", "off")}), "");
    // Nobody knows what it was before.
    EXPECT_EQ(undone_at(switched(kind, kThen, "fast_path", "", "on"),
                        {switched(kind, kAfter, "fast_path", "", "off")}),
              "");
    Change other = switched(kind, kAfter, "fast_path", "on", "off");
    other.services = {"labels"};
    EXPECT_EQ(undone_at(on, {other}), "");
    other.services = {};
    EXPECT_EQ(undone_at(on, {other}), kind == kFlag ? kAfter : "");
  }
}

Change commit(std::string_view at, std::string id, std::string title,
              std::vector<std::string> reverts = {}) {
  Change c = change(kCommit, at, "", "", "", std::move(title));
  c.id = std::move(id);
  c.reverts = std::move(reverts);
  return c;
}

TEST(Undone, ACommitIsByTheHashThatItsRevertNames) {
  const std::string hash = "8f3b1c2d4e5f60718293a4b5c6d7e8f901234567";
  const Change cached = commit(kThen, hash, "Cache pages");
  EXPECT_EQ(undone_at(cached, {commit(kAfter, "2", "Back out the page cache", {hash})}), kAfter);
  EXPECT_EQ(undone_at(cached, {commit(kAfter, "2", "Back it out", {"8f3b1c2"})}), kAfter);
  EXPECT_EQ(undone_at(cached, {commit(kAfter, "2", "Back it out", {"8f3b1c3"})}), "");
  // Of another commit of the same title; and of one that is not known, so that the title counts.
  const std::string twin = "0123456789012345678901234567890123456789";
  EXPECT_EQ(undone_at(cached, {commit(kBefore, twin, "Cache pages"),
                               commit(kAfter, "2", "Revert \"Cache pages\"", {twin})}),
            "");
  EXPECT_EQ(undone_at(cached, {commit(kAfter, "2", "Revert \"Cache pages\"", {twin})}), kAfter);
}

TEST(Undone, AnUndoMayBeUndone) {
  const Change deploy = change(kDeploy, kThen, "2.0", "1.9");
  const Change back = change(kRollback, kAfter, "1.9");
  EXPECT_EQ(undone_at(deploy, {back, change(kDeploy, kLater, "2.0")}), "");
  EXPECT_EQ(undone_at(deploy, {back, change(kDeploy, kLater, "2.1")}), kAfter);
  EXPECT_EQ(undone_at(deploy, {back, change(kDeploy, kLater, "2.0"),
                               change(kRollback, "2026-11-17T13:00:00Z", "1.9")}),
            "2026-11-17T13:00:00Z");
  const Change on = switched(kFlag, kThen, "fast_path", "off", "on");
  const Change off = switched(kFlag, kAfter, "fast_path", "on", "off");
  EXPECT_EQ(undone_at(on, {off, switched(kFlag, kLater, "fast_path", "off", "on")}), "");
  const Change cached = commit(kThen, "aaaaaaaa", "Cache pages");
  const Change revert = commit(kAfter, "bbbbbbbb", "Back it out", {"aaaaaaaa"});
  EXPECT_EQ(undone_at(cached, {revert, commit(kLater, "c", "Try again", {"bbbbbbbb"})}), "");
  const Change titled = commit(kAfter, "b", "Revert \"Cache pages\"");
  EXPECT_EQ(undone_at(cached, {titled, commit(kLater, "c", "Reapply \"Cache pages\"")}), "");
  EXPECT_EQ(undone_at(cached, {titled, commit(kLater, "c", "Revert \"Revert \"Cache pages\"\"")}),
            "");
}

TEST(Undone, ACommitIsByTheTitleOfItsRevert) {
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
  metric.episodes = {{.from = moment(kThen), .usual = 0.2, .peak = 3, .peak_at = moment(kThen)}};
  EXPECT_EQ(course_after(metric, moment(kAfter)),
            "no change of p95_latency since: it is above what is usual (0.2 s) since "
            "2026-11-17T10:00:00Z, at most 3 s at 2026-11-17T10:00:00Z, and it was 2.9 s at "
            "2026-11-17T12:00:00Z");
  metric.changes = {{.at = moment(kThen), .before = 0.2, .after = 2.8}};
  EXPECT_EQ(course_after(metric, moment(kAfter)),
            "no change of p95_latency since: before that it rose at 2026-11-17T10:00:00Z from 0.2 "
            "s to 2.8 s, "
            "and it was 2.9 s at 2026-11-17T12:00:00Z");
  metric.changes = {{.at = moment(kThen), .before = 0.2, .after = 2.9},
                    {.at = moment("2026-11-17T11:20:00Z"), .before = 2.9, .after = 0.2}};
  EXPECT_EQ(course_after(metric, moment(kAfter)),
            "p95_latency fell at 2026-11-17T11:20:00Z from 2.9 s to 0.2 s");
}

}  // namespace
}  // namespace precedent
