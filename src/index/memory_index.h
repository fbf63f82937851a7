// MemoryIndex: the plain `KnowledgeIndex`. A vector of points and full scans, obvious on purpose.
//
// It is the oracle that the fast implementations are compared with, and the fake for tests of what
// lies above. Nothing is kept on disk: info().bytes is 0. It applies an update to a copy: for small
// indexes. Thread safety: as the seam asks.
#pragma once

#include <memory>
#include <mutex>

#include "index/knowledge_index.h"

namespace precedent {

class MemoryIndex final : public KnowledgeIndex {
 public:
  MemoryIndex();

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
  struct State {
    std::vector<Point> points;
    IndexInfo info;
  };
  std::shared_ptr<const State> state() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const State> state_;  // behind mutex_
};

}  // namespace precedent
