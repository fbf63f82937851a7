// The index's own records in a collection: the head, which names the newest generation, and the
// counts of terms (qdrant_terms.h).
//
// Thread safety: plain values and free functions. Errors: kCorrupt for records that are none or do
// not add up, with the remedy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/knowledge_index.h"
#include "index/qdrant_collection.h"
#include "index/qdrant_terms.h"

namespace precedent {

struct QdrantHead {
  std::string collection;   // that it was written for; "" of an older precedent
  uint64_t generation = 0;  // the newest that is whole
  uint64_t kept_from = 0;   // the oldest whose points are all there
  uint64_t terms_from = 0;  // the generation with the whole table of terms; later ones have changes
  IndexInfo info;
  uint64_t code_chunks = 0;
  uint64_t code_documents = 0;
  uint64_t vectors = 0;  // chunks that have one
  int64_t term_sum = 0;  // of the table, to see that no record is missing

  size_t points(Level level) const { return level == Level::kChunk ? info.chunks : info.documents; }
  // Of one population.
  size_t points(Level level, Population population) const;
};

// One generation, read: what every search needs.
struct QdrantState {
  QdrantHead head;
  TermTable terms;
};

std::string head_json(const QdrantHead& head);
// The points of `terms` as records of `generation`.
std::vector<std::string> term_points(const TermTable& terms, uint64_t generation);

// Errors: kNotFound if the collection has none, kConflict if it is that of another collection.
Result<QdrantHead> read_qdrant_head(const QdrantCollection& collection);
// The newest state; `known` saves reading what it has already.
Result<std::shared_ptr<const QdrantState>> read_qdrant_state(const QdrantCollection& collection,
                                                             const QdrantState* known);

}  // namespace precedent
