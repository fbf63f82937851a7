// Questions that are read with the names that only their sources know.
#include "agent/understand/understanding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"
#include "search/search_lab.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"
#include "tools/all_tools.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const TimePoint kNow = *parse_time("2026-11-19T14:00:00Z");

Change flag(std::string name, std::string_view at) {
  Change change;
  change.id = name;
  change.at = moment(at);
  change.kind = ChangeKind::kFlag;
  change.title = "Flag " + name;
  change.subject = std::move(name);
  change.services = {"search-api"};
  change.author = "Clara Voss";
  return change;
}

class UnderstandingTest : public ::testing::Test {
 protected:
  UnderstandingTest() {
    config_.names.push_back({.name = "hit_ratio", .metrics = {"cache_hit_ratio"}});
    live_ = {.metrics = &metrics_, .metrics_config = &config_, .changes = &changes_};
  }

  OpenIntent read(std::string question) {
    const Sources sources{.search = lab_.search(), .store = store_, .tools = tools_, .live = live_};
    IntentContext context{
        {sources.search.catalogue(), kNow, [](std::string_view) { return false; }},
        nullptr,
        live_.metrics != nullptr};
    return understand({{}, std::move(question), ""}, context, sources);
  }
  static std::vector<std::string> subjects(const Intent& intent, SubjectKind kind) {
    std::vector<std::string> texts;
    for (const Subject& subject : intent.subjects)
      if (subject.kind == kind) texts.push_back(subject.text);
    return texts;
  }

  SearchLab lab_{false};
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  const Toolset tools_ = all_tools();
  FakeMetricsSource metrics_{lab_data()};
  FixedChanges changes_{"log",
                        {deploy("search-api", "2.31.0", "2026-11-19T13:00:00Z"),
                         deploy("cart-api", "1.4.0", "2026-11-19T11:00:00Z"),
                         flag("waiting_room", "2026-11-18T09:00:00Z")}};
  MetricsConfig config_;
  LiveSources live_;
};

TEST_F(UnderstandingTest, AMetricIsCalledByItsWords) {
  const Intent intent = read("is the cache hit ratio ok?");
  EXPECT_EQ(intent.type, QuestionType::kDebugIncident);
  EXPECT_THAT(subjects(intent, SubjectKind::kMetric), Contains("hit_ratio"));
  // What it should be is written down.
  EXPECT_NE(read("what should the cache hit ratio be?").type, QuestionType::kDebugIncident);
}

TEST_F(UnderstandingTest, WithoutMetricsNothingIsNamedByThem) {
  live_.metrics = nullptr;
  EXPECT_THAT(subjects(read("is the cache hit ratio ok?"), SubjectKind::kMetric),
              Not(Contains("hit_ratio")));
}

TEST_F(UnderstandingTest, AFlagIsKnownByItsRecord) {
  const Intent intent = read("is the waiting room flag on?");
  EXPECT_TRUE(intent.signals.changes);
  EXPECT_THAT(subjects(intent, SubjectKind::kFlag), Contains("waiting_room"));
  EXPECT_THAT(subjects(read("is the fast lane flag on?"), SubjectKind::kFlag), IsEmpty());
}

TEST_F(UnderstandingTest, AnAuthorIsKnownByTheRecordOfChanges) {
  const Intent intent = read("what did Clara change this week?");
  EXPECT_TRUE(intent.signals.changes);
  EXPECT_THAT(subjects(intent, SubjectKind::kPerson), Contains(HasSubstr("Clara")));
}

TEST_F(UnderstandingTest, WhoIsBlamedIsNotWhoIsLookedAt) {
  const OpenIntent intent = read("did cart-api cause the latency of search-api?");
  EXPECT_EQ(intent.type, QuestionType::kDebugIncident);
  EXPECT_EQ(intent.blamed, "cart-api");
  EXPECT_THAT(intent.question, HasSubstr("search-api"));
  // Only of systems that are known.
  EXPECT_THAT(read("did the moon cause the latency of search-api?").blamed, IsEmpty());
}

TEST_F(UnderstandingTest, ABlamedDeployMakesItsSystemTheSubject) {
  const Intent intent = read("is it the 13:00 deploy?");
  EXPECT_EQ(intent.type, QuestionType::kDebugIncident);
  ASSERT_TRUE(intent.deploy);
  EXPECT_EQ(intent.deploy->day.from, moment("2026-11-19T13:00:00Z"));
  EXPECT_THAT(intent.taken_for, HasSubstr("Deploy of search-api 2.31.0"));
}

TEST_F(UnderstandingTest, AMomentIsTheHourBeforeIt) {
  const Intent intent = read("what is going on with search-api at 13:05?");
  ASSERT_EQ(intent.times.size(), 1U);
  EXPECT_EQ(intent.times[0].range.from, moment("2026-11-19T12:05:00Z"));
  EXPECT_EQ(intent.times[0].range.to, moment("2026-11-19T13:05:00Z"));
}

}  // namespace
}  // namespace precedent
