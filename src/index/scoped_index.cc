#include "index/scoped_index.h"

#include <algorithm>

#include "knowledge/case_fold.h"

namespace precedent {

bool ScopedIndex::sees(const Payload& payload) const {
  if (!scope_.sees(payload.kind)) return false;
  if (scope_.services.empty()) return true;
  return std::ranges::any_of(scope_.services, [&](const std::string& service) {
    const std::string wanted = case_fold(service);
    const auto is = [&](const std::string& name) { return case_fold(name) == wanted; };
    return is(payload.application) || std::ranges::any_of(payload.services, is);
  });
}

IndexInfo ScopedIndex::info() const {
  IndexInfo info = index_.info();
  info.documents = count_documents({}).value_or(0);
  info.chunks = 0;  // not counted by scope
  return info;
}

Result<std::vector<PointScore>> ScopedIndex::search_sparse(const SparseVector& query,
                                                           const Filter& filter, Level level,
                                                           size_t limit) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return std::vector<PointScore>();
  return index_.search_sparse(query, *narrowed, level, limit);
}

Result<std::vector<PointScore>> ScopedIndex::search_dense(std::span<const float> query,
                                                          const Filter& filter,
                                                          size_t limit) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return std::vector<PointScore>();
  return index_.search_dense(query, *narrowed, limit);
}

Result<SearchLists> ScopedIndex::search_all(const SparseVector& sparse,
                                            std::span<const float> dense, const Filter& filter,
                                            size_t limit) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return SearchLists();
  return index_.search_all(sparse, dense, *narrowed, limit);
}

Result<std::vector<Payload>> ScopedIndex::payloads(std::span<const uint64_t> ids) const {
  std::vector<Payload> found = TRY(index_.payloads(ids));
  std::erase_if(found, [&](const Payload& payload) { return !sees(payload); });
  return found;
}

Result<std::vector<std::pair<uint64_t, Payload>>> ScopedIndex::chunks_of(
    std::string_view doc_id) const {
  auto chunks = TRY(index_.chunks_of(doc_id));
  std::erase_if(chunks, [&](const auto& chunk) { return !sees(chunk.second); });
  return chunks;
}

Result<std::vector<std::vector<float>>> ScopedIndex::vectors(std::span<const uint64_t> ids) const {
  return index_.vectors(ids);
}

Result<std::vector<Payload>> ScopedIndex::list(const Filter& filter, Order order,
                                               size_t limit) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return std::vector<Payload>();
  return index_.list(*narrowed, order, limit);
}

Result<size_t> ScopedIndex::count_documents(const Filter& filter) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return 0;
  return index_.count_documents(*narrowed);
}

Result<std::vector<FacetCount>> ScopedIndex::facet(Facet facet, const Filter& filter) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return std::vector<FacetCount>();
  return index_.facet(facet, *narrowed);
}

Result<void> ScopedIndex::apply(const IndexUpdate&, uint64_t) {
  return fail(ErrorCode::kPermission, "an index that is seen through a scope is not written to");
}

}  // namespace precedent
