// StandbyIndex: an index on a server that may be gone, with the store standing in for what the
// store knows, too.
//
//                                server answers      server gone, refuses, or talks nonsense
//   list, count, facet,
//   chunks of a document         the index           the store
//   search, payloads, vectors    the index           its error, which says what is missing
//
// So incidents are still found by id, application and date, and a name is still recognised. An
// index that could not be opened is opened when something is asked of it: the server's api sees to
// it that nobody waits for one that is gone (qdrant_api.h). What the store says is read whole,
// without texts, at the first question that needs it, and again after each change of the store.
//
// For reading only. Thread safety: as the seam asks. Lifetime: the store outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/mutex.h"
#include "index/knowledge_index.h"
#include "store/knowledge_store.h"

namespace precedent {

class StandbyIndex final : public KnowledgeIndex {
 public:
  using Open = std::function<Result<std::unique_ptr<KnowledgeIndex>>()>;

  // `expected`: what the index is, for as long as it could not be opened. Opens it. Errors: those
  // of `open` that are no absence: a wrong address, an index that is not there, one of others.
  static Result<std::unique_ptr<StandbyIndex>> create(const KnowledgeStore& store,
                                                      IndexInfo expected, Open open);

  // Whether the server answers, and what it says of its documents. Asks the index, never the store.
  Result<size_t> indexed_documents() const;

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
  // Errors: kPermission, always.
  Result<void> apply(const IndexUpdate& update, uint64_t version) override;

 private:
  StandbyIndex(const KnowledgeStore& store, IndexInfo expected, Open open)
      : store_(store), expected_(std::move(expected)), open_(std::move(open)) {}
  Result<std::shared_ptr<const KnowledgeIndex>> index() const;
  // What `ask` says of the index, else of what the store knows.
  template <typename Ask>
  auto ask_either(const Ask& ask) const -> decltype(ask(std::declval<const KnowledgeIndex&>()));
  // The documents of the store, without vectors and texts. Errors: those of the store, and
  // kResourceExhausted if they are too many.
  Result<std::shared_ptr<const KnowledgeIndex>> documents_of_store() const;

  const KnowledgeStore& store_;
  const IndexInfo expected_;
  const Open open_;
  mutable Mutex mutex_;
  mutable std::shared_ptr<const KnowledgeIndex> index_ GUARDED_BY(mutex_);
  mutable std::optional<Error> absent_ GUARDED_BY(mutex_);  // why index_ is null
  mutable bool opening_ GUARDED_BY(mutex_) = false;
  mutable Mutex reading_;
  mutable std::shared_ptr<const KnowledgeIndex> documents_ GUARDED_BY(reading_);
};

}  // namespace precedent
