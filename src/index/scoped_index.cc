#include "index/scoped_index.h"

#include <algorithm>

#include "knowledge/case_fold.h"

namespace precedent {
namespace {

std::vector<std::string> longest_first(std::vector<std::string> sources) {
  std::ranges::sort(sources, std::ranges::greater(), &std::string::size);
  return sources;
}

}  // namespace

ScopedIndex::ScopedIndex(const KnowledgeIndex& index, Scope scope, std::vector<std::string> sources)
    : index_(index), scope_(std::move(scope)), sources_(longest_first(std::move(sources))) {}

// As the store has it (store/scope_views.cc), which knows whose source a document is of.
std::string ScopedIndex::shown_path(const std::string& path) const {
  if (!path.starts_with('/')) return path;
  const auto above = std::ranges::find_if(sources_, [&](const std::string& source) {
    return path.size() > source.size() && path[source.size()] == '/' && path.starts_with(source);
  });
  const size_t begin = above == sources_.end() ? path.rfind('/') : above->size();
  return path.substr(begin + 1);
}

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
  if (scope_.everything()) return info;
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
  for (Payload& payload : found) payload.path = shown_path(payload.path);
  return found;
}

Result<std::vector<std::pair<uint64_t, Payload>>> ScopedIndex::chunks_of(
    std::string_view doc_id) const {
  auto chunks = TRY(index_.chunks_of(doc_id));
  std::erase_if(chunks, [&](const auto& chunk) { return !sees(chunk.second); });
  for (auto& [point, payload] : chunks) payload.path = shown_path(payload.path);
  return chunks;
}

Result<std::vector<std::vector<float>>> ScopedIndex::vectors(std::span<const uint64_t> ids) const {
  return index_.vectors(ids);
}

Result<std::vector<Payload>> ScopedIndex::list(const Filter& filter, Order order,
                                               size_t limit) const {
  const auto narrowed = within(scope_, filter);
  if (!narrowed) return std::vector<Payload>();
  std::vector<Payload> listed = TRY(index_.list(*narrowed, order, limit));
  for (Payload& payload : listed) payload.path = shown_path(payload.path);
  return listed;
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
