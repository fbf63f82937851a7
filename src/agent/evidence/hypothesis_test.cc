// Which change is suspected, and of what.
#include "agent/evidence/hypothesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/changes_lab.h"
#include "telemetry/report/metric_course.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Concerns kAll = [](const MetricsResult&, const Receipt&) { return true; };

ChangePoint change_at(std::string_view at, double before, double after) {
  return {.at = moment(at), .before = before, .after = after, .p_value = 0.001, .pairs = 1};
}

Receipt metric(std::string name, std::vector<ChangePoint> changes,
               std::optional<double> ratio = 1.0) {
  MetricsResult result;
  result.metric = std::move(name);
  result.from = moment("2026-11-17T10:00:00Z");
  result.to = moment("2026-11-17T20:00:00Z");
  result.summary = WindowSummary{.points = 100, .mean = 1, .last = 1};
  result.changes = std::move(changes);
  if (ratio) result.comparisons.push_back({.what = "the 10h before", .mean = 1, .ratio = ratio});
  Receipt receipt;
  receipt.tool = "metrics_query";
  receipt.result = std::move(result);
  return receipt;
}

Change change_of_kind(ChangeKind kind, std::string id, std::string service, std::string_view at,
                      std::string title = "a title") {
  Change change;
  change.kind = kind;
  change.id = std::move(id);
  change.services = {std::move(service)};
  change.at = moment(at);
  change.title = std::move(title);
  return change;
}

Receipt changes(std::vector<Change> list) {
  std::ranges::sort(list, newer);
  ChangesResult result;
  result.changes = std::move(list);
  Receipt receipt;
  receipt.tool = "recent_changes";
  receipt.result = std::move(result);
  return receipt;
}

std::string suspect_id(const std::vector<Receipt>& receipts, const std::string& service = "") {
  const auto onset = find_onset(receipts, kAll, Direction::kAny);
  const auto suspect = find_suspect(receipts, onset ? &*onset : nullptr, service, {});
  return suspect ? suspect->change->id : "";
}

std::vector<std::string> commit_ids(const Suspect& suspect) {
  std::vector<std::string> ids;
  for (const Change* commit : suspect.commits) ids.push_back(commit->id);
  return ids;
}

TEST(Hypothesis, TheOnsetIsTheLargestChangeOfTheFirstMetricThatHasOne) {
  const std::vector<Receipt> receipts = {
      metric("calm", {change_at("2026-11-17T12:00:00Z", 1, 1.2)}),
      metric("p95_latency",
             {change_at("2026-11-17T09:00:00Z", 1, 100),  // before the window
              change_at("2026-11-17T11:00:00Z", 1, 2), change_at("2026-11-17T15:45:00Z", 2, 9),
              change_at("2026-11-17T18:00:00Z", 9, 4)}),
      metric("other", {change_at("2026-11-17T12:00:00Z", 1, 50)})};
  const auto onset = find_onset(receipts, kAll, Direction::kUp);
  ASSERT_TRUE(onset);
  EXPECT_EQ(onset->metric->metric, "p95_latency");
  EXPECT_EQ(onset->change->at, moment("2026-11-17T15:45:00Z"));
  EXPECT_EQ(onset->at(), onset->change->at);
}

TEST(Hypothesis, SpikesBeforeTheChangeOfLevelAreWhereItBegan) {
  const auto began = [](Excursion first, std::vector<ChangePoint> changes) {
    Receipt receipt = metric("p95_latency", std::move(changes));
    std::get<MetricsResult>(receipt.result).first_unusual = first;
    const auto onset = find_onset({receipt}, kAll, Direction::kAny);
    return onset ? format_time(onset->at()) : "";
  };
  const Excursion up{moment("2026-11-17T12:10:00Z"), 9, 2},
      down{moment("2026-11-17T12:10:00Z"), 1, 2};
  const ChangePoint later = change_at("2026-11-17T15:45:00Z", 2, 9);
  EXPECT_EQ(began(up, {later}), "2026-11-17T12:10:00Z");
  EXPECT_EQ(began(up, {}), "2026-11-17T12:10:00Z");
  // The other way is another story, and what came after it began nothing.
  EXPECT_EQ(began(down, {later}), "2026-11-17T15:45:00Z");
  EXPECT_EQ(began({moment("2026-11-17T18:00:00Z"), 9, 2}, {later}), "2026-11-17T15:45:00Z");
}

