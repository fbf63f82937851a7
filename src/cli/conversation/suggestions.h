// Questions that a knowledge base surely answers, for whoever does not know what to ask it.
//
// Thread safety: as the store's.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "store/knowledge_store.h"

namespace precedent {

// At most three: of the newest incident that has begun by `now`, of a runbook, and of what most
// documents are about. Empty for an empty store, and for one that cannot be read.
std::vector<std::string> suggested_questions(const KnowledgeStore& store, TimePoint now);

}  // namespace precedent
