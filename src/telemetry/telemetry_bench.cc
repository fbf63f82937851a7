// What is measured: 100,000 samples → the numbers of metrics_query.
//   Summarize    one series of 100,000 samples: summary, change points, sparkline
//   ReadAnswer   the JSON of Prometheus with as many, into series
//   Evaluate     a rate over 100,000 samples of 100 series, at 720 points
// Corpus: noise with a step, made here from a fixed seed. Notes: one thread; each checks its answer
// before it is timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "telemetry/metrics/evaluate.h"
#include "telemetry/prometheus/prometheus_json.h"
#include "telemetry/statistics/change_point.h"
#include "telemetry/statistics/summary.h"

namespace precedent {
namespace {

constexpr int kSamples = 100'000;
const Instant kStart = parse_time("2026-11-19T00:00Z").value();

std::vector<Sample> noisy_step(int count) {
  std::mt19937 random(7);
  std::vector<Sample> out;
  for (int i = 0; i < count; ++i)
    out.push_back({kStart + std::chrono::seconds(i),
                   (i < count / 2 ? 10.0 : 14.0) + static_cast<double>(random()) / 1e9});
  return out;
}

void Summarize(benchmark::State& state) {
  const auto samples = noisy_step(kSamples);
  const Instant end = samples.back().at;
  const auto found = find_changes(samples);
  if (found.size() != 1 || found[0].at != samples[kSamples / 2].at) std::abort();
  for (auto _ : state) {
    benchmark::DoNotOptimize(summarize(samples, kStart, end));
    benchmark::DoNotOptimize(find_changes(samples));
    benchmark::DoNotOptimize(sparkline(samples, kStart, end));
  }
}
BENCHMARK(Summarize)->Unit(benchmark::kMillisecond);

void ReadAnswer(benchmark::State& state) {
  std::string body =
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[)";
  for (const Sample& sample : noisy_step(kSamples))
    body += fmt::format("[{},\"{}\"],", sample.at.time_since_epoch().count() / 1000, sample.value);
  body.back() = ']';
  body += "}]}}";
  const auto answer = read_prometheus_answer(body);
  if (!answer || answer->set.series.at(0).samples.size() != kSamples) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(read_prometheus_answer(body));
}
BENCHMARK(ReadAnswer)->Unit(benchmark::kMillisecond);

void Evaluate(benchmark::State& state) {
  std::vector<Series> all;
  for (int i = 0; i < 100; ++i) {
    Series series{{{"pod", fmt::format("p{:02}", i)}}, {}};
    for (int k = 0; k < kSamples / 100; ++k)
      series.samples.push_back({kStart + std::chrono::seconds(60 * k), 60.0 * k});
    all.push_back(std::move(series));
  }
  const MetricQuery query{.statistic = Statistic::kRate, .of = {"x"}};
  const Window window{kStart + std::chrono::minutes(10), kStart + std::chrono::minutes(729),
                      std::chrono::minutes(1)};
  const auto series_of = [&](std::string_view) { return std::span<const Series>(all); };
  const auto answer = evaluate(query, window, series_of);
  if (!answer || answer->at(0).samples.size() != 720) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(evaluate(query, window, series_of));
}
BENCHMARK(Evaluate)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
