#include "agent/knowledge_base.h"

#include <fmt/format.h>

#include <cstdlib>

#include "files/files.h"
#include "index/embedded_index.h"

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

Result<std::unique_ptr<KnowledgeBase>> KnowledgeBase::open(const fs::path& data_dir) {
  std::unique_ptr<KnowledgeBase> base(new KnowledgeBase());
  auto store = KnowledgeStore::open(store_file(data_dir), KnowledgeStore::Access::kReadOnly);
  if (!store && store.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no knowledge base in {}; make one with `precedent ingest "
                            "PATH…`, or name another with --data-dir",
                            data_dir.string()));
  }
  if (!store) return std::unexpected(store.error());
  base->store_.emplace(std::move(*store));
  const std::optional<Dataset> dataset = TRY(base->store_->active_dataset());
  if (!dataset) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format(
            "the knowledge base in {} has no index yet; run `precedent ingest PATH…` to the end",
            data_dir.string()));
  }
  base->index_ = TRY(EmbeddedIndex::open(index_folder(data_dir, dataset->collection)));
  EncoderState encoder = TRY(open_encoder());
  if (!encoder.missing.empty()) base->warnings_.push_back(encoder.missing);
  base->embedder_ = std::move(encoder.embedder);
  base->synonyms_ = TRY(open_synonyms(data_dir, base->analyzer_));
  base->searcher_ =
      TRY(Searcher::open(*base->index_, base->embedder_.get(), base->analyzer_, *base->synonyms_));
  return base;
}

}  // namespace precedent
