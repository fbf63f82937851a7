// KnowledgeView: what is known, as a caller may see it, at one moment.
//
// Its parts live as long as `keeps`: never held beyond a request. Thread safety: as its parts.
#pragma once

#include <memory>

#include "search/searcher.h"
#include "store/knowledge_store.h"

namespace precedent {

struct KnowledgeView {
  std::shared_ptr<const void> keeps;
  const Searcher& search;
  const KnowledgeStore& store;
};

}  // namespace precedent
