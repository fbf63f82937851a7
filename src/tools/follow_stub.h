// A stub: a section that only says where to read. Whoever asks wants what stands there.
//
// Thread safety: as the store's. Errors: the store's.
#pragma once

#include <optional>

#include "base/error.h"
#include "knowledge/document.h"
#include "store/knowledge_store.h"

namespace precedent {

struct Followed {
  Document document;
  Chunk chunk;
};

// What a section that is a stub points to: the chunk of the other document that stands under the
// same heading, else the first that tells steps, else its first. `of`: the document of the stub.
// Nothing if the section is none (no more than kMaxStubWords words, with one link to a document of
// the knowledge base).
inline constexpr size_t kMaxStubWords = 30;
Result<std::optional<Followed>> follow_stub(std::string_view section, std::string_view heading,
                                            const Document& of, const KnowledgeStore& store);

}  // namespace precedent
