// The index of a knowledge base, kept in step with its store: opened, repaired, appended to,
// rebuilt.
//
// The store is written first, then the index is told. Whatever stops an ingest in between, the
// index says which change number it reflects, and the next ingest brings it up from the store. What
// cannot be taken up in place is built as a new collection and then activated
// (store/index_build.h); the one before stays searchable until that moment. Thread safety: one
// thread.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "ingest/publish/index_catalog.h"
#include "ingest/publish/ordered_stages.h"
#include "ingest/publish/prepare.h"
#include "ingest/publish/progress_meter.h"
#include "store/knowledge_store.h"

namespace precedent {

class Publisher {
 public:
  struct Settings {
    Bm25Params bm25;
    std::string model_id;   // of the dense vectors; "" for none
    size_t dimensions = 0;  // of them
    size_t threads = 2;
    size_t batch_bytes;    // of text read from the store at once
    size_t publish_bytes;  // of text given to the index at once
  };

  // Lifetime: the arguments outlive it.
  Publisher(const Settings& settings, KnowledgeStore& store, IndexCatalog& indexes,
            const Preparer& preparer, ProgressMeter& progress, const CancelToken& cancel);

  // Opens the index and makes it reflect the store. Returns what had to be done, as a sentence; ""
  // if nothing.
  Result<std::string> ensure();

  // Builds the index anew beside the one that is searched, and activates it.
  Result<void> rebuild();

  // Makes `target` hold the active build, too, so that it can take the place of the catalog in
  // use. What an interrupted call left there is kept. Returns the index there.
  // Errors: kNotFound if nothing was ever ingested, kConflict if the build is not of this model and
  // these rules.
  Result<std::shared_ptr<KnowledgeIndex>> fill(IndexCatalog& target);

  // Documents that the store just took, with their points, and ids that it removed; both up to
  // `version`.
  Result<void> publish(std::vector<PreparedDocument> added, std::vector<std::string> removed,
                       uint64_t version);

  // Rebuilds if the averages moved too far from those that the index was built with.
  Result<bool> rebuild_if_drifted();

  // What is searched now; null before the first document.
  const KnowledgeIndex* index() const { return index_.get(); }

 private:
  using Pages = OrderedStages<PreparedBatch>;

  // Why the active index cannot be used as it is; "" if it can.
  Result<std::string> unusable(const IndexBuild& build);
  Result<void> catch_up(KnowledgeIndex& index, uint64_t from_version);
  // All documents of the store, but for those that `index` has already where it is resumed.
  Result<void> give_all(KnowledgeIndex& index, bool resumed, uint64_t version);
  Result<std::vector<std::string>> vanished_from(const KnowledgeIndex& index) const;
  Result<void> create_with(std::vector<PreparedDocument> added, uint64_t version);
  Result<void> drop_inactive();
  // Gives the pages of stored documents to the index; `last` is the version once all are in,
  // `until_then` before that.
  Result<void> republish(const Pages::Produce& pages, KnowledgeIndex& index, IndexUpdate first,
                         uint64_t until_then, uint64_t last);
  Result<IndexBuildDraft> draft() const;
  void append_points(IndexUpdate& update, PreparedDocument item) const;

  Settings settings_;
  KnowledgeStore& store_;
  IndexCatalog& indexes_;
  const Preparer& preparer_;
  ProgressMeter& progress_;
  const CancelToken& cancel_;
  std::optional<IndexBuild> build_;
  std::array<CorpusStats, kPopulations> stats_;  // of build_
  std::shared_ptr<KnowledgeIndex> index_;
};

}  // namespace precedent