Episode episode(std::string_view from, std::optional<std::string_view> until, double usual,
                double peak) {
  return {.from = moment(from),
          .until = until ? std::optional<Instant>(moment(*until)) : std::nullopt,
          .usual = usual,
          .peak = peak,
          .peak_at = moment(from)};
}

TEST(Hypothesis, AnOutageThatIsOverCountsForMoreThanALaterSmallShift) {
  const auto onset = [](Episode one, std::vector<ChangePoint> changes, Direction direction) {
    Receipt receipt = metric("error_rate", std::move(changes));
    std::get<MetricsResult>(receipt.result).episodes = {one};
    return find_onset({receipt}, kAll, direction);
  };
  const Episode outage = episode("2026-11-17T12:00:00Z", "2026-11-17T12:45:00Z", 0.002, 0.35);
  const ChangePoint shift = change_at("2026-11-17T16:20:00Z", 0.0014, 0.002);
  for (const auto& changes : {std::vector<ChangePoint>{shift}, std::vector<ChangePoint>{}}) {
    const auto found = onset(outage, changes, Direction::kUp);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->change);
    EXPECT_EQ(found->at(), moment("2026-11-17T12:00:00Z"));
  }
  EXPECT_FALSE(onset(outage, {}, Direction::kDown));
  // What lasts is told by the change of level that began it.
  const Episode lasting = episode("2026-11-17T13:00:00Z", std::nullopt, 0.2, 3);
  const auto rose = onset(lasting, {change_at("2026-11-17T12:30:00Z", 0.2, 2.6)}, Direction::kUp);
  ASSERT_TRUE(rose);
  EXPECT_FALSE(rose->episode);
  EXPECT_EQ(rose->at(), moment("2026-11-17T12:30:00Z"));
}

TEST(Hypothesis, TheIncidentOfThatTimeIsFound) {
  Receipt receipt = metric("error_rate", {});
  std::get<MetricsResult>(receipt.result).episodes = {
      episode("2026-11-17T12:00:00Z", "2026-11-17T12:45:00Z", 0.002, 0.35)};
  const auto recorded = [&](std::string_view opened, std::string_view resolved,
                            const std::set<std::string>& words) {
    Incident incident;
    incident.incident_id = "INC-1";
    incident.title = "Booking fails";
    incident.impacted_application = "booking-api";
    incident.opened_at = moment(opened);
    incident.resolved_at = moment(resolved);
    Receipt found;
    found.result = IncidentsResult{.incidents = {{.incident = incident}}, .total = 1};
    const std::vector<Receipt> receipts = {receipt, found};
    return find_recorded(receipts, *find_onset(receipts, kAll, Direction::kUp), words,
                         moment("2026-11-17T20:00:00Z"))
        .has_value();
  };
  EXPECT_TRUE(recorded("2026-11-17T12:06:00Z", "2026-11-17T12:52:00Z", {}));
  EXPECT_TRUE(recorded("2026-11-17T12:06:00Z", "2026-11-17T12:52:00Z", {"booking"}));
  EXPECT_FALSE(recorded("2026-11-17T12:06:00Z", "2026-11-17T12:52:00Z", {"ledger"}));
  EXPECT_FALSE(recorded("2026-11-17T15:06:00Z", "2026-11-17T15:52:00Z", {}));
  EXPECT_FALSE(recorded("2026-11-17T11:30:00Z", "2026-11-17T11:52:00Z", {}));
  EXPECT_FALSE(recorded("2026-11-17T00:00:00Z", "2026-11-17T12:52:00Z", {}));
}

