// Counters as rates: resets, means, chance; and whole investigations over them.
#include "investigate/metrics/counters.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "files/temporary_folder.h"
#include "investigate/case_graph.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using testing::Each;
using testing::Field;
using testing::IsEmpty;

const Instant kBegin{std::chrono::seconds(1'790'000'040)};

// One sample a minute of what `more` adds up to.
std::vector<Sample> adding(size_t count, const std::function<double(size_t)>& more) {
  std::vector<Sample> out;
  double value = 0;
  for (size_t i = 0; i < count; ++i) out.push_back({kBegin + minutes(i), value += more(i)});
  return out;
}
// Comes every five minutes, now a little sooner and now a little later.
double now_and_then(size_t i) { return i % 5 == (i / 5) % 3 ? 1 : 0; }

TEST(Counters, AResetIsNoFall) {
  std::vector<Sample> samples = adding(30, [](size_t) { return 60; });
  for (size_t i = 15; i < 30; ++i) samples[i].value -= 15 * 60;
  EXPECT_THAT(rates_of(samples), Each(Field(&Sample::value, testing::DoubleNear(1, 1e-9))));
  EXPECT_TRUE(is_counter({"cpu_seconds_total", MetricType::kCounter}, samples));
}

TEST(Counters, AskedForMoreOftenThanItIsScrapedItStillCountsEvenly) {
  const auto scraped_every = [](std::chrono::seconds between, size_t count) {
    std::vector<Sample> out;
    for (size_t i = 0; i < count; ++i) {
      const auto after = std::chrono::seconds(60 * i);
      out.push_back({kBegin + after, 100.0 * static_cast<double>(after / between)});
    }
    return out;
  };
  for (const int between : {100, 150, 170}) {
    const auto rates = rates_of(scraped_every(std::chrono::seconds(between), 120));
    EXPECT_THAT(std::vector(rates.begin() + 10, rates.end()),
                Each(Field(&Sample::value, testing::DoubleNear(100.0 / between, 20.0 / between))))
        << between;
  }
}

TEST(Counters, WhatStandsStillForARangeHasStopped) {
  const auto rates = rates_of(adding(60, [](size_t i) { return i < 30 ? 60 : 0; }));
  EXPECT_NEAR(rates[28].value, 1, 1e-9);
  EXPECT_EQ(rates.back().value, 0);
}

TEST(Counters, WhatFallsByALittleIsNone) {
  std::vector<Sample> samples = adding(30, [](size_t i) { return i % 3 == 0 ? -1 : 2; });
  EXPECT_FALSE(is_counter({"jobs_total", MetricType::kCounter}, samples));
  EXPECT_FALSE(
      is_counter({"queue_depth", MetricType::kGauge}, adding(30, [](size_t) { return 1; })));
  EXPECT_TRUE(is_counter({"request_seconds_sum", MetricType::kGauge},
                         adding(30, [](size_t) { return 1; })));
}

TEST(Counters, SteadyCountingIsNoDeparture) {
  EXPECT_FALSE(find_counter_departure(adding(360, [](size_t i) { return 30.5 + 0.1 * (i % 7); })));
  EXPECT_FALSE(find_counter_departure(adding(360, now_and_then)));
  EXPECT_FALSE(find_counter_departure(adding(360, [](size_t i) { return i == 200 ? 50 : 0; })));
}

TEST(Counters, AFewEventsThatComeOftenAreOne) {
  const auto found =
      find_counter_departure(adding(360, [](size_t i) { return i < 300 ? now_and_then(i) : 2; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->onset, kBegin + minutes(300));
  EXPECT_NEAR(found->usual, 0.2 / 60, 0.05 / 60);
  EXPECT_NEAR(found->peak, 2.0 / 60, 0.1 / 60);
}

TEST(Counters, ManyEventsThatDoubleAreOne) {
  const auto found =
      find_counter_departure(adding(360, [](size_t i) { return i < 300 ? 600 : 1200; }));
  ASSERT_TRUE(found);
  EXPECT_LE(found->onset - (kBegin + minutes(300)), minutes(2));
  EXPECT_NEAR(found->usual, 10, 0.1);
}

TEST(Counters, SumAndCountAreAMean) {
  const auto count = adding(60, [](size_t i) { return i < 30 ? 100 : 900; });
  const auto sum = adding(60, [](size_t i) { return (i < 30 ? 100 : 900) * 0.2; });
  EXPECT_THAT(means_of(sum, count), Each(Field(&Sample::value, testing::DoubleNear(0.2, 1e-9))));
}

// label has counters of every kind; a deploy that takes a check out goes live at minute 300 of 360.
class Counted {
 public:
  Counted() {
    std::filesystem::create_directories(folder_.path() / "context");
    write("alert.json", fmt::format(R"({{"service":"label","monitor":"label","fired_at":"{}"}})",
                                    format_time(kBegin + minutes(320))));
    write("context/commits.json",
          fmt::format(R"([{{"sha":"aaaa000000000000000000000000000000000000","timestamp":"{}",
      "message":"simplify zone","files_changed":["services/label/zone.go"],
      "diff":"@@ func zone(a *Address) string {{\n-\tif a.Region == nil {{\n-\t\treturn home\n-\t}}\n \treturn a.Region.Zone\n"}}])",
                      format_time(kBegin + minutes(296))));
    write("context/deploys.json", fmt::format(R"([{{"timestamp":"{}","service":"label",
      "commit_sha":"aaaa000000000000000000000000000000000000","version":"v2"}}])",
                                              format_time(kBegin + minutes(298))));
    count("process_cpu_seconds_total", "counter", [](size_t) { return 21.5; });
    count("http_request_duration_seconds_count", "counter", [](size_t) { return 600; });
    count("http_request_duration_seconds_sum", "counter", [](size_t) { return 66.5; });
    count("http_requests_total", "counter", [](size_t) { return 600; });
  }
  void count(const std::string& name, std::string_view type,
             const std::function<double(size_t)>& more, size_t since = 0) {
    text_ += fmt::format("# TYPE {} {}\n", name, type);
    for (const Sample& sample : adding(360, more))
      if (sample.at >= kBegin + minutes(since))
        text_ += fmt::format("{}{{service=\"label\"}} {} {}\n", name, sample.value,
                             sample.at.time_since_epoch().count());
  }
  // `waits` seconds a minute, in so many observations.
  void histogram(const std::string& name, double observations,
                 const std::function<double(size_t)>& waits) {
    text_ += fmt::format("# TYPE {} histogram\n", name);
    const auto series = [&](std::string_view ending, const std::vector<Sample>& samples) {
      for (const Sample& sample : samples)
        text_ += fmt::format("{}{} {} {}\n", name, ending, sample.value,
                             sample.at.time_since_epoch().count());
    };
    const auto all = adding(360, [&](size_t) { return observations; });
    series("_bucket{service=\"label\",le=\"+Inf\"}", all);
    series("_sum{service=\"label\"}", adding(360, waits));
    series("_count{service=\"label\"}", all);
  }
  Investigation run() {
    write("metrics.prom", text_);
    const CancelToken cancel;
    IncidentBrief brief;
    brief.service = "label";
    brief.fired_at = kBegin + minutes(320);
    auto out = investigate(brief, folder_.path(), {}, SourceContext{cancel});
    EXPECT_TRUE(out);
    return std::move(*out);
  }

 private:
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  TemporaryFolder folder_;
  std::string text_;
};

