// ScopedIndex: what others may see of an index, through the same seam. For reading only.
//
// Every search, list, count and facet is narrowed by the scope, and points asked for by their id
// are left out where they are outside. Scores stay those of the whole index: how common a word is
// is counted over all documents. Paths of this machine are shown below their source.
// Thread safety: as the index. Lifetime: the index outlives it.
#pragma once

#include "index/knowledge_index.h"
#include "knowledge/scope.h"

namespace precedent {

class ScopedIndex final : public KnowledgeIndex {
 public:
  // `sources`: where documents come from; a path below one is shown from there on.
  ScopedIndex(const KnowledgeIndex& index, Scope scope, std::vector<std::string> sources = {});

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
  // Not narrowed: a vector without its text tells nothing, and its id comes from a search here.
  Result<std::vector<std::vector<float>>> vectors(std::span<const uint64_t> ids) const override;
  Result<std::vector<Payload>> list(const Filter& filter, Order order, size_t limit) const override;
  Result<size_t> count_documents(const Filter& filter) const override;
  Result<std::vector<FacetCount>> facet(Facet facet, const Filter& filter) const override;
  // Errors: kPermission, always.
  Result<void> apply(const IndexUpdate& update, uint64_t version) override;

 private:
  bool sees(const Payload& payload) const;
  std::string shown_path(const std::string& path) const;

  const KnowledgeIndex& index_;
  const Scope scope_;
  const std::vector<std::string> sources_;  // the longest first
};

}  // namespace precedent
