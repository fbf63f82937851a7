// DatasetVersions: the table incident_dataset_versions of a store, and the records of each version.
//
// Records are kept once for all versions that have them, by their content. The switch itself is
// part of a StoreUpdate (knowledge_store.h), so that it is one transaction with what it changes.
// Writers hold ingest.lock, as everybody who writes to a store. Format: docs/format/store.md.
// Thread safety: all members. Lifetime: the store outlives it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/document.h"
#include "store/dataset_version.h"
#include "store/knowledge_store.h"

namespace precedent {

class DatasetVersions {
 public:
  // Writing through one that is open for reading fails as the store does.
  explicit DatasetVersions(const KnowledgeStore& store) : connection_(*store.connection_) {}

  Result<DatasetVersion> create(const VersionDraft& draft, TimePoint now);

  // Oldest first, without the mapping and the report.
  Result<std::vector<DatasetVersion>> list() const;
  // Errors: kNotFound naming those that there are.
  Result<DatasetVersion> find(uint64_t number) const;
  Result<std::optional<DatasetVersion>> active() const;
  // Where a rollback ends: at the one that was active before the active one, or, where the last
  // step was a rollback already, at the active one itself, so that doing it twice does it once.
  // What a rollback left counts again once it is activated by name. Nothing if none is kept.
  Result<std::optional<DatasetVersion>> to_go_back_to() const;

  // The records that a version has now, instead of those it had, and what was said of them. Its
  // state becomes validated or, where none is usable, failed. Errors: as require_transition().
  Result<DatasetVersion> validated(uint64_t number, const std::vector<Document>& records,
                                   const VersionCounts& counts, const std::string& report,
                                   TimePoint now);
  // Errors: as require_transition(). Discarding forgets the records.
  Result<DatasetVersion> move(uint64_t number, VersionState to, TimePoint now);
  // Discards what was superseded longest ago, until at most `kept` are. Returns their numbers.
  Result<std::vector<uint64_t>> keep(size_t kept, TimePoint now);

  // id → content hash.
  Result<std::map<std::string, std::string>> hashes(uint64_t number) const;
  // `from` 0: none. A record that says the same in another file, or further down in it, has not
  // changed.
  Result<VersionDifference> difference(uint64_t from, uint64_t to) const;
  // From the active one, or from none.
  Result<VersionDifference> against_active(uint64_t to) const;
  // Ids of the active version that an ingest or a removal outside of versions has replaced since.
  Result<std::vector<std::string>> replaced() const;
  // Those that are wanted by their id and content hash; by id, one at a time.
  using Wanted = std::function<bool(const std::string& id, const std::string& hash)>;
  Result<void> visit(uint64_t number, const Wanted& wanted,
                     const std::function<Result<void>(Document&&)>& visitor) const;

 private:
  Result<void> keep_what_says_otherwise(VersionDifference& difference) const;

  StoreConnection& connection_;
};

}  // namespace precedent
