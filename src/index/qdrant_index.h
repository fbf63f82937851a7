// QdrantIndex: the `KnowledgeIndex` in a collection of a Qdrant server (1.16 or later).
//
// Versions. Qdrant has no transactions over several points, so each update is a generation: its
// points are `born` in it, and what it removes is `gone` from it on. A reader names the generation
// it reads in every filter; one record, the head, names the newest. apply() writes the next
// generation, which nobody sees, and then replaces the head: one point, hence atomic. What a crash
// leaves is a generation that no head names; the next apply() clears it away first. Points that
// were gone before the last update are deleted after the next, so that who reads the generation
// before the newest still finds it whole. Each reading ends with a look at the head: if the points
// of its generation may have been deleted meanwhile, it is done again with the newest.
//
// What Qdrant promises less than a file: the head is durable as the server's write-ahead log is (a
// killed server keeps it; a power cut may lose the last seconds, points and head together, as there
// is one shard). With more shards, each has a log of its own, and a power cut may lose points of a
// generation whose head was kept: leave it at one.
//
// Scores are those of the embedded index: the weights of a query carry the idf, computed from our
// own document frequencies (qdrant_terms.h) of the generation that is read.
//
// Thread safety and errors: as the seam asks; a dead server is kUnavailable and names its address.
// One object keeps the version it opened until refresh(), or until the server has it no longer.
// Ownership: shares the api. Format: docs/qdrant.md.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "base/mutex.h"
#include "index/knowledge_index.h"
#include "index/qdrant_collection.h"
#include "index/qdrant_head.h"

namespace precedent {

class QdrantIndex final : public KnowledgeIndex {
 public:
  // A new one, empty, in the place of an index of this name. `dimensions`: the most that a dense
  // vector of this collection can have. Errors: kConflict for a collection that is not ours.
  static Result<std::unique_ptr<QdrantIndex>> create(std::shared_ptr<QdrantApi> api,
                                                     const std::string& collection,
                                                     size_t dimensions = kDimensions);
  // Errors: kNotFound if there is none, kCorrupt for one of another form.
  static Result<std::unique_ptr<QdrantIndex>> open(std::shared_ptr<QdrantApi> api,
                                                   const std::string& collection);
  // None of this name is no error. Errors: kConflict for a collection that is not ours.
  static Result<void> drop(std::shared_ptr<QdrantApi> api, const std::string& collection);

  // What people and other programs find the collection by: "kb-1f2e3d4c" of "kb-1f2e3d4c-3".
  static std::string alias_of(std::string_view collection);
  // Makes that alias name this collection, in one call. What it named until now, if that was
  // another; "" otherwise.
  static Result<std::string> announce(std::shared_ptr<QdrantApi> api,
                                      const std::string& collection);
  // Of one whose place another has taken: dropped once that is longer ago than the grace of the
  // configuration; until then whoever reads it can finish. True when it is gone.
  // Errors: as drop().
  static Result<bool> retire(std::shared_ptr<QdrantApi> api, const std::string& collection,
                             TimePoint now);

  // Takes over what another process has committed since. True if there was something.
  Result<bool> refresh();

  IndexInfo info() const override;
  Result<std::vector<PointScore>> search_sparse(const SparseVector& query, const Filter& filter,
                                                Level level, size_t limit) const override;
  Result<std::vector<PointScore>> search_dense(std::span<const float> query, const Filter& filter,
                                               size_t limit) const override;
  Result<SearchLists> search_all(const SparseVector& sparse, std::span<const float> dense,
                                 const Filter& filter, size_t limit) const override;
  Result<std::vector<Payload>> payloads(std::span<const uint64_t> ids) const override;
  Result<std::vector<std::pair<uint64_t, Payload>>> chunks_of(
      std::string_view doc_id) const override;
  Result<std::vector<std::vector<float>>> vectors(std::span<const uint64_t> ids) const override;
  Result<std::vector<Payload>> list(const Filter& filter, Order order, size_t limit) const override;
  Result<size_t> count_documents(const Filter& filter) const override;
  Result<std::vector<FacetCount>> facet(Facet facet, const Filter& filter) const override;
  Result<void> apply(const IndexUpdate& update, uint64_t version) override;

 private:
  // Those of the encoder in models/: a shorter vector is filled up with zeros.
  static constexpr size_t kDimensions = 384;

  QdrantIndex(std::shared_ptr<QdrantApi> api, const std::string& collection)
      : collection_(std::move(api), collection) {}
  std::shared_ptr<const QdrantState> state() const;
  Result<void> load();
  // What `read` makes of a state whose points were all there until it had read them.
  template <typename Read>
  auto read_whole(const Read& read) const -> decltype(read(*state()));
  // By id, what `generation` has of them.
  Result<std::unordered_map<uint64_t, QdrantRecord>> records_of(std::span<const uint64_t> ids,
                                                                uint64_t generation,
                                                                const nlohmann::json& with) const;
  // One list of a question: what it asks for, `n` points each; how many it can have at the most.
  struct ListQuery {
    std::function<std::vector<std::string>(size_t n)> searches;
    size_t points = 0;
    bool positive = false;  // without points of score 0
  };
  static ListQuery sparse_list(const QdrantState& now, const SparseVector& query,
                               const Filter& filter, Level level);
  Result<ListQuery> dense_list(const QdrantState& now, std::span<const float> query,
                               const Filter& filter) const;
  // The best `limit` points of each, in one request but for ties at the limit.
  Result<std::vector<std::vector<PointScore>>> best_of(std::span<const ListQuery> lists,
                                                       size_t limit) const;

  QdrantCollection collection_;
  size_t capacity_ = 0;  // of the dense vectors
  mutable Mutex mutex_;
  // Never null after open().
  mutable std::shared_ptr<const QdrantState> state_ GUARDED_BY(mutex_);
};

}  // namespace precedent
