// The contract of `AlertSource` as tests: of the alerts of telemetry_lab.h the two that are active
// late on that day, as every implementation must give them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {

using AlertSourceMaker = std::function<std::unique_ptr<AlertSource>()>;

class AlertSourceContract : public testing::TestWithParam<AlertSourceMaker> {
 protected:
  CancelToken cancel_;
  SourceContext context_{cancel_};
  std::unique_ptr<AlertSource> source_ = GetParam()();
};

TEST_P(AlertSourceContract, ActiveAlertsNewestFirstWithLabelsAndAnnotations) {
  const auto alerts = source_->active(lab_end(), context_);
  ASSERT_TRUE(alerts) << alerts.error().text();
  ASSERT_EQ(alerts->size(), 2u);
  const Alert& latency = (*alerts)[0];
  EXPECT_EQ(latency.name, "SearchLatencyHigh");
  EXPECT_EQ(latency.labels, (LabelSet{{"alertname", "SearchLatencyHigh"},
                                      {"handler", "/api/search"},
                                      {"service", "search"},
                                      {"severity", "critical"}}));
  EXPECT_EQ(latency.annotations, (LabelSet{{"summary", "p95 of /api/search above 400 ms"}}));
  EXPECT_EQ(format_time(latency.starts_at), "2026-11-19T13:05:00Z");
  EXPECT_FALSE(latency.suppressed);
  EXPECT_EQ((*alerts)[1].name, "DiskFilling");
  EXPECT_FALSE(source_->describe().empty());
}

TEST_P(AlertSourceContract, StopsWhenAskedTo) {
  cancel_.cancel();
  const auto stopped = source_->active(lab_end(), context_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled) << stopped.error().text();
}

}  // namespace precedent
