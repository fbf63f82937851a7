// Hit: one document that a search found, with its best passage. A plain value.
#pragma once

#include <cstdint>

#include "index/knowledge_index.h"
#include "search/fusion.h"
#include "search/snippet.h"

namespace precedent {

struct Hit {
  uint64_t point = 0;
  Payload payload;      // of the document's best chunk
  float relevance = 0;  // 0–1, comparable within one response
  Snippet snippet;
  ScoreParts parts;
};

}  // namespace precedent
