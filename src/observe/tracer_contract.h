// The contract of `Tracer` as tests: what reaches whoever reads the spans, whichever tracer takes
// them.
//
//   INSTANTIATE_TEST_SUITE_P(Recording, TracerContract, testing::Values(TracerMaker([] {
//   …  })));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "observe/otlp_json.h"
#include "observe/tracer.h"

namespace precedent {

// The spans of a request as OTLP writes them: the form in which tracers are compared.
inline nlohmann::json otlp_spans(const std::string& body) {
  return nlohmann::json::parse(body)["resourceSpans"][0]["scopeSpans"][0]["spans"];
}

// One tracer, and the other end of it, for the length of a test.
class TracerHarness {
 public:
  virtual ~TracerHarness() = default;
  virtual Tracer& tracer() = 0;
  // What has arrived, once everything that was recorded has: a list of spans.
  virtual nlohmann::json arrived() = 0;
};
using TracerMaker = std::function<std::unique_ptr<TracerHarness>()>;

class TracerContract : public testing::TestWithParam<TracerMaker> {
 protected:
  static Span span(uint64_t id, std::string name) {
    Span span;
    span.context = {{7, 9}, id};
    span.parent = id - 1;
    span.name = std::move(name);
    span.start = SpanTime(std::chrono::nanoseconds(1'700'000'000'000'000'000 + id));
    span.end = span.start + std::chrono::microseconds(5);
    return span;
  }
  void expect_arrived(const std::vector<Span>& spans) {
    EXPECT_EQ(harness_->arrived(), otlp_spans(to_otlp_json(spans, {})));
  }

  std::unique_ptr<TracerHarness> harness_ = GetParam()();
  Tracer& tracer_ = harness_->tracer();
};

TEST_P(TracerContract, WhatIsRecordedArrivesOnceUnchangedAndInItsOrder) {
  Span full = span(1, "turn");
  full.kind = SpanKind::kClient;
  full.attributes = {{"text", std::string("é\n\"")},
                     {"count", int64_t{-1}},
                     {"share", 0.5},
                     {"flag", true},
                     {"list", std::vector<std::string>{"a", ""}}};
  full.status = SpanStatus::kError;
  full.status_message = "refused";
  std::vector<Span> spans = {full};
  // More than one request of any exporter.
  for (uint64_t id = 2; id <= 300; ++id) spans.push_back(span(id, "call " + std::to_string(id)));
  for (const Span& each : spans) tracer_.record(each);
  expect_arrived(spans);
}

TEST_P(TracerContract, AnySpanIsTaken) {
  Span large = span(2, std::string(10'000, 'n'));
  large.attributes = {{"text", std::string(1 << 20, 'x')}, {"zero", std::string("a\0b", 3)}};
  const std::vector<Span> spans = {Span(), large};
  for (const Span& each : spans) tracer_.record(each);
  expect_arrived(spans);
}

TEST_P(TracerContract, SeveralThreadsMayRecordAtOnce) {
  constexpr uint64_t kThreads = 4, kEach = 100;
  {
    std::vector<std::jthread> threads;
    for (uint64_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([this, thread] {
        for (uint64_t i = 0; i < kEach; ++i)
          tracer_.record(span(thread * kEach + i + 1, std::to_string(thread)));
      });
    }
  }
  const nlohmann::json arrived = harness_->arrived();
  ASSERT_EQ(arrived.size(), kThreads * kEach);
  // Of each thread all, in its own order.
  std::map<std::string, std::vector<std::string>> starts;
  for (const nlohmann::json& each : arrived)
    starts[each["name"]].push_back(each["startTimeUnixNano"]);
  ASSERT_EQ(starts.size(), kThreads);
  for (const auto& [thread, times] : starts) {
    EXPECT_EQ(times.size(), kEach) << thread;
    EXPECT_TRUE(std::ranges::is_sorted(times)) << thread;
  }
}

TEST_P(TracerContract, TheSpansOfATurnArriveChildrenFirst) {
  {
    const ScopedSpan turn = ScopedSpan::root(&tracer_, "turn");
    const ScopedSpan call(&tracer_, turn.context(), "call");
  }
  const nlohmann::json arrived = harness_->arrived();
  ASSERT_EQ(arrived.size(), 2u);
  EXPECT_EQ(arrived[0]["name"], "call");
  EXPECT_EQ(arrived[0]["parentSpanId"], arrived[1]["spanId"]);
  EXPECT_EQ(arrived[0]["traceId"], arrived[1]["traceId"]);
}

TEST_P(TracerContract, NothingRecordedIsNothingArrived) {
  EXPECT_TRUE(harness_->arrived().empty());
}

}  // namespace precedent