TEST(Counters, ACalmDayConvictsNoChange) {
  Counted calm;
  calm.count("http_errors_total", "counter", now_and_then);
  const Investigation found = calm.run();
  EXPECT_THAT(found.evidence.signs, IsEmpty());
  EXPECT_EQ(found.verdict.outcome, VerdictKind::kInconclusive);
  EXPECT_EQ(found.verdict.root_cause_commit, "none");
}

TEST(Counters, ErrorsThatBeginWithTheFailureAreCountedFromZero) {
  Counted failing;
  failing.count("http_errors_total", "counter", [](size_t i) { return i < 302 ? 0 : 90; }, 302);
  const Investigation found = failing.run();
  EXPECT_EQ(found.verdict.first_failing_service, "label");
  EXPECT_EQ(found.evidence.onset, kBegin + minutes(302));
}

TEST(Counters, WhatANewReleaseBeginsToCountIsNoTraffic) {
  Counted failing;
  failing.count("http_errors_total", "counter", [](size_t i) { return i < 302 ? 0 : 90; }, 302);
  failing.count("cache_requests_total", "counter", [](size_t) { return 600; }, 298);
  const Investigation found = failing.run();
  for (const Hypothesis& hypothesis : found.hypotheses)
    EXPECT_NE(hypothesis.category, Category::kTraffic) << hypothesis.statement;
}

// What it measured is not counted: a failure is as long as its requests take, however many they
// are.
TEST(Counters, AHistogramIsReadByItsMean) {
  constexpr size_t kFails = 302;
  const auto slow = [](size_t i) { return i < kFails ? 60.0 : 900.0; };
  Counted failing;
  failing.histogram("order_wait_seconds", 300, slow);
  const Investigation found = failing.run();
  ASSERT_FALSE(found.evidence.signs.empty());
  EXPECT_EQ(found.evidence.signs.front().symptom, Symptom::kLatency);
  ASSERT_TRUE(found.evidence.onset);
  EXPECT_LE(abs(*found.evidence.onset - (kBegin + minutes(kFails))), minutes(3));
  Counted busy;
  busy.histogram("order_wait_seconds", 300, [](size_t) { return 60.0; });
  EXPECT_THAT(busy.run().evidence.signs, IsEmpty());
}

}  // namespace
}  // namespace precedent
