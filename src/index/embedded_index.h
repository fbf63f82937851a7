// EmbeddedIndex: the `KnowledgeIndex` in a folder of its own, without any service.
//
// A folder holds immutable segments (segment.h) and a manifest (manifest.h) that names them.
// apply() writes the new points as a segment and commits by replacing the manifest; now and then it
// merges segments (merge_policy.h). Opening maps the files and reads their headers: milliseconds,
// whatever the size. Format: docs/format/index.md.
//
// Thread safety: as the seam asks; one object may be shared by all threads. Several processes may
// have the folder open; each keeps the version it opened until refresh(). Writers exclude each
// other by a lock file: kConflict. Errors: kCorrupt names the file and the remedy (delete the
// folder, it is rebuilt from the store).
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "index/index_options.h"
#include "index/knowledge_index.h"

namespace precedent {

struct Snapshot;

class EmbeddedIndex final : public KnowledgeIndex {
 public:
  // Creates the folder if it is missing. Errors: kCorrupt, or the system's.
  static Result<std::unique_ptr<EmbeddedIndex>> open(const std::filesystem::path& folder,
                                                     const IndexOptions& options = {});
  // Of an index that was written before: kNotFound, and nothing is created, where there is none.
  // kIfSmall: it is verified if that takes a few milliseconds.
  enum class Verify { kIfSmall, kAlways };
  static Result<std::unique_ptr<EmbeddedIndex>> open_existing(const std::filesystem::path& folder,
                                                              Verify verify = Verify::kIfSmall);

  // Takes over what another process has committed since. True if there was something.
  Result<bool> refresh();
  // Compares all bytes of the index with their checksums. Reads every file whole: for `doctor`.
  Result<void> verify() const;

  IndexInfo info() const override;
  Result<std::vector<PointScore>> search_sparse(const SparseVector& query, const Filter& filter,
                                                Level level, size_t limit) const override;
  Result<std::vector<PointScore>> search_dense(std::span<const float> query, const Filter& filter,
                                               size_t limit) const override;
  Result<std::vector<Payload>> payloads(std::span<const uint64_t> ids) const override;
  Result<std::vector<std::pair<uint64_t, Payload>>> chunks_of(
      std::string_view doc_id) const override;
  Result<std::vector<std::vector<float>>> vectors(std::span<const uint64_t> ids) const override;
  Result<std::vector<Payload>> list(const Filter& filter, Order order, size_t limit) const override;
  Result<size_t> count_documents(const Filter& filter) const override;
  Result<std::vector<FacetCount>> facet(Facet facet, const Filter& filter) const override;
  Result<void> apply(const IndexUpdate& update, uint64_t version) override;

 private:
  EmbeddedIndex(std::filesystem::path folder, const IndexOptions& options)
      : folder_(std::move(folder)), options_(options) {}
  std::shared_ptr<const Snapshot> snapshot() const;
  Result<void> apply_locked(const IndexUpdate& update, size_t dimensions, uint64_t version);
  Result<void> commit(Snapshot next);
  void merge_while_needed();
  void remove_leftovers() const;

  std::filesystem::path folder_;
  IndexOptions options_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> snapshot_;  // behind mutex_; never null after open()
};

}  // namespace precedent
