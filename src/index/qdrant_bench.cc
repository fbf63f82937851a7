// What is measured: the index in the Qdrant that PRECEDENT_QDRANT_URL names beside the embedded
// one, on the same points: chunks applied a second, and how long a search takes (p50 and p99),
// sparse, dense and all three lists of a hybrid search, with no filter, one that half of the
// documents match, and one that few do. One thread asks.
//
// Corpus: random_corpus.h, as in index_bench. Queries are drawn like the corpus.
//
// Notes: --chunks=10000,200000 (default). Sparse hits of the two must be the same before anything
// is timed; of dense ones, which Qdrant searches in a graph unless PRECEDENT_QDRANT_EXACT is 1, the
// recall against the exhaustive search is told. --optimize asks scripts/qdrant-edge for its graphs,
// which a server builds by itself. What is timed has HTTP and, there, Python on its way: the engine
// alone is quicker. The collection is dropped at the end.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <iostream>

#include "base/strings.h"
#include "files/temporary_folder.h"
#include "index/embedded_index.h"
#include "index/qdrant_index.h"
#include "index/random_corpus.h"

namespace precedent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunksInDocument = 5;
// As an ingest gives them: some 8 MB of text at once.
constexpr size_t kChunksInUpdate = 5'000;
constexpr size_t kQueries = 200;
constexpr size_t kHits = 10;
constexpr uint64_t kSeed = 5;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

[[noreturn]] void die(const Error& error) {
  std::cerr << error.text() << '\n';
  std::exit(1);
}

template <typename T>
T need(Result<T> result) {
  if (!result) die(result.error());
  return std::move(*result);
}

struct Queries {
  std::vector<SparseVector> sparse;
  std::vector<std::vector<float>> dense;
};

Queries queries_of(size_t chunks) {
  RandomCorpus corpus({}, kSeed + chunks);
  Queries queries;
  for (size_t i = 0; i < kQueries; ++i) {
    queries.sparse.push_back(corpus.sparse_query());
    queries.dense.push_back(corpus.vector());
  }
  return queries;
}

// Chunks a second.
double fill(KnowledgeIndex& index, size_t chunks) {
  RandomCorpus corpus({}, kSeed + chunks);
  double applying = 0;
  uint64_t id = 1, version = 0;
  for (size_t made = 0; made < chunks;) {
    IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "random"};
    for (size_t n = 0; n < kChunksInUpdate && made < chunks; n += kChunksInDocument) {
      auto points = corpus.document(fmt::format("doc-{}", id), kChunksInDocument, id);
      id += points.size();
      made += kChunksInDocument;
      std::ranges::move(points, std::back_inserter(update.add));
    }
    const auto start = Clock::now();
    if (const auto applied = index.apply(update, ++version); !applied) die(applied.error());
    applying += milliseconds_since(start);
  }
  return static_cast<double>(chunks) * 1000 / applying;
}

struct Times {
  double p50 = 0, p99 = 0;
};

