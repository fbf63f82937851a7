// How often a source that does not answer is asked.
#include "telemetry/prometheus/resting_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

struct RestingSource : testing::Test {
  std::unique_ptr<MetricsSource> resting(std::chrono::milliseconds rest = kSourceRest) {
    auto owned = std::make_unique<FakeMetricsSource>(lab_data());
    fake = owned.get();
    return with_rests(std::unique_ptr<MetricsSource>(std::move(owned)), rest);
  }
  Result<SeriesSet> memory(const MetricsSource& source) {
    return source.range(MetricQuery{.of = {"memory_bytes"}},
                        {lab_begin(), lab_begin() + std::chrono::minutes(5)}, context);
  }
  FakeMetricsSource* fake = nullptr;  // the last resting one's
  CancelToken cancel;
  SourceContext context{cancel};
};

TEST_F(RestingSource, IsAskedOnceWhereItDoesNotAnswer) {
  for (const ErrorCode code : {ErrorCode::kTimeout, ErrorCode::kUnavailable}) {
    const auto source = resting();
    fake->fail_next({code, "it hangs; raise its timeout"});
    for (int i = 0; i < 3; ++i) {
      const auto found = memory(*source);
      ASSERT_FALSE(found);
      EXPECT_EQ(found.error().code, code);
      EXPECT_EQ(found.error().message, "it hangs; raise its timeout");
      EXPECT_FALSE(source->catalogue(context));
      EXPECT_FALSE(source->series({"memory_bytes"}, lab_begin(), lab_end(), context));
      EXPECT_FALSE(source->range(PromQl{"up"}, {lab_begin(), lab_end()}, context));
    }
    EXPECT_EQ(fake->asked().size(), 1u);
  }
}

TEST_F(RestingSource, IsAskedAgainAfterItsRest) {
  const auto source = resting(std::chrono::milliseconds(0));
  fake->fail_next({ErrorCode::kTimeout, "it hangs"});
  EXPECT_FALSE(memory(*source));
  EXPECT_TRUE(memory(*source));
}

TEST_F(RestingSource, AWrongQueryIsOfThatQueryAlone) {
  const auto source = resting();
  fake->fail_next({ErrorCode::kInvalidArgument, "no PromQL"});
  fake->fail_next({ErrorCode::kCancelled, "cancelled"});
  EXPECT_FALSE(memory(*source));
  EXPECT_FALSE(memory(*source));
  EXPECT_TRUE(memory(*source));
}

TEST(RestingAlerts, AreLeftAloneToo) {
  auto owned = std::make_unique<FakeAlertSource>(std::vector<Alert>{});
  FakeAlertSource* fake = owned.get();
  const auto source = with_rests(std::unique_ptr<AlertSource>(std::move(owned)));
  const CancelToken never;
  EXPECT_TRUE(source->active(lab_end(), {never}));
  fake->fail_with({ErrorCode::kTimeout, "it hangs"});
  EXPECT_FALSE(source->active(lab_end(), {never}));
  EXPECT_FALSE(source->past(lab_begin(), lab_end(), {never}));
}

}  // namespace
}  // namespace precedent