TEST(Hypothesis, TheIncidentThatIsAskedAboutIsNotItsOwnCauseNorIsOneOfTheFuture) {
  const std::vector<Receipt> risen = {metric("errors", {change_at("2026-11-17T15:45:00Z", 1, 9)})};
  const auto recorded = [&](std::string_view opened, std::string status, std::string_view now) {
    Incident incident;
    incident.incident_id = "INC-1";
    incident.opened_at = moment(opened);
    incident.status = std::move(status);
    std::vector<Receipt> receipts = risen;
    receipts.emplace_back().result =
        IncidentsResult{.incidents = {{.incident = incident}}, .total = 1};
    return find_recorded(receipts, *find_onset(receipts, kAll, Direction::kUp), {}, moment(now))
        .has_value();
  };
  EXPECT_TRUE(recorded("2026-11-17T16:00:00Z", "Resolved", "2026-11-17T20:00:00Z"));
  EXPECT_TRUE(recorded("2026-11-17T15:30:00Z", "Investigating", "2026-11-17T20:00:00Z"));
  EXPECT_FALSE(recorded("2026-11-17T16:00:00Z", "Investigating", "2026-11-17T20:00:00Z"));
  EXPECT_FALSE(recorded("2026-11-17T16:00:00Z", "Resolved", "2026-11-17T15:50:00Z"));
}

TEST(Hypothesis, WhatGotWorstLeadsWhereTheQuestionDoesNotSayWhich) {
  const std::vector<Receipt> receipts = {
      metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 0.3, 0.2)}),
      metric("throughput", {change_at("2026-11-17T15:45:00Z", 10, 90)}),
      metric("saturation", {change_at("2026-11-17T15:45:00Z", 1, 2)}),
      metric("error_rate", {change_at("2026-11-17T15:45:00Z", 0.001, 0.18)})};
  const auto leads = [&](Direction direction) {
    return find_onset(receipts, kAll, direction)->metric->metric;
  };
  EXPECT_EQ(leads(Direction::kAny), "error_rate");
  EXPECT_EQ(leads(Direction::kDown), "p95_latency");
  // What fell is told where nothing got worse.
  EXPECT_EQ(find_onset({receipts[0]}, kAll, Direction::kAny)->metric->metric, "p95_latency");
}

TEST(Hypothesis, TheDeployOfAVersionThatIsSeenLaterIsSuspected) {
  Change deploy = change_of_kind(ChangeKind::kDeploy, "log:6", "shop", "2026-11-17T15:40:00Z");
  Change seen = change_of_kind(ChangeKind::kVersionSeen, "shop@2", "shop", "2026-11-17T15:41:00Z");
  deploy.version = seen.version = "2";
  const Receipt risen = metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)});
  EXPECT_EQ(suspect_id({risen, changes({deploy, seen})}, "shop"), "log:6");
  EXPECT_EQ(suspect_id({risen, changes({seen})}, "shop"), "shop@2");
  deploy.version = "1";
  EXPECT_EQ(suspect_id({risen, changes({deploy, seen})}, "shop"), "shop@2");
}

TEST(Hypothesis, TheHoursBeforeAreAnotherTimeOfTheDay) {
  Receipt night = metric("saturation", {}, 0.4);
  auto& result = std::get<MetricsResult>(night.result);
  result.comparisons.front().from = result.from - std::chrono::hours(10);
  result.comparisons.push_back({.what = "a day earlier", .mean = 1, .ratio = 1.0});
  EXPECT_THAT(find_moved({night}, nullptr), IsEmpty());
  result.comparisons.back().ratio = 0.3;
  EXPECT_THAT(find_moved({night}, nullptr), testing::SizeIs(1));
}

TEST(Hypothesis, AChangeBetweenTheFirstSpikeAndTheRiseIsNotSuspected) {
  Receipt spiky = metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)});
  std::get<MetricsResult>(spiky.result).first_unusual =
      Excursion{moment("2026-11-17T12:10:00Z"), 9, 2};
  const Receipt record =
      changes({change_of_kind(ChangeKind::kDeploy, "first", "shop", "2026-11-17T12:00:00Z"),
               change_of_kind(ChangeKind::kDeploy, "second", "shop", "2026-11-17T14:00:00Z")});
  EXPECT_EQ(suspect_id({spiky, record}), "first");
}

