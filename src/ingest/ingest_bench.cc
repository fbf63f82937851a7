// Measured: chunks a second from documents in memory to store and index on disk, without embedding,
// and its parts; the peak memory of the process so far, in MB. Corpus: made here; a quarter are
// incidents of one chunk, the rest runbooks of eight sections. Words are drawn from 30,000 by
// Zipf's law, one in eight is a technical token. Notes: the target is 20,000 chunks a second on two
// cores. The CPU column counts all threads, so that a busy machine can be judged too:
// cpu_us_per_chunk must stay below 100. `again` is the same ingest with nothing changed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/hash.h"
#include "files/temporary_folder.h"
#include "ingest/chunks/chunker.h"
#include "ingest/pipeline.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

class Corpus {
 public:
  explicit Corpus(size_t documents) {
    for (size_t i = 0; i < documents; ++i)
      documents_.push_back(i % 4 == 0 ? incident(i) : runbook(i));
  }
  const std::vector<Document>& documents() const { return documents_; }

 private:
  std::string word() {
    // The inverse of Zipf's distribution, near enough.
    const double u = std::uniform_real_distribution(0.0, 1.0)(random_);
    const auto rank = static_cast<unsigned>(std::pow(30000.0, u));
    if (random_() % 8 == 0) return fmt::format("svc-{}.pool_{}", rank % 97, rank % 13);
    std::string out;
    for (unsigned n = rank + 37; n > 0; n /= 20) {
      out += "bcdfghklmnprstvwzxqj"[n % 20];
      out += "aeiou"[n % 5];
    }
    return out;
  }
  std::string words(size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) text += word() + (i % 14 == 13 ? ".\n" : " ");
    return text;
  }
  Document document(size_t i, Kind kind) {
    Document d;
    d.kind = kind;
    d.title = words(6);
    d.path = fmt::format("bench/{}.md", i);
    d.source = "/bench";
    d.services = {fmt::format("service-{}", i % 50)};
    d.tags = {"bench", fmt::format("tag-{}", i % 20)};
    return d;
  }
  Document incident(size_t i) {
    Document d = document(i, Kind::kIncident);
    d.id = fmt::format("INC-{}", i);
    d.application = fmt::format("Application {}", i % 30);
    d.body = "## Description\n" + words(70) + "\n\n## Action taken\n" + words(30);
    return d;
  }
  Document runbook(size_t i) {
    Document d = document(i, Kind::kRunbook);
    d.id = fmt::format("kb-{}", i);
    for (int section = 0; section < 8; ++section)
      d.body += "## " + words(4) + "\n\n" + words(90) + "\n\n";
    return d;
  }

  std::mt19937 random_{20250120};
  std::vector<Document> documents_;
};

const Corpus& corpus(size_t documents) {
  static std::map<size_t, Corpus> all;
  return all.try_emplace(documents, documents).first->second;
}

std::vector<Chunk> cut(const Document& document) {
  return chunk(document, estimate_pieces, Limits());
}

IngestReport ingest_once(const fs::path& folder, const Corpus& corpus) {
  auto store = KnowledgeStore::open(store_file(folder), KnowledgeStore::Access::kReadWrite);
  EmbeddedIndexCatalog indexes(folder);
  const Analyzer analyzer;
  const IngestParts parts = {
      *store,
      indexes,
      nullptr,
      [&](std::string_view text, Population) { return analyzer.terms(text); },
      cut,
      [&](const ReadOptions&, DocumentSink& sink) -> Result<ReadSummary> {
        for (const Document& d : corpus.documents()) TRY(sink.document(Document(d), 1));
        return ReadSummary();
      }};
  auto report = ingest({}, parts, nullptr, CancelToken());
  if (!report) throw std::runtime_error(report.error().text());
  return std::move(*report);
}

