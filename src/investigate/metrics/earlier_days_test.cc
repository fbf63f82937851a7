// What every morning does is no departure, and what goes beyond it is one.
#include "investigate/metrics/earlier_days.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "investigate/metrics/metric_findings.h"
#include "telemetry/snapshot/embedded_metrics.h"

namespace precedent {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const Instant kMidnight = parse_time("2026-11-19T00:00Z").value();

// Every minute of the hours from 5 to 11, today and on `days` days before; `value` gets the day (0
// is today) and the hour.
MetricEvidence evidence_of(const std::string& metric, int days,
                           const std::function<double(int, double)>& value) {
  MetricData data;
  Series series{{{"service", "label"}}, {}};
  for (int day = days; day >= 0; --day)
    for (int minute = 5 * 60; minute <= 11 * 60; ++minute)
      series.samples.push_back({kMidnight - hours(24 * day) + minutes(minute),
                                value(day, minute / 60.0) * (1 + 0.01 * (minute * 7 % 5))});
  data.series[metric].push_back(series);
  const EmbeddedMetrics source("days", std::move(data));
  const CancelToken cancel;
  return find_departures(source, {kMidnight + hours(5), kMidnight + hours(11), minutes(1)},
                         {cancel})
      .value();
}
double morning(int /*day*/, double hour) { return hour < 8 ? 0.1 : 0.5; }

TEST(EarlierDays, WhatEveryMorningDoesIsNoDeparture) {
  const MetricEvidence found = evidence_of("latency_seconds", 2, morning);
  EXPECT_THAT(found.findings, IsEmpty());
  EXPECT_THAT(found.missing, Contains(HasSubstr("went as far at this hour on earlier days")));
}

TEST(EarlierDays, WithoutOneItIsSaid) {
  const MetricEvidence found = evidence_of("latency_seconds", 0, morning);
  EXPECT_THAT(found.findings, SizeIs(1));
  EXPECT_THAT(found.missing, Contains(HasSubstr("no earlier day is recorded")));
}

TEST(EarlierDays, WhatOnlyTodayDoesIsOne) {
  const MetricEvidence found = evidence_of(
      "latency_seconds", 2, [](int day, double hour) { return day > 0 ? 0.1 : morning(0, hour); });
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_EQ(found.findings[0].course.onset, kMidnight + hours(8));
  EXPECT_THAT(found.missing, Not(Contains(HasSubstr("no earlier day"))));
}

TEST(EarlierDays, WhatComesAndGoesWithTheLoadBeganWithTheFirstTime) {
  const MetricEvidence found = evidence_of("latency_seconds", 2, [](int day, double hour) {
    const bool first = hour >= 6.5 && hour < 7.25, second = hour >= 9;
    return day == 0 && (first || second) ? (second ? 1.6 : 0.9) : morning(0, hour);
  });
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_EQ(found.findings[0].course.onset, kMidnight + minutes(6 * 60 + 30));
}

TEST(EarlierDays, OneBadDayDoesNotMakeItUsual) {
  EXPECT_THAT(evidence_of("latency_seconds", 3,
                          [](int day, double hour) { return day > 1 ? 0.1 : morning(0, hour); })
                  .findings,
              SizeIs(1));
}

TEST(EarlierDays, WhatGoesBeyondTheMorningBeginsThere) {
  const MetricEvidence found = evidence_of("latency_seconds", 2, [](int day, double hour) {
    return day == 0 && hour >= 10 ? 4.0 : morning(day, hour);
  });
  ASSERT_THAT(found.findings, SizeIs(1));
  EXPECT_EQ(found.findings[0].course.onset, kMidnight + hours(10));
}

}  // namespace
}  // namespace precedent