TEST(Hypothesis, TheOnsetIsOfWhatIsAskedAbout) {
  const std::vector<Receipt> receipts = {
      metric("other", {change_at("2026-11-17T12:00:00Z", 1, 50)}),
      metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)})};
  const auto onset = find_onset(
      receipts, [](const MetricsResult& m, const Receipt&) { return m.metric == "p95_latency"; },
      Direction::kAny);
  ASSERT_TRUE(onset);
  EXPECT_EQ(onset->metric->metric, "p95_latency");
}

TEST(Hypothesis, AFallIsAChangeAndSoIsAValueFromNothing) {
  EXPECT_TRUE(find_onset({metric("hits", {change_at("2026-11-17T12:00:00Z", 0.9, 0.3)})}, kAll,
                         Direction::kAny));
  EXPECT_TRUE(find_onset({metric("errors", {change_at("2026-11-17T12:00:00Z", 0, 0.1)})}, kAll,
                         Direction::kAny));
  EXPECT_FALSE(find_onset({metric("zero", {change_at("2026-11-17T12:00:00Z", 0, 0)})}, kAll,
                          Direction::kAny));
  EXPECT_FALSE(find_onset({}, kAll, Direction::kAny));
}

TEST(Hypothesis, WhatMovedWithItComesByItsFactor) {
  const std::vector<Receipt> receipts = {
      metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)}),
      metric("as_ever", {}, 1.1),
      metric("twice", {}, 2.0),
      metric("a_fifth", {}, 0.2),
      metric("in_the_window", {change_at("2026-11-17T15:45:00Z", 1, 2)}, 1.0),
      metric("appeared", {}, std::nullopt)};
  const auto onset = find_onset(receipts, kAll, Direction::kAny);
  std::vector<std::string> names;
  for (const Moved& m : find_moved(receipts, &*onset))
    names.push_back(m.metric->metric + (m.appeared ? " new" : ""));
  EXPECT_THAT(names, ElementsAre("a_fifth", "twice", "in_the_window", "appeared new"));
}

TEST(Hypothesis, ASuspectActsOnProductionAndComesBeforeTheOnset) {
  const Receipt latency = metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)});
  const Receipt list = changes({
      deploy("search-service", "2.30.0", "2026-11-16T09:00:00Z"),
      deploy("search-service", "2.31.0", "2026-11-17T15:40:00Z"),
      change_of_kind(ChangeKind::kCommit, "c1", "search-service", "2026-11-17T15:43:00Z"),
      change_of_kind(ChangeKind::kTag, "t1", "search-service", "2026-11-17T15:44:00Z"),
      change_of_kind(ChangeKind::kRollback, "late", "search-service", "2026-11-17T17:00:00Z"),
  });
  EXPECT_EQ(suspect_id({latency, list}), "search-service@2.31.0");
  // Without an onset the latest of the service is the likeliest, and nothing of another one.
  EXPECT_EQ(suspect_id({list}, "search-service"), "late");
  EXPECT_EQ(suspect_id({list}, "checkout-api"), "");
  EXPECT_EQ(suspect_id({list}), "");
  EXPECT_EQ(suspect_id({latency, changes({change_of_kind(ChangeKind::kDeploy, "late", "a",
                                                         "2026-11-17T17:00:00Z")})}),
            "");
}

