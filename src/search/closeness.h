// Closeness: how near whole documents are to a question, by meaning. A passage may answer a
// question by chance; the mean of all passages says what the document is about.
//
// Thread safety: pure but for reading the index.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/knowledge_index.h"

namespace precedent {

// For each document the cosine (−1 to 1) of `question`, as the index's embedder has it, with the
// mean of the vectors of its chunks; 0 for one that has none, or does not exist.
Result<std::vector<float>> closeness(std::span<const float> question,
                                     std::span<const std::string> documents,
                                     const KnowledgeIndex& index);

}  // namespace precedent
