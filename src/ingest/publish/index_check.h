// IndexCheck: whether an index holds what its store says: the change number, how many documents of
// each kind, how many chunks, and a sample of documents with their chunks and vectors.
//
// Reads both, changes nothing. Thread safety: free functions over values. Errors: those of the
// store and the index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/knowledge_index.h"
#include "ingest/publish/point_builder.h"
#include "store/knowledge_store.h"

namespace precedent {

struct IndexCheck {
  uint64_t store_version = 0;
  uint64_t index_version = 0;
  size_t sampled = 0;  // documents that were compared
  // What the index has and the store has not, or the other way, a sentence each. Empty where the
  // index merely lags behind: what comes next brings it up to date.
  std::vector<std::string> differences;

  bool lags() const { return index_version != store_version; }
  bool good() const { return !lags() && differences.empty(); }
};

// Documents compared one by one: a damage of one in fifty is seen nine times of ten.
inline constexpr size_t kSampledDocuments = 100;

Result<IndexCheck> check_index(const KnowledgeStore& store, const IndexBuild& build,
                               const KnowledgeIndex& index, size_t sample = kSampledDocuments);

struct SampledQueries {
  size_t asked = 0;
  std::vector<std::string> differences;  // a sentence each
};

// Searches by the vectors of a sample of chunks, each of which must find its own chunk, and by the
// titles of their documents; the hits must be those of `other` (null: there is no other).
Result<SampledQueries> compare_queries(const KnowledgeStore& store, const KnowledgeIndex& index,
                                       const KnowledgeIndex* other, const Tokenizer& tokenize,
                                       size_t sample);

}  // namespace precedent
