#include "agent/sources/knowledge_base.h"

#include <fmt/format.h>

#include <cstdlib>

#include "files/files.h"
#include "index/embedded_index.h"
#include "index/memory_index.h"
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

fs::path home() { return environment("HOME").value_or("."); }

Result<Synonyms> open_synonyms(const fs::path& data_dir, const Analyzer& analyzer) {
  const fs::path file = data_dir / "synonyms.txt";
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Synonyms::parse(default_synonyms(), "config/synonyms.txt", analyzer);
  return Synonyms::parse(TRY(read_file(file, kMaxSynonymBytes)), file.string(), analyzer);
}

// Of the Qdrant that the environment names (index/qdrant_config.h), else the embedded one.
Result<std::unique_ptr<KnowledgeIndex>> open_collection(const fs::path& data_dir,
                                                        const std::string& collection) {
  if (auto api = TRY(QdrantApi::of_environment()))
    return TRY(QdrantIndex::open(std::move(api), collection));
  return TRY(EmbeddedIndex::open_existing(index_folder(data_dir, collection)));
}

// The index that the store names. An ingest may activate another and drop this one just after we
// asked: then the store names a newer one.
Result<std::unique_ptr<KnowledgeIndex>> open_active(const fs::path& data_dir,
                                                    const KnowledgeStore& store) {
  for (std::string tried;;) {
    const std::optional<IndexBuild> build = TRY(store.active_build());
    if (!build) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("the knowledge base in {} is empty; fill it with `precedent ingest "
                              "PATH…` (incidents as JSON or CSV, "
                              "documents as Markdown)",
                              data_dir.string()));
    }
    auto index = open_collection(data_dir, build->collection);
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
  own->batched_.emplace(*own->encoder_);
  own->embedder_.emplace(*own->batched_, own->vectors_);
  return own;
}

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::open(const fs::path& data_dir) {
  return open({store_file(data_dir)}, data_dir, TRY(QuestionEncoder::open()));
}

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::open(
    const StoreAddress& address, const fs::path& data_dir,
    std::shared_ptr<const QuestionEncoder> encoder, const Scope& scope) {
  std::unique_ptr<KnowledgeBase> base(new KnowledgeBase());
  auto store = scope.everything() ? KnowledgeStore::open(address, KnowledgeStore::Access::kReadOnly)
                                  : KnowledgeStore::open_scoped(address, scope);
  if (!store && store.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no knowledge base in {}; make one with `precedent ingest "
                            "PATH…`, or name another with --data-dir",
                            address.is_file() ? data_dir.string() : address.place()));
  }
  if (!store) return std::unexpected(store.error());
  base->store_.emplace(std::move(*store));
  base->index_ = TRY(open_active(data_dir, *base->store_));
  if (!scope.everything()) {
    base->whole_ = std::move(base->index_);
    base->index_ = std::make_unique<ScopedIndex>(*base->whole_, scope);
  }
  if (!encoder->missing().empty()) base->warnings_.push_back(encoder->missing());
  base->encoder_ = std::move(encoder);
  base->synonyms_ = TRY(open_synonyms(data_dir, base->analyzer_));
  TRY(base->open_search());
  return base;
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
  searcher_ = TRY(Searcher::open(*index_, embedder(), analyzer_, *synonyms_));
  return {};
}

}  // namespace precedent
