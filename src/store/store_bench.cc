// Measured: a knowledge base of 10,000 chunks written into a store, read whole, and looked into by
// several threads at once; in a file, and in the PostgreSQL of `scripts/postgres start
// BUILD_DIRECTORY`. Corpus: made here, 1,666 documents of six chunks of 80 words, each with a
// vector of 384 numbers. Notes: the server's processor time is not in the CPU column, and on the
// same machine both share its cores.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <optional>
#include <random>
#include <stdexcept>

#include "db/postgres_lab.h"
#include "store/knowledge_store.h"

namespace precedent {
namespace {

constexpr size_t kDocuments = 1'666;
constexpr size_t kChunks = 6;
constexpr size_t kDimensions = 384;

std::string words(std::mt19937& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += fmt::format("word{}{}", random() % 30'000, i % 14 == 13 ? ".\n" : " ");
  return text;
}

const StoreUpdate& corpus() {
  static const StoreUpdate update = [] {
    std::mt19937 random(20250120);
    StoreUpdate made;
    made.model_id = "bench";
    for (size_t i = 0; i < kDocuments; ++i) {
      NewDocument item;
      item.document.id = fmt::format("kb-{}", i);
      item.document.title = words(random, 6);
      item.document.path = fmt::format("bench/{}.md", i);
      item.document.source = "/bench";
      item.document.services = {fmt::format("service-{}", i % 50)};
      item.hash = fmt::format("{:032}", i);
      item.model_id = made.model_id;
      for (size_t c = 0; c < kChunks; ++c) {
        StoredChunk each;
        each.chunk.ordinal = static_cast<uint32_t>(c);
        each.chunk.heading = {words(random, 4)};
        each.chunk.text = words(random, 80);
        each.embedding_key = fmt::format("{:032}", i * kChunks + c);
        item.document.body += each.chunk.text;
        std::vector<float> vector(kDimensions);
        for (float& value : vector) value = static_cast<float>(random() % 1000) / 1000;
        made.vectors.push_back({each.embedding_key, std::move(vector)});
        item.chunks.push_back(std::move(each));
      }
      made.put.push_back(std::move(item));
    }
    return made;
  }();
  return update;
}

class Place {
 public:
  explicit Place(db::Engine engine) {
    if (engine == db::Engine::kSqlite) {
      std::string pattern =
          (std::filesystem::temp_directory_path() / "precedent-bench-XXXXXX").string();
      folder_ = ::mkdtemp(pattern.data());
      return;
    }
    lab_.emplace();
    if (!lab_->problem().empty()) throw std::runtime_error(lab_->problem());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  KnowledgeStore open(KnowledgeStore::Access access) const {
    auto store = KnowledgeStore::open(
        StoreAddress{store_file(folder_), lab_ ? lab_->url() : std::string()}, access);
    if (!store) throw std::runtime_error(store.error().text());
    return std::move(*store);
  }

 private:
  std::filesystem::path folder_;
  std::optional<db::PostgresLab> lab_;
};

template <typename T>
T checked(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return std::move(*result);
}

db::Engine engine_of(const benchmark::State& state) {
  return state.range(0) == 0 ? db::Engine::kSqlite : db::Engine::kPostgres;
}

// With `again`: over what is there already, so that all of it is replaced.
void write(benchmark::State& state, bool again) {
  for (auto _ : state) {
    state.PauseTiming();
    auto place = std::make_unique<Place>(engine_of(state));
    std::optional<KnowledgeStore> store = place->open(KnowledgeStore::Access::kReadWrite);
    if (again) checked(store->apply(corpus()));
    state.ResumeTiming();
    checked(store->apply(corpus()));
    state.PauseTiming();
    if (checked(store->counts()).chunks != kDocuments * kChunks)
      throw std::runtime_error("not all of it was written");
    store.reset();
    place.reset();
    state.ResumeTiming();
  }
}
void first(benchmark::State& state) { write(state, false); }
void replaced(benchmark::State& state) { write(state, true); }

// As an index is rebuilt: pages of documents with their chunks, and the vectors of each.
void read_whole(benchmark::State& state) {
  const Place place(engine_of(state));
  const KnowledgeStore store = place.open(KnowledgeStore::Access::kReadWrite);
  checked(place.open(KnowledgeStore::Access::kReadWrite).apply(corpus()));
  for (auto _ : state) {
    size_t vectors = 0;
    for (uint64_t point = 0;;) {
      const auto page = checked(store.stored_after(point, 64, size_t{8} << 20));
      if (page.empty()) break;
      point = page.back().point;
      std::vector<std::string> keys;
      for (const StoredDocument& stored : page)
        for (const StoredChunk& each : stored.chunks) keys.push_back(each.embedding_key);
      for (const auto& vector : checked(store.vectors("bench", keys)))
        vectors += vector.size() == kDimensions ? 1 : 0;
    }
    if (vectors != kDocuments * kChunks) throw std::runtime_error("not all of it was read");
  }
}

// What several questions do at once, over one store that was opened for reading.
void look_up(benchmark::State& state) {
  struct Shared {
    explicit Shared(db::Engine engine) : place(engine) {
      checked(place.open(KnowledgeStore::Access::kReadWrite).apply(corpus()));
      store.emplace(place.open(KnowledgeStore::Access::kReadOnly));
    }
    Place place;
    std::optional<KnowledgeStore> store;
  };
  static std::optional<Shared> shared;
  if (state.thread_index() == 0) shared.emplace(engine_of(state));
  uint64_t i = static_cast<uint64_t>(state.thread_index()) * 7919;
  for (auto _ : state) {
    if (!checked(shared->store->find(fmt::format("kb-{}", i++ % kDocuments))))
      throw std::runtime_error("a document is missing");
  }
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) shared.reset();
}

constexpr auto kUnit = benchmark::kMillisecond;
BENCHMARK(first)->ArgName("postgres")->DenseRange(0, 1)->UseRealTime()->Unit(kUnit);
BENCHMARK(replaced)->ArgName("postgres")->DenseRange(0, 1)->UseRealTime()->Unit(kUnit);
BENCHMARK(read_whole)->ArgName("postgres")->DenseRange(0, 1)->UseRealTime()->Unit(kUnit);
BENCHMARK(look_up)
    ->ArgName("postgres")
    ->DenseRange(0, 1)
    ->ThreadRange(1, 8)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace precedent

BENCHMARK_MAIN();