TEST(Hypothesis, ADeployAtTheVeryTimeOfTheStepIsSuspected) {
  // A noisy level of a day, and 17 samples of the step that the deploy made.
  std::vector<Sample> samples;
  const Instant start = moment("2026-11-16T16:00:00Z"), end = start + std::chrono::hours(24);
  const Instant deployed = end - std::chrono::minutes(80);
  uint32_t random = 7;
  for (Instant at = start - std::chrono::hours(24); at <= end; at += std::chrono::minutes(5)) {
    random = random * 1664525u + 1013904223u;
    const double noise = 1 + 0.1 * static_cast<double>(random >> 8) / (1 << 24);
    samples.push_back({at, at < deployed ? 0.001 * noise : 0.125 * noise});
  }
  MetricsResult result{.metric = "error_rate", .from = start, .to = end};
  ASSERT_TRUE(tell_course({start, end, std::chrono::minutes(5), samples}, result));
  Receipt receipt;
  receipt.tool = "metrics_query";
  receipt.result = result;
  const auto onset = find_onset({receipt}, kAll, Direction::kUp);
  ASSERT_TRUE(onset);
  EXPECT_EQ(onset->at(), deployed) << format_time(onset->at());
  EXPECT_EQ(suspect_id({receipt, changes({change_of_kind(ChangeKind::kDeploy, "guilty", "shop",
                                                         format_time(deployed))})},
                       "shop"),
            "guilty");
}

TEST(Hypothesis, ADeployElsewhereIsSuspectedOnlyRightBeforeAndWhereNothingElseWas) {
  const std::vector<Receipt> measured = {
      metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)})};
  const auto onset = find_onset(measured, kAll, Direction::kAny);
  ASSERT_TRUE(onset);
  const std::vector<Receipt> both = {
      changes({change_of_kind(ChangeKind::kDeploy, "theirs", "cart", "2026-11-17T15:40:00Z"),
               change_of_kind(ChangeKind::kFlag, "flag", "cart", "2026-11-17T15:42:00Z"),
               change_of_kind(ChangeKind::kDeploy, "own", "shop", "2026-11-17T12:00:00Z")})};
  const auto own = find_suspect(both, &*onset, "shop", {});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->change->id, "own");
  EXPECT_FALSE(own->elsewhere);
  const auto theirs = find_suspect(both, &*onset, "pay", {});
  ASSERT_TRUE(theirs);
  EXPECT_EQ(theirs->change->id, "theirs");
  EXPECT_TRUE(theirs->elsewhere);
}

TEST(Hypothesis, WhatWasChangedLongBeforeOrElsewhereIsNotSuspected) {
  const Receipt latency = metric("p95_latency", {change_at("2026-11-17T15:45:00Z", 2, 9)});
  const auto of = [&](std::string service, std::string_view at, const std::string& asked) {
    return suspect_id(
        {latency, changes({change_of_kind(ChangeKind::kDeploy, "d", std::move(service), at)})},
        asked);
  };
  EXPECT_EQ(of("shop", "2026-11-17T10:00:00Z", "shop"), "d");
  EXPECT_EQ(of("shop", "2026-11-17T09:30:00Z", "shop"), "");
  EXPECT_EQ(of("cart", "2026-11-17T14:40:00Z", "shop"), "");
  EXPECT_EQ(of("cart", "2026-11-17T15:40:00Z", ""), "d");
}

TEST(Hypothesis, TheOnsetGoesTheWayThatIsAskedAbout) {
  const std::vector<Receipt> fell = {
      metric("saturation", {change_at("2026-11-17T12:00:00Z", 0.9, 0.2)})};
  const std::vector<Receipt> both = {metric(
      "saturation",
      {change_at("2026-11-17T12:00:00Z", 0.9, 0.1), change_at("2026-11-17T14:00:00Z", 0.2, 0.5)})};
  EXPECT_FALSE(find_onset(fell, kAll, Direction::kUp));
  EXPECT_TRUE(find_onset(fell, kAll, Direction::kDown));
  EXPECT_EQ(find_onset(both, kAll, Direction::kUp)->change->after, 0.5);
  // A hit ratio that falls is what makes a system slow.
  EXPECT_TRUE(find_onset({metric("cache_hit_ratio", {change_at("2026-11-17T12:00:00Z", 0.9, 0.2)})},
                         kAll, Direction::kUp));
  const auto asked = [](const std::string& question) {
    Intent intent;
    intent.signals = read_signals(question);
    intent.qualifiers = read_qualifiers(question, {}, {});
    return asked_direction(intent);
  };
  EXPECT_EQ(asked("why did the CPU of search-db rise last night?"), Direction::kUp);
  EXPECT_EQ(asked("why did throughput drop?"), Direction::kDown);
  EXPECT_EQ(asked("errors on checkout"), Direction::kUp);
  EXPECT_EQ(asked("what is the throughput of checkout"), Direction::kAny);
  EXPECT_EQ(asked("why is checkout down?"), Direction::kAny);
}

