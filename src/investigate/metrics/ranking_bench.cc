// What is measured: thousands of series → what departs from its calm, and where it began.
//   FindDepartures   each series against its own begin, the strongest first
//   RankServices     services by CPU, memory and latency alone
// Corpus: 5,000 series of 250 services, a sample a minute for six hours, noise from a fixed seed;
// one service in ten departs. Notes: one thread; the series are in memory; each checks its answer
// before it is timed. Target: both together in a second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "investigate/metrics/metric_findings.h"
#include "telemetry/snapshot/embedded_metrics.h"

namespace precedent {
namespace {

constexpr int kServices = 250;
constexpr int kOfEach = 20;
constexpr int kEveryNth = 10;
constexpr int kMinutes = 360;
constexpr int kDeparture = 300;
const Instant kStart = parse_time("2026-11-19T00:00Z").value();

MetricData corpus() {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(1.0, 0.02);
  MetricData out;
  for (int service = 0; service < kServices; ++service) {
    for (int each = 0; each < kOfEach; ++each) {
      // As in operation: what is used, what is allowed, how long it takes, how often it fails.
      constexpr std::string_view kNames[] = {"cpu_usage", "cpu_limit", "latency_seconds",
                                             "error_ratio"};
      const std::string metric = fmt::format("{}_{}", kNames[each % 4], each / 4);
      Series series;
      series.labels = {{"service", fmt::format("service-{}", service)}};
      const bool departs = service % kEveryNth == 0 && each % 4 != 1;
      for (int minute = 0; minute < kMinutes; ++minute)
        series.samples.push_back({kStart + std::chrono::minutes(minute),
                                  (departs && minute >= kDeparture ? 0.8 : 0.2) * noise(random)});
      out.series[metric].push_back(std::move(series));
    }
  }
  return out;
}

MetricEvidence departures(const EmbeddedMetrics& source) {
  const CancelToken cancel;
  const Window window{kStart, kStart + std::chrono::minutes(kMinutes), std::chrono::minutes(1)};
  return find_departures(source, window, {cancel}).value();
}

void FindDepartures(benchmark::State& state) {
  const EmbeddedMetrics source("the corpus", corpus());
  const MetricEvidence found = departures(source);
  if (found.series != kServices * kOfEach || found.findings.size() < 300) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(departures(source));
}
BENCHMARK(FindDepartures)->Unit(benchmark::kMillisecond);

void RankServices(benchmark::State& state) {
  const EmbeddedMetrics source("the corpus", corpus());
  const MetricEvidence found = departures(source);
  const ServiceGraph graph;
  const Instant began = kStart + std::chrono::minutes(kDeparture);
  const auto ranked = rank_services(found.of_services, graph, began);
  for (int i = 0; i < kServices / kEveryNth; ++i)
    if (!ranked[static_cast<size_t>(i)].service.ends_with('0')) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(rank_services(found.of_services, graph, began));
}
BENCHMARK(RankServices)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
