// Measured: chunk() and embedding_text(), chunks a second on one core, with the estimating counter.
// Corpus: a runbook made here of headings, prose, lists, code and a table, repeated to 200 KB.
// Notes: ingest without embedding aims at 20,000 chunks a second in all, so this must be well
// above.
#include <benchmark/benchmark.h>

#include "ingest/chunks/chunker.h"

namespace precedent {
namespace {

constexpr std::string_view kRunbook =
    "## Diagnosis\n\nThe payment workers hold one connection each. When the pool is exhausted, "
    "requests wait "
    "for `db.pool.timeout` and fail with HTTP 503. Check the saturation first.\n\n"
    "1. Look at the dashboard.\n2. Run the query:\n\n   ```sh\n   kubectl -n pay get pods | grep "
    "-v Running\n   ```\n"
    "3. Compare with the table.\n\n| Metric | Good |\n|---|---|\n| `db_pool_in_use` | below 40 "
    "|\n| p95 | < 300ms |\n\n"
    "### Mitigation\n\nRaise `db.pool.maxSize` to 80, e.g. with the flag. Restart the workers one "
    "by one. Watch the error rate.\n\n";

void chunk_runbook(benchmark::State& state) {
  Document document;
  document.title = "Connection pool exhausted";
  while (document.body.size() < 200'000) document.body += kRunbook;
  size_t chunks = 0;
  for (auto _ : state) {
    for (const Chunk& c : chunk(document, estimate_pieces, Limits{})) {
      benchmark::DoNotOptimize(embedding_text(document, c));
      ++chunks;
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(chunks));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * document.body.size()));
}
BENCHMARK(chunk_runbook);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
