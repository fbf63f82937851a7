// Measured: Analyzer::analyze, bytes a second on one core.
// Corpus: made here, a runbook's mix of prose and technical tokens, and plain prose.
// Notes: ingest aims at 20,000 chunks of 800 bytes a second on two cores, so 10 MB/s a core
// suffice.
#include <benchmark/benchmark.h>

#include "text/analyzer.h"

namespace precedent {
namespace {

constexpr std::string_view kProse =
    "The on-call engineer should check whether the primary database has failed over and that the "
    "replicas are catching up before restarting the payment workers. ";
constexpr std::string_view kTechnical =
    "KubePodCrashLooping on checkout-api-7d9f8b6c5d-x2x4z: java.lang.OutOfMemoryError at "
    "/srv/app/db.pool.maxSize=50, HTTP_503 from 10.2.3.4:8080 after 500ms (v1.27.3). ";

void analyze(benchmark::State& state, std::string_view unit) {
  std::string text;
  while (text.size() < 64 * 1024) text += unit;
  const Analyzer analyzer;
  for (auto _ : state) benchmark::DoNotOptimize(analyzer.analyze(text));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}

BENCHMARK_CAPTURE(analyze, prose, kProse);
BENCHMARK_CAPTURE(analyze, technical, kTechnical);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