double peak_mb() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Of all threads so far.
double cpu_seconds() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void first_ingest(benchmark::State& state) {
  const Corpus& c = corpus(static_cast<size_t>(state.range(0)));
  size_t chunks = 0;
  const double cpu_before = cpu_seconds();
  for (auto _ : state) {
    state.PauseTiming();
    auto folder = std::make_unique<TemporaryFolder>();
    state.ResumeTiming();
    const IngestReport report = ingest_once(folder->path(), c);
    chunks += report.chunks;
    state.PauseTiming();
    state.counters["rebuilt"] = report.rebuilt;
    folder.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(static_cast<int64_t>(chunks));
  state.counters["peak_mb"] = peak_mb();
  state.counters["cpu_us_per_chunk"] =
      (cpu_seconds() - cpu_before) * 1e6 / static_cast<double>(chunks);
}

void again(benchmark::State& state) {
  const Corpus& c = corpus(static_cast<size_t>(state.range(0)));
  const TemporaryFolder folder;
  ingest_once(folder.path(), c);
  for (auto _ : state) benchmark::DoNotOptimize(ingest_once(folder.path(), c));
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * c.documents().size()));
}

// One thread each: what the stages cost.

void stage_cut(benchmark::State& state) {
  size_t chunks = 0;
  for (auto _ : state) {
    for (const Document& d : corpus(2000).documents()) chunks += cut(d).size();
  }
  state.SetItemsProcessed(static_cast<int64_t>(chunks));
}

std::vector<std::vector<StoredChunk>> cut_all(const Corpus& c) {
  std::vector<std::vector<StoredChunk>> all;
  for (const Document& d : c.documents()) {
    all.emplace_back();
    for (Chunk& one : cut(d)) all.back().push_back({std::move(one), ""});
  }
  return all;
}

void stage_analyse(benchmark::State& state) {
  const Corpus& c = corpus(2000);
  const auto chunks = cut_all(c);
  const Analyzer analyzer;
  size_t count = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < chunks.size(); ++i) {
      benchmark::DoNotOptimize(
          analyze(c.documents()[i], chunks[i],
                  [&](std::string_view t, Population) { return analyzer.terms(t); }));
      count += chunks[i].size();
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(count));
}

void stage_encode(benchmark::State& state) {
  const Corpus& c = corpus(2000);
  const auto chunks = cut_all(c);
  const Analyzer analyzer;
  std::vector<DocumentTerms> terms;
  for (size_t i = 0; i < chunks.size(); ++i) {
    terms.push_back(analyze(c.documents()[i], chunks[i],
                            [&](std::string_view t, Population) { return analyzer.terms(t); }));
  }
  size_t count = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < chunks.size(); ++i) {
      benchmark::DoNotOptimize(build_points(1, c.documents()[i], chunks[i], terms[i], {}, {}, {}));
      count += chunks[i].size();
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(count));
}

void stage_store(benchmark::State& state) {
  const Corpus& c = corpus(2000);
  const auto chunks = cut_all(c);
  size_t count = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const TemporaryFolder folder;
    auto store =
        KnowledgeStore::open(store_file(folder.path()), KnowledgeStore::Access::kReadWrite);
    StoreUpdate update;
    for (size_t i = 0; i < chunks.size(); ++i) {
      update.put.push_back({c.documents()[i], content_hash(c.documents()[i]), chunks[i], {}, ""});
      for (StoredChunk& one : update.put.back().chunks)
        one.embedding_key = "0123456789abcdef0123456789abcdef";
      count += chunks[i].size();
    }
    state.ResumeTiming();
    if (!store->apply(update)) throw std::runtime_error("cannot write");
  }
  state.SetItemsProcessed(static_cast<int64_t>(count));
}

BENCHMARK(stage_cut)->Unit(benchmark::kMillisecond);
BENCHMARK(stage_analyse)->Unit(benchmark::kMillisecond);
BENCHMARK(stage_encode)->Unit(benchmark::kMillisecond);
BENCHMARK(stage_store)->Unit(benchmark::kMillisecond);
BENCHMARK(first_ingest)
    ->Arg(2000)
    ->Arg(20000)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(again)->Arg(20000)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
