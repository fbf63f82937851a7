// Measured: verify(), an answer of 600 words against 20 receipts of 2.5 KB each, receipts read anew
// every time; and reading them alone.
// Corpus: made here, an incident record in figures and names that differ from receipt to receipt.
// Notes: the aims are 5 ms without the learned judge (`--fast`) and 60 ms with it
// (docs/grounding.md); it needs the weights. The answers are checked before they are timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/strings.h"
#include "grounding/grounding_eval.h"
#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr size_t kReceipts = 20, kWords = 600;

std::string record(size_t n) {
  std::string text = fmt::format(
      "## Incident INC-2026-01-{:02}-001\n**Title**: Latency of service-{}-api after a "
      "deploy\n**Severity**: SEV2\n**Description**: ",
      n + 1, n);
  for (size_t i = 0; text.size() < 2500; ++i) {
    text += fmt::format(
        "At 0{}:{:02} UTC the p95 of /api/item{} rose from {} ms to {:.1f} s because the cache of "
        "service-{}-api was "
        "restarted, and {} of {} requests failed on node-{}. ",
        i % 10, (n * 7 + i) % 60, i, 100 + n + i, 1.5 + static_cast<double>(i), n,
        1000 + 13 * n + i, 50000 + n, i);
  }
  return text + "\n**Root Cause**: The pool of the database was too small for the new query.\n";
}

std::vector<Receipt> receipts() {
  std::vector<Receipt> out;
  for (size_t n = 0; n < kReceipts; ++n)
    out.push_back(receipt_with(record(n), fmt::format("R{}", n + 1)));
  return out;
}

std::string answer() {
  std::string text;
  for (size_t n = 0, words = 0; words < kWords; ++n, words += 30) {
    text += fmt::format(
        "The p95 of /api/item{0} went up from {1} ms to {2:.1f} s at 0{3}:{4:02} UTC, because the "
        "cache of service-{0}-api "
        "had been restarted; {5} requests failed [R{6}].\n",
        n % 5, 100 + n % 5 + n % 5, 1.5 + static_cast<double>(n % 5), n % 5, (n % 5 * 8) % 60,
        1000 + 13 * (n % 5) + n % 5, n % 5 + 1);
  }
  return text;
}

// In words of its own, which the checks leave open.
std::string free_answer() {
  std::string text;
  for (size_t n = 0, words = 0; words < kWords; ++n, words += 20)
    text += fmt::format(
        "People on shift {2} waited for a while because the store of service-{0}-api had to be "
        "filled again after it came back [R{1}].\n",
        n % 5, n % 5 + 1, static_cast<char>('A' + n % 26));
  return text;
}

void verify_answer(benchmark::State& state) {
  const auto held = receipts();
  const std::string text = answer();
  if (verify(text, held).count(ClaimVerdict::kSupported) == 0) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(verify(text, held));
}
BENCHMARK(verify_answer)->Unit(benchmark::kMillisecond);

void verify_answer_with_judge(benchmark::State& state) {
  const auto encoder = MiniLmEmbedder::open(default_model_folder(), {.threads = 1});
  if (!encoder) return state.SkipWithError("no weights; run scripts/fetch-model");
  const auto judge = AdapterReader::open(AdapterKind::kJudge, **encoder).value();
  const auto held = receipts();
  const std::string text = free_answer();
  const Verification once = verify(text, held, judge.get());
  const auto asked = std::ranges::count_if(
      once.claims, [](const Claim& claim) { return claim.opinion.has_value(); });
  if (asked == 0) std::abort();
  state.counters["opinions"] = static_cast<double>(asked);
  for (auto _ : state) {
    state.PauseTiming();  // a reader remembers what it read
    const auto fresh = AdapterReader::open(AdapterKind::kJudge, **encoder).value();
    state.ResumeTiming();
    benchmark::DoNotOptimize(verify(text, held, fresh.get()));
  }
}
BENCHMARK(verify_answer_with_judge)->Unit(benchmark::kMillisecond);

void read_receipts(benchmark::State& state) {
  const auto held = receipts();
  for (auto _ : state) benchmark::DoNotOptimize(Facts(held).index.units().size());
}
BENCHMARK(read_receipts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
