#include "cli/knowledge/writer.h"

#include <fmt/format.h>

#include "agent/sources/knowledge_base.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "ingest/chunks/document_chunks.h"
#include "ingest/golden_documents.h"
#include "text/analyzer.h"
#include "text/code_analyzer.h"

namespace precedent {

namespace {

Result<FileLock> lock_for_ingest(const std::filesystem::path& data_dir) {
  TRY(make_directories(data_dir));
  Result<FileLock> lock = FileLock::acquire(ingest_lock_file(data_dir));
  if (lock || lock.error().code != ErrorCode::kConflict) return lock;
  return fail(
      ErrorCode::kConflict,
      fmt::format("another process is ingesting into {}: {}; wait for it to end and run this again",
                  data_dir.string(), lock.error().text()));
}

// For --dry-run: what is there, or an empty store that leaves no trace.
Result<KnowledgeStore> open_to_look(const StoreAddress& address) {
  auto store = KnowledgeStore::open(address, KnowledgeStore::Access::kReadOnly);
  if (store || store.error().code != ErrorCode::kNotFound) return store;
  return KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite);
}

Result<KnowledgeStore> open_to_write(const StoreAddress& address) {
  KnowledgeStore store = TRY(KnowledgeStore::open(address, KnowledgeStore::Access::kReadWrite));
  TRY(store.lock_for_writing());
  return store;
}

}  // namespace

Result<KnowledgeWriter> KnowledgeWriter::open(const WriterOptions& options) {
  auto server = TRY(qdrant_for_writing(options.data_dir, options.config));
  std::optional<FileLock> lock;
  if (!options.dry_run) lock = TRY(lock_for_ingest(options.data_dir));
  const StoreAddress address =
      options.store ? *options.store : TRY(configured_store(options.data_dir, options.config));
  KnowledgeStore store = TRY(options.dry_run ? open_to_look(address) : open_to_write(address));
  KnowledgeWriter writer(std::move(lock), std::move(store),
                         open_index_catalog(options.data_dir, std::move(server)));
  if (!options.dense) {
    writer.without_weights_ = "searching by words only, as asked";
    return writer;
  }
  const Precision precision =
      options.precision ? *options.precision : precision_of(TRY(writer.store_.model_in_use()));
  EncoderState encoder = TRY(open_encoder(precision));
  writer.without_weights_ = std::move(encoder.missing);
  writer.embedder_ = std::move(encoder.embedder);
  return writer;
}

template <typename Act>
auto KnowledgeWriter::with_parts(DocumentReader read, const Act& act)
    -> decltype(act(std::declval<const IngestParts&>())) {
  const Analyzer analyzer;
  const CodeAnalyzer code_analyzer;
  const PieceCounter count = embedder_ != nullptr ? PieceCounter([this](std::string_view text) {
    return embedder_->tokenizer().count(text);
  })
                                                  : PieceCounter(estimate_pieces);
  const SymbolFinder symbols = [this](std::string_view path, std::string_view text) {
    return ctags_->symbols(path, text);
  };
  const IngestParts parts{
      store_,
      *indexes_,
      embedder_.get(),
      [&](std::string_view text, Population population) {
        return population == Population::kCode ? code_analyzer.terms(text) : analyzer.terms(text);
      },
      [&](const Document& document) { return document_chunks(document, count, limits_, symbols); },
      std::move(read)};
  return act(parts);
}

Result<IngestReport> KnowledgeWriter::ingest(const IngestOptions& options, DocumentReader read,
                                             ProgressSink* progress, const CancelToken& cancel) {
  IngestReport report = TRY(with_parts(std::move(read), [&](const IngestParts& parts) {
    return precedent::ingest(options, parts, progress, cancel);
  }));
  // An ingest reads little of what is there already: without this it would end well over a damaged
  // page.
  if (!options.dry_run && !report.cancelled) TRY(store_.check_pages());
  return report;
}

Result<IngestReport> KnowledgeWriter::remove(const std::vector<std::string>& ids, bool dry_run,
                                             const CancelToken& cancel) {
  IngestOptions options;
  options.dry_run = dry_run;
  return with_parts(read_documents, [&](const IngestParts& parts) {
    return remove_documents(ids, options, parts, nullptr, cancel);
  });
}

Result<std::string> KnowledgeWriter::repair_index(bool rebuild, ProgressSink* progress,
                                                  const CancelToken& cancel) {
  return with_parts(read_documents, [&](const IngestParts& parts) {
    return precedent::repair_index({}, parts, rebuild, progress, cancel);
  });
}

Result<std::shared_ptr<KnowledgeIndex>> KnowledgeWriter::fill_index(IndexCatalog& target,
                                                                    ProgressSink* progress,
                                                                    const CancelToken& cancel) {
  return with_parts(read_documents, [&](const IngestParts& parts) {
    return precedent::fill_index({}, parts, target, progress, cancel);
  });
}

Result<IngestReport> KnowledgeWriter::publish_golden(ProgressSink* progress,
                                                     const CancelToken& cancel) {
  const std::optional<IndexBuild> build = TRY(store_.active_build());
  const uint64_t version = TRY(store_.version());
  const bool indexed = version == 0 || (build && index_version(*build) == version);
  if (indexed && TRY(golden_documents_in_step(store_))) return IngestReport{};
  IngestOptions options;
  options.prune = true;
  return ingest(options, golden_documents(store_), progress, cancel);
}

Result<void> KnowledgeWriter::drop_index() {
  const std::optional<IndexBuild> build = TRY(store_.active_build());
  if (!build) return {};
  return indexes_->drop(build->collection);
}

// 0 where the index cannot be opened: an ingest then rebuilds it.
uint64_t KnowledgeWriter::index_version(const IndexBuild& build) {
  const auto index = indexes_->open(build.collection);
  return index ? (*index)->info().version : 0;
}

}  // namespace precedent
