// What is measured: the embedded index at several sizes: sparse, dense and both, with and without a
// filter, one thread; recall of the dense part against exact; time to open; bytes; time to apply
// (in batches, as ingest does, with the merging).
//
// Corpus: random_corpus.h: terms of Zipf's distribution (vocabulary 200,000, 80 tokens a chunk),
// documents of five chunks, vectors of 384 dimensions in clusters within 64 latent directions.
// Queries are drawn like the corpus: ten terms; a vector near what is there.
//
// Notes: sizes come from --chunks=10000,200000 (default) and may be 1000000 (minutes to build, 4 GB
// of disk). --folder=DIR keeps the indexes for the next run.
// Sparse search is exact (embedded_oracle_test.cc); the recall of dense search is a counter. On a
// busy machine read the CPU column.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <iostream>
#include <optional>

#include "base/strings.h"
#include "files/temporary_folder.h"
#include "index/dense_scan.h"
#include "index/embedded_index.h"
#include "index/random_corpus.h"

namespace precedent {
namespace {

constexpr size_t kChunksInDocument = 5;
constexpr size_t kChunksInBatch = 20'000;
constexpr size_t kQueries = 200;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[noreturn]] void die(const Error& error) {
  std::cerr << error.text() << '\n';
  std::exit(1);
}

std::unique_ptr<EmbeddedIndex> open_index(const std::filesystem::path& folder) {
  auto opened = EmbeddedIndex::open(folder);
  if (!opened) die(opened.error());
  return *std::move(opened);
}

// An index of one size, built at first use.
class Corpus {
 public:
  Corpus(size_t chunks, std::filesystem::path folder)
      : chunks_(chunks), folder_(std::move(folder)) {}

  const EmbeddedIndex& index() {
    prepare();
    return *index_;
  }
  const std::filesystem::path& folder() {
    prepare();
    return folder_;
  }
  const SparseVector& sparse(size_t i) const { return sparse_[i % kQueries]; }
  std::span<const float> dense(size_t i) const { return dense_[i % kQueries]; }

 private:
  void prepare() {
    if (index_) return;
    index_ = open_index(folder_);
    if (index_->info().chunks != chunks_) build();
    RandomCorpus corpus({}, kSeed + chunks_);
    for (size_t i = 0; i < kQueries; ++i) {
      sparse_.push_back(corpus.sparse_query());
      dense_.push_back(corpus.vector());
    }
  }

  void build() {
    RandomCorpus corpus({}, kSeed + chunks_);
    uint64_t id = 1, version = 0;
    double applying = 0, longest = 0;
    while (id <= chunks_ / kChunksInDocument * (kChunksInDocument + 1)) {
      IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "random"};
      for (size_t n = 0;
           n < kChunksInBatch && id <= chunks_ / kChunksInDocument * (kChunksInDocument + 1);
           n += kChunksInDocument) {
        auto points = corpus.document("doc-" + std::to_string(id), kChunksInDocument, id);
        id += points.size();
        std::move(points.begin(), points.end(), std::back_inserter(update.add));
      }
      const auto start = std::chrono::steady_clock::now();
      if (const auto applied = index_->apply(update, ++version); !applied) die(applied.error());
      applying += seconds_since(start);
      longest = std::max(longest, seconds_since(start));
    }
    const IndexInfo info = index_->info();
    fmt::print(
        "{} chunks: applied in {:.1f} s ({:.0f} chunks/s), longest batch {:.1f} s, {:.0f} MB\n",
        chunks_, applying, static_cast<double>(chunks_) / applying, longest,
        static_cast<double>(info.bytes) / 1e6);
  }

  static constexpr uint64_t kSeed = 5;
  size_t chunks_;
  std::filesystem::path folder_;
  std::unique_ptr<EmbeddedIndex> index_;
  std::vector<SparseVector> sparse_;
  std::vector<std::vector<float>> dense_;
};

Filter no_filter() { return {}; }
// About half of the documents.
Filter half() {
  Filter filter;
  filter.kinds = {kAllKinds[0], kAllKinds[1]};
  return filter;
}
// About one document in fourteen.
Filter few() {
  Filter filter;
  filter.services = {"service-3"};
  return filter;
}

using MakeFilter = Filter (*)();

void sparse_search(benchmark::State& state, Corpus& corpus, MakeFilter make_filter, Level level) {
  const EmbeddedIndex& index = corpus.index();
  const Filter filter = make_filter();
  size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(index.search_sparse(corpus.sparse(i++), filter, level, 50));
}