TEST(Hypothesis, AMetricMovedAlsoAgainstAnotherDay) {
  Receipt steady = metric("cpu", {}, 1.05);
  auto& result = std::get<MetricsResult>(steady.result);
  result.comparisons.push_back({.what = "a day earlier", .mean = 1, .ratio = 1.6});
  EXPECT_THAT(find_moved({steady}, nullptr), IsEmpty());
  result.comparisons.push_back({.what = "a week earlier", .mean = 1, .ratio = 4.0});
  const auto moved = find_moved({steady}, nullptr);
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].factor, 4.0);
  EXPECT_EQ(moved[0].against, "a week earlier");
}

TEST(Hypothesis, ADeployBroughtTheCommitsSinceTheOneBefore) {
  const auto suspect_of = [](std::vector<Change> list) {
    static std::vector<Receipt> receipts;
    receipts = {changes(std::move(list))};
    return find_suspect(receipts, nullptr, "search", {}).value();
  };
  const auto commit = [](std::string id, std::string service, std::string_view at) {
    return change_of_kind(ChangeKind::kCommit, std::move(id), std::move(service), at);
  };
  std::vector<Change> list = {commit("old", "search", "2026-11-16T08:00:00Z"),
                              deploy("search", "1", "2026-11-16T09:00:00Z"),
                              commit("a", "search", "2026-11-16T10:00:00Z"),
                              commit("other", "cart", "2026-11-16T11:00:00Z"),
                              deploy("cart", "7", "2026-11-16T12:00:00Z"),
                              commit("b", "search", "2026-11-17T10:00:00Z"),
                              deploy("search", "2", "2026-11-17T15:00:00Z")};
  EXPECT_THAT(commit_ids(suspect_of(list)), ElementsAre("b", "a"));
  // A running service reports the same release a minute later.
  Change seen = change_of_kind(ChangeKind::kVersionSeen, "seen", "search", "2026-11-17T15:01:00Z");
  seen.version = "2";
  list.push_back(seen);
  const Suspect reported = suspect_of(list);
  EXPECT_EQ(reported.change->id, "search@2");
  EXPECT_THAT(commit_ids(reported), ElementsAre("b", "a"));
  // A rollback ends what was deployed before; it and a flag bring no commits.
  list.push_back(change_of_kind(ChangeKind::kRollback, "back", "search", "2026-11-17T16:00:00Z"));
  EXPECT_THAT(commit_ids(suspect_of(list)), IsEmpty());
  list.push_back(change_of_kind(ChangeKind::kFlag, "flag", "search", "2026-11-17T17:00:00Z"));
  EXPECT_THAT(commit_ids(suspect_of(list)), IsEmpty());
}

TEST(Hypothesis, DocumentsTellOfCausesInTheWordsOfTheChange) {
  const std::vector<Receipt> receipts = {
      changes({change_of_kind(ChangeKind::kDeploy, "d", "search-service", "2026-11-17T15:00:00Z",
                              "Deploy of search-service with smaller cache")})};
  const auto piece = [](std::string quote, std::string label) {
    Evidence evidence;
    evidence.quote = std::move(quote);
    evidence.label = std::move(label);
    return evidence;
  };
  const std::vector<Evidence> evidence = {
      piece("A cold cache made reads slow.", "Root cause"), piece("Clear the cache.", "Steps"),
      piece("search-service lacked memory.", "Root cause"),
      piece("It was slow because of the cache.", ""), piece("The cause was a cache again.", "")};
  const auto suspect = find_suspect(receipts, nullptr, "search-service", evidence);
  ASSERT_TRUE(suspect);
  EXPECT_THAT(suspect->told, ElementsAre(&evidence[0], &evidence[3]));
}

}  // namespace
}  // namespace precedent
