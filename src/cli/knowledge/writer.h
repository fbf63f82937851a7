// KnowledgeWriter: a knowledge base opened for ingest: the lock, the store, the indexes, the
// encoder.
//
// Used by `ingest`, `remove`, `golden` and `feedback` and, on a temporary folder, by `eval`.
// Ownership: owns all its parts. One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "embed/minilm.h"
#include "files/files.h"
#include "ingest/chunks/ctags.h"
#include "ingest/pipeline.h"
#include "store/knowledge_store.h"

namespace precedent {

struct WriterOptions {
  std::filesystem::path data_dir;
  // Nothing: that of the vectors that are there, so that none is made anew.
  std::optional<Precision> precision = Precision::kFloat32;
  bool dense = true;     // false: words only, even where there are weights
  bool dry_run = false;  // open what is there for reading only, create nothing
  std::optional<StoreAddress> store = std::nullopt;  // instead of the one that is configured
  std::string config = {};  // names where store and index are; "": looked for
};

class KnowledgeWriter {
 public:
  // Creates the data directory unless `dry_run`. Errors: kConflict if another process ingests into
  // it, or into the same PostgreSQL.
  static Result<KnowledgeWriter> open(const WriterOptions& options);

  Result<IngestReport> ingest(const IngestOptions& options, DocumentReader read,
                              ProgressSink* progress, const CancelToken& cancel);

  // Errors: as ingest(). `dry_run`: only counts.
  Result<IngestReport> remove(const std::vector<std::string>& ids, bool dry_run,
                              const CancelToken& cancel);

  // Makes what may be served of the golden examples searchable, and what may not unfindable: after
  // every change of them. Also repairs what an interrupted call left. Nothing is done if nothing
  // is out of step; then the report is empty.
  Result<IngestReport> publish_golden(ProgressSink* progress, const CancelToken& cancel);

  // What pipeline.h says of repair_index and fill_index.
  Result<std::string> repair_index(bool rebuild, ProgressSink* progress, const CancelToken& cancel);
  Result<std::shared_ptr<KnowledgeIndex>> fill_index(IndexCatalog& target, ProgressSink* progress,
                                                     const CancelToken& cancel);
  // Where the index is that is in use.
  IndexCatalog& indexes() { return *indexes_; }

  // Of a knowledge base that is thrown away: on a server it would outlive its folder.
  Result<void> drop_index();

  KnowledgeStore& store() { return store_; }
  const Embedder* embedder() const { return embedder_.get(); }  // null without weights

  // "ctags" or "lines": part of what decides whether a file of code is cut again.
  std::string_view cuts_code_by() const { return ctags_->available() ? "ctags" : "lines"; }
  // Why code has no symbols, with the remedy; "" if it has.
  const std::string& without_symbols() const { return ctags_->missing(); }

  // Why there are no vectors, with the remedy; "" if there are.
  const std::string& without_weights() const { return without_weights_; }

 private:
  KnowledgeWriter(std::optional<FileLock> lock, KnowledgeStore store,
                  std::unique_ptr<IndexCatalog> indexes)
      : lock_(std::move(lock)), store_(std::move(store)), indexes_(std::move(indexes)) {}

  // `act` with the parts of an ingest.
  template <typename Act>
  auto with_parts(DocumentReader read, const Act& act)
      -> decltype(act(std::declval<const IngestParts&>()));
  uint64_t index_version(const IndexBuild& build);

  std::optional<FileLock> lock_;  // none in a dry run
  KnowledgeStore store_;
  std::unique_ptr<IndexCatalog> indexes_;
  std::unique_ptr<MiniLmEmbedder> embedder_;
  std::string without_weights_;
  std::unique_ptr<Ctags> ctags_ = std::make_unique<Ctags>();
  Limits limits_;
};

}  // namespace precedent
