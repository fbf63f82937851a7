#include "agent/sources/knowledge_base.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "files/files.h"
#include "index/embedded_index.h"
#include "index/memory_index.h"
#include "index/qdrant_api.h"
#include "index/qdrant_index.h"
#include "index/scoped_index.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxSynonymBytes = 1 << 20;

std::optional<fs::path> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return fs::path(value);
}

std::string missing_index(const Error& error) {
  return fmt::format(
      "nothing can be searched: {}; incidents are looked up and listed from the "
      "store",
      error.text());
}

fs::path home() { return environment("HOME").value_or("."); }

Result<Synonyms> open_synonyms(const fs::path& data_dir, const Analyzer& analyzer) {
  const fs::path file = data_dir / "synonyms.txt";
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Synonyms::parse(default_synonyms(), "config/synonyms.txt", analyzer);
  return Synonyms::parse(TRY(read_file(file, kMaxSynonymBytes)), file.string(), analyzer);
}

// Vectors of another encoder answer every question, and wrongly.
Result<void> check_encoder_of(const KnowledgeIndex& index, const IndexBuild& build,
                              const QdrantApi& server) {
  const IndexInfo info = index.info();
  if (info.dimensions == 0 || info.model_id == build.model_id) return {};
  return fail(ErrorCode::kConflict,
              fmt::format("the collection {} of Qdrant at {} has vectors of {}, not of {}, which "
                          "the store names; `precedent ingest` builds another",
                          build.collection, server.address(), info.model_id,
                          build.model_id.empty() ? "no model" : build.model_id));
}

Result<std::unique_ptr<StandbyIndex>> open_on_server(const KnowledgeStore& store,
                                                     const std::shared_ptr<QdrantApi>& server,
                                                     const IndexBuild& build) {
  const StoreCounts counts = TRY(store.counts());
  IndexInfo expected{.version = TRY(store.version()),
                     .documents = counts.documents,
                     .chunks = counts.chunks,
                     .dimensions = build.dimensions,
                     .model_id = build.model_id};
  const auto open = [server, build]() -> Result<std::unique_ptr<KnowledgeIndex>> {
    auto index = TRY(QdrantIndex::open(server, build.collection));
    TRY(check_encoder_of(*index, build, *server));
    return index;
  };
  return StandbyIndex::create(store, std::move(expected), open);
}

// The index that the store names. An ingest may activate another and drop this one just after we
// asked: then the store names a newer one.
template <typename Open>
auto open_active(const fs::path& data_dir, const KnowledgeStore& store, const Open& open)
    -> decltype(open(IndexBuild())) {
  for (std::string tried;;) {
    const std::optional<IndexBuild> build = TRY(store.active_build());
    if (!build) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("the knowledge base in {} is empty; fill it with `precedent ingest "
                              "PATH…` (incidents as JSON or CSV, "
                              "documents as Markdown)",
                              data_dir.string()));
    }
    auto index = open(*build);
    if (index) return index;
    if (std::exchange(tried, build->collection) == build->collection)
      return std::unexpected(index.error());
  }
}

}  // namespace

fs::path default_data_dir() {
  if (const auto dir = environment("PRECEDENT_DATA_DIR")) return *dir;
  return environment("XDG_DATA_HOME").value_or(home() / ".local/share") / "precedent";
}

Result<EncoderState> open_encoder(Precision precision) {
  const fs::path folder = default_model_folder();
  auto encoder = MiniLmEmbedder::open(folder, {.precision = precision});
  if (!encoder && encoder.error().code == ErrorCode::kNotFound) {
    return EncoderState{nullptr, fmt::format("no embedding weights in {}: searching by words only; "
                                             "scripts/fetch-model fetches them",
                                             folder.string())};
  }
  return EncoderState{TRY(std::move(encoder)), ""};
}

Result<std::shared_ptr<const QuestionEncoder>> QuestionEncoder::open() {
  std::shared_ptr<QuestionEncoder> own(new QuestionEncoder());
  EncoderState opened = TRY(open_encoder());
  own->missing_ = std::move(opened.missing);
  if (opened.embedder == nullptr) return own;
  own->words_ = &opened.embedder->tokenizer();
  own->encoder_ = std::move(opened.embedder);
  for (const AdapterKind kind : kAdapterKinds)
    own->readers_[static_cast<size_t>(kind)] = TRY(AdapterReader::open(kind, *own->encoder_));
  own->batched_.emplace(*own->encoder_);
  own->embedder_.emplace(*own->batched_, own->vectors_);
  return own;
}

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::open(const fs::path& data_dir,
                                                           std::shared_ptr<QdrantApi> server) {
  return open({store_file(data_dir)}, data_dir, std::move(server), TRY(QuestionEncoder::open()));
}

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::open(
    const StoreAddress& address, const fs::path& data_dir, std::shared_ptr<QdrantApi> server,
    std::shared_ptr<const QuestionEncoder> encoder, const std::optional<Scope>& seen_by) {
  std::unique_ptr<KnowledgeBase> base(new KnowledgeBase());
  auto store = seen_by ? KnowledgeStore::open_scoped(address, *seen_by)
                       : KnowledgeStore::open(address, KnowledgeStore::Access::kReadOnly);
  if (!store && store.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no knowledge base in {}; make one with `precedent ingest "
                            "PATH…`, or name another with --data-dir",
                            address.is_file() ? data_dir.string() : address.place()));
  }
  if (!store) return std::unexpected(store.error());
  base->store_.emplace(std::move(*store));
  TRY(base->open_index(data_dir, server));
  if (seen_by) {
    base->whole_ = std::move(base->index_);
    base->index_ =
        std::make_unique<ScopedIndex>(*base->whole_, *seen_by, TRY(base->store_->sources()));
  }
  if (!encoder->missing().empty()) base->warnings_.push_back(encoder->missing());
  base->encoder_ = std::move(encoder);
  base->synonyms_ = TRY(open_synonyms(data_dir, base->analyzer_));
  TRY(base->open_search());
  return base;
}

Result<void> KnowledgeBase::open_index(const fs::path& data_dir,
                                       const std::shared_ptr<QdrantApi>& server) {
  if (server == nullptr) {
    index_ = TRY(open_active(data_dir, *store_, [&](const IndexBuild& build) {
      return EmbeddedIndex::open_existing(index_folder(data_dir, build.collection));
    }));
    return {};
  }
  auto index = TRY(open_active(data_dir, *store_, [&](const IndexBuild& build) {
    return open_on_server(*store_, server, build);
  }));
  standby_ = index.get();
  index_ = std::move(index);
  const auto reached = standby_->indexed_documents();
  if (!reached) warnings_.push_back(missing_index(reached.error()));
  return {};
}

Result<size_t> KnowledgeBase::indexed_documents() const {
  return standby_ != nullptr ? standby_->indexed_documents() : index_->count_documents({});
}

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::empty(
    std::shared_ptr<const QuestionEncoder> encoder) {
  std::unique_ptr<KnowledgeBase> base(new KnowledgeBase());
  base->store_.emplace(TRY(KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite)));
  base->index_ = std::make_unique<MemoryIndex>();
  base->encoder_ = std::move(encoder);
  base->synonyms_ =
      TRY(Synonyms::parse(default_synonyms(), "config/synonyms.txt", base->analyzer_));
  TRY(base->open_search());
  return base;
}

Result<void> KnowledgeBase::open_search() {
  searcher_ =
      TRY(Searcher::open(*index_, embedder(), analyzer_, *synonyms_, reader(AdapterKind::kSelect)));
  return {};
}

}  // namespace precedent
