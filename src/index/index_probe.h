// Asks an index everything, for tests that only want to know that nothing breaks.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "index/knowledge_index.h"

namespace precedent {

// Results may be wrong or errors; the sum of their sizes keeps the calls from being optimised away.
inline size_t probe(const KnowledgeIndex& index) {
  size_t n = index.info().chunks;
  const auto add = [&](const auto& result) { n += result ? result->size() : 0; };
  Filter filter;
  filter.kinds = {Kind::kIncident};
  filter.services = {"checkout-api", "service-1"};
  filter.opened.from = TimePoint(std::chrono::seconds(-100));
  std::vector<float> query(index.info().dimensions);
  std::iota(query.begin(), query.end(), 1.0f);
  std::vector<uint64_t> ids(40);
  std::iota(ids.begin(), ids.end(), 0);
  for (const Filter& f : {Filter{}, filter}) {
    for (const Level level : {Level::kChunk, Level::kDocument}) {
      add(index.search_sparse({{1, 2, 3, 1'000'000, 4'000'000'000}, {1, 1, 1, 1, 1}}, f, level, 5));
    }
    if (!query.empty()) add(index.search_dense(query, f, 3));
    add(index.list(f, KnowledgeIndex::Order::kNewest, 10));
    add(index.facet(Facet::kService, f));
    add(index.facet(Facet::kKind, f));
    n += index.count_documents(f).value_or(0);
  }
  add(index.payloads(ids));
  add(index.vectors(ids));
  add(index.chunks_of("INC-2025-01-20-005"));
  return n;
}

}  // namespace precedent
