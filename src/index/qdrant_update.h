// QdrantUpdate: one generation of a collection, written: how qdrant_index.h says.
//
// Thread safety: one thread, one writer at a time. Lifetime: its arguments outlive it.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>

#include "index/knowledge_index.h"
#include "index/qdrant_collection.h"
#include "index/qdrant_head.h"

namespace precedent {

class QdrantUpdate {
 public:
  // `state` is the newest there is; `capacity` that of dense vectors.
  QdrantUpdate(QdrantCollection& collection, const QdrantState& state, size_t capacity)
      : collection_(collection), state_(state), capacity_(capacity) {}

  // The state of the new generation. Errors: as KnowledgeIndex::apply; then nothing can be seen of
  // it.
  Result<std::shared_ptr<const QdrantState>> apply(const IndexUpdate& update, uint64_t version);

 private:
  Result<void> clear_unfinished();
  Result<void> find_removed(const IndexUpdate& update);
  Result<void> find_removed(const nlohmann::json& condition);
  void count(const SparseVector& sparse, const Payload& payload, bool has_dense, int by);
  Result<void> set_model(const IndexUpdate& update, size_t dimensions);
  Result<void> write(const IndexUpdate& update);
  void delete_old();

  QdrantCollection& collection_;
  const QdrantState& state_;
  const size_t capacity_;
  QdrantHead head_;    // of the new generation
  TermTable changes_;  // that it brings
  std::shared_ptr<QdrantState> next_;
  std::unordered_set<std::string> removed_;  // ids in Qdrant
};

}  // namespace precedent