Times times_of(const std::function<void(size_t)>& ask) {
  for (size_t i = 0; i < kQueries / 10; ++i) ask(i);  // caches
  std::vector<double> times;
  for (size_t i = 0; i < kQueries; ++i) {
    const auto start = Clock::now();
    ask(i);
    times.push_back(milliseconds_since(start));
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

std::vector<uint64_t> ids(const std::vector<PointScore>& hits) {
  std::vector<uint64_t> ids;
  for (const PointScore& hit : hits) ids.push_back(hit.id);
  return ids;
}

void check_sparse(const KnowledgeIndex& embedded, const KnowledgeIndex& qdrant,
                  const Queries& queries, const Filter& filter) {
  for (size_t i = 0; i < kQueries / 10; ++i) {
    const auto ours = need(embedded.search_sparse(queries.sparse[i], filter, Level::kChunk, kHits));
    const auto theirs = need(qdrant.search_sparse(queries.sparse[i], filter, Level::kChunk, kHits));
    bool same = ours.size() == theirs.size();
    for (size_t k = 0; same && k < ours.size(); ++k)
      same = std::abs(ours[k].score - theirs[k].score) <= 1e-4F * ours[k].score;
    if (!same) die({ErrorCode::kInternal, fmt::format("query {}: the two find other hits", i)});
  }
}

double recall(const KnowledgeIndex& index, const KnowledgeIndex& exact, const Queries& queries,
              const Filter& filter) {
  size_t found = 0, wanted = 0;
  for (size_t i = 0; i < kQueries; ++i) {
    const auto right = ids(need(exact.search_dense(queries.dense[i], filter, kHits)));
    const auto hits = ids(need(index.search_dense(queries.dense[i], filter, kHits)));
    wanted += right.size();
    for (const uint64_t id : right) found += std::ranges::count(hits, id) > 0 ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(wanted);
}

void print_searches(std::string_view name, const KnowledgeIndex& index, const Queries& queries,
                    const std::vector<std::pair<std::string, Filter>>& filters) {
  for (const auto& [label, filter] : filters) {
    const Times words = times_of([&](size_t i) {
      need(index.search_sparse(queries.sparse[i], filter, Level::kChunk, kHits));
    });
    const Times vectors =
        times_of([&](size_t i) { need(index.search_dense(queries.dense[i], filter, kHits)); });
    const Times hybrid = times_of([&](size_t i) {
      need(index.search_all(queries.sparse[i], queries.dense[i], filter, kHits));
    });
    fmt::print("| {} | {} | {:.2f} / {:.2f} | {:.2f} / {:.2f} | {:.2f} / {:.2f} |\n", name, label,
               words.p50, words.p99, vectors.p50, vectors.p99, hybrid.p50, hybrid.p99);
    std::fflush(stdout);
  }
}

void measure(size_t chunks, const QdrantConfig& config, bool optimize) {
  const TemporaryFolder folder;
  auto embedded = need(EmbeddedIndex::open(folder.path()));
  const auto api = QdrantApi::open(config);
  QdrantConfig exactly = config;
  exactly.exact = true;
  const std::string name = fmt::format("bench-{:x}-1", ::getpid());
  auto qdrant = need(QdrantIndex::create(api, name));
  fmt::print("\n{} chunks: embedded applies {:.0f} chunks/s", chunks, fill(*embedded, chunks));
  std::fflush(stdout);
  fmt::print(", Qdrant {:.0f}", fill(*qdrant, chunks));
  if (optimize) {
    const auto start = Clock::now();
    need(api->call("POST", "/optimize", "{}", QdrantApi::Use::kWrite));
    fmt::print(", its graph took {:.1f} s more", milliseconds_since(start) / 1000);
  }
  const Queries queries = queries_of(chunks);
  const std::vector<std::pair<std::string, Filter>> filters = {
      {"none", {}},
      {"half", {.kinds = {kAllKinds[0], kAllKinds[1]}}},
      {"few", {.services = {"service-3"}}}};
  for (const auto& [label, filter] : filters) check_sparse(*embedded, *qdrant, queries, filter);
  fmt::print(
      "\n\n| index | filter | sparse p50 / p99 ms | dense | all three |\n|---|---|---|---|---|\n");
  print_searches("embedded", *embedded, queries, filters);
  print_searches("Qdrant", *qdrant, queries, filters);
  const auto exact = need(QdrantIndex::open(QdrantApi::open(exactly), name));
  fmt::print("\nrecall@10 of dense searches:");
  for (const auto& [label, filter] : filters) {
    fmt::print(" {} {:.3f} embedded, {:.3f} Qdrant;", label,
               recall(*embedded, *exact, queries, filter),
               recall(*qdrant, *exact, queries, filter));
  }
  fmt::print("\n");
  if (const auto dropped = QdrantIndex::drop(api, name); !dropped) die(dropped.error());
}

int run(std::span<char*> args) {
  std::string sizes = "10000,200000";
  bool optimize = false;
  for (const std::string_view arg : args) {
    if (arg.starts_with("--chunks=")) sizes = arg.substr(9);
    if (arg == "--optimize") optimize = true;
  }
  auto config = need(qdrant_config_of_environment());
  if (!config) {
    fmt::print("PRECEDENT_QDRANT_URL is not set: nothing to compare with\n");
    return 0;
  }
  // A graph takes its time to build.
  config->write_timeout = std::chrono::hours(4);
  for (const std::string_view text : split(sizes, ',')) {
    size_t chunks = 0;
    std::from_chars(text.data(), text.data() + text.size(), chunks);
    measure(chunks, *config, optimize);
  }
  return 0;
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) {
  return precedent::run({argv + 1, static_cast<size_t>(argc - 1)});
}
