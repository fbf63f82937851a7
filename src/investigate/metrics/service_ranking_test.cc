#include "investigate/metrics/service_ranking.h"

#include <gtest/gtest.h>

#include "telemetry/metrics/series.h"

namespace precedent {
namespace {

Instant minute(int at) { return Instant(std::chrono::minutes(at)); }

Series series(LabelSet labels, const std::vector<double>& values) {
  Series out;
  out.labels = std::move(labels);
  for (size_t i = 0; i < values.size(); ++i)
    out.samples.push_back({minute(static_cast<int>(i)), values[i]});
  return out;
}

struct Measured {
  std::vector<ServiceSeries> all;
  ServiceGraph graph;
  void add(const std::string& metric, LabelSet labels, const std::vector<double>& values) {
    if (auto made = service_series(metric, series(std::move(labels), values)))
      all.push_back(std::move(*made));
  }
  // The failure begins at the sixth sample.
  std::string first() const {
    const auto ranked = rank_services(all, graph, minute(5));
    return ranked.empty() ? "" : ranked.front().service;
  }
};
const std::vector<double> kCalm = {10, 11, 10, 10, 11, 10, 10, 11, 10};
const std::vector<double> kRises = {10, 11, 10, 10, 11, 10, 95, 96, 97};

TEST(RankServices, WhoWaitsIsSlowBecauseOfAnother) {
  Measured measured;
  measured.add("server_latency_ms", {{"service", "shop"}}, kRises);
  measured.add("server_latency_ms", {{"service", "cart"}}, kRises);
  EXPECT_EQ(rank_services(measured.all, measured.graph, minute(5)).size(), 2u);
  measured.graph.add_edge({"shop", "cart", "", "", true});
  EXPECT_EQ(measured.first(), "cart");
}

TEST(RankServices, ACallThatOnlyItsCallerFindsSlowSpeaksAgainstTheCallee) {
  Measured measured;
  measured.add("server_latency_ms", {{"service", "shop"}}, kRises);
  measured.add("server_latency_ms", {{"service", "cart"}}, kCalm);
  measured.add("request_client_seconds", {{"client", "shop"}, {"server", "cart"}}, kRises);
  EXPECT_EQ(measured.first(), "cart");
}

TEST(RankServices, UseOfItsOwnIsNotExplainedByACallee) {
  Measured measured;
  measured.graph.add_edge({"shop", "cart", "", "", true});
  measured.add("cpu_usage", {{"service", "shop"}}, kRises);
  measured.add("server_latency_ms", {{"service", "cart"}}, kCalm);
  EXPECT_EQ(measured.first(), "shop");
}

TEST(RankServices, OneOutlierIsNothing) {
  Measured measured;
  measured.add("cpu_usage", {{"service", "shop"}}, {10, 10, 10, 10, 10, 10, 900, 10, 10});
  EXPECT_EQ(measured.first(), "");
}

TEST(RankServices, WhatTellsOfNoServiceIsLeftOut) {
  EXPECT_FALSE(service_series("node_cpu_usage", series({{"service", "shop"}}, kRises)));
  EXPECT_FALSE(service_series("client_latency_ms", series({{"service", "shop"}}, kRises)));
  EXPECT_FALSE(service_series("cpu_usage", series({{"zone", "a"}}, kRises)));
  Measured measured;
  measured.add("cpu_usage", {{"service", "shop"}}, {10});
  measured.add("cpu_usage", {{"service", "shop"}}, {});
  EXPECT_EQ(measured.first(), "");
}

}  // namespace
}  // namespace precedent