// The share of the exact best ten that dense search finds.
double recall(Corpus& corpus, const Filter& filter) {
  const auto manifest = read_manifest(corpus.folder());
  const auto snapshot = Snapshot::open(*manifest, corpus.folder());
  if (!snapshot) die(snapshot.error());
  size_t found = 0, wanted = 0;
  for (size_t i = 0; i < kQueries; ++i) {
    const auto exact = scan_dense_exactly(**snapshot, corpus.dense(i), FilterScan(filter), 10);
    const auto hits = scan_dense(**snapshot, corpus.dense(i), FilterScan(filter), 10);
    wanted += exact.size();
    for (const PointScore& hit : exact) found += std::count(hits.begin(), hits.end(), hit) > 0;
  }
  return static_cast<double>(found) / static_cast<double>(wanted);
}

void dense_search(benchmark::State& state, Corpus& corpus, MakeFilter make_filter, size_t limit) {
  const EmbeddedIndex& index = corpus.index();
  const Filter filter = make_filter();
  size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(index.search_dense(corpus.dense(i++), filter, limit));
  static std::map<std::pair<Corpus*, MakeFilter>, double> recalls;
  auto [known, is_new] = recalls.try_emplace({&corpus, make_filter}, 0);
  if (is_new) known->second = recall(corpus, filter);
  state.counters["recall@10"] = known->second;
}

void exact_dense_search(benchmark::State& state, Corpus& corpus, MakeFilter make_filter) {
  const auto snapshot = Snapshot::open(*read_manifest(corpus.folder()), corpus.folder());
  const FilterScan filter(make_filter());
  size_t i = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(scan_dense_exactly(**snapshot, corpus.dense(i++), filter, 50));
}

void hybrid_search(benchmark::State& state, Corpus& corpus, MakeFilter make_filter) {
  const EmbeddedIndex& index = corpus.index();
  const Filter filter = make_filter();
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(index.search_sparse(corpus.sparse(i), filter, Level::kChunk, 50));
    benchmark::DoNotOptimize(index.search_sparse(corpus.sparse(i), filter, Level::kDocument, 50));
    benchmark::DoNotOptimize(index.search_dense(corpus.dense(i++), filter, 50));
  }
}

void open_folder(benchmark::State& state, Corpus& corpus) {
  const auto folder = corpus.folder();
  for (auto _ : state) benchmark::DoNotOptimize(open_index(folder));
  state.counters["MB"] = static_cast<double>(corpus.index().info().bytes) / 1e6;
}

void register_benches(size_t chunks, Corpus& corpus) {
  const auto add = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", name, chunks).c_str(), run)
        ->Unit(benchmark::kMicrosecond);
  };
  add("open", [&](benchmark::State& s) { open_folder(s, corpus); });
  const std::pair<const char*, MakeFilter> filters[] = {
      {"all", &no_filter}, {"half", &half}, {"few", &few}};
  for (const auto& [label, filter] : filters) {
    const MakeFilter make = filter;
    const std::string name = label;
    add("sparse_chunks/" + name,
        [&, make](benchmark::State& s) { sparse_search(s, corpus, make, Level::kChunk); });
    add("sparse_documents/" + name,
        [&, make](benchmark::State& s) { sparse_search(s, corpus, make, Level::kDocument); });
    add("dense_10/" + name, [&, make](benchmark::State& s) { dense_search(s, corpus, make, 10); });
    add("dense_50/" + name, [&, make](benchmark::State& s) { dense_search(s, corpus, make, 50); });
    add("dense_exact/" + name,
        [&, make](benchmark::State& s) { exact_dense_search(s, corpus, make); });
    add("hybrid/" + name, [&, make](benchmark::State& s) { hybrid_search(s, corpus, make); });
  }
}

// The value of --name=value, taken out of the arguments.
std::string take_option(int& argc, char** argv, std::string_view name, std::string fallback) {
  const std::string prefix = fmt::format("--{}=", name);
  for (int i = 1; i < argc; ++i) {
    if (!std::string_view(argv[i]).starts_with(prefix)) continue;
    fallback = argv[i] + prefix.size();
    std::move(argv + i + 1, argv + argc + 1, argv + i);
    --argc;
  }
  return fallback;
}

int run(int argc, char** argv) {
  const std::string sizes = take_option(argc, argv, "chunks", "10000,200000");
  const TemporaryFolder temporary;
  const std::filesystem::path folder = take_option(argc, argv, "folder", temporary.path().string());
  std::vector<std::unique_ptr<Corpus>> corpora;
  for (const std::string_view text : split(sizes, ',')) {
    size_t chunks = 0;
    std::from_chars(text.data(), text.data() + text.size(), chunks);
    corpora.push_back(std::make_unique<Corpus>(chunks, folder / std::string(text)));
    register_benches(chunks, *corpora.back());
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace precedent

int main(int argc, char** argv) { return precedent::run(argc, argv); }
