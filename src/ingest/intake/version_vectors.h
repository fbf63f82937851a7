// The vectors that versions of the incident data need which can become active at once: those that
// are ready, and those that a rollback goes to. No document has them meanwhile.
//
// Thread safety: as the store.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "base/error.h"
#include "ingest/publish/prepare.h"
#include "store/knowledge_store.h"

namespace precedent {

// How many records such versions have that differ: they need at least as many vectors.
Result<size_t> count_version_records(const KnowledgeStore& store);
// The keys of the vectors: cuts every such record.
Result<std::set<std::string>> version_vector_keys(const KnowledgeStore& store,
                                                  const Chunker& chunk);

}  // namespace precedent
