// The served golden examples as a source of documents: what makes them searchable.
//
// An ingest that reads with this (and prunes) leaves exactly the examples that are reviewed and
// active in the index. It can be repeated at any time; what an interrupted one left is put right by
// the next. Thread safety: one call, one thread.
#pragma once

#include "ingest/pipeline.h"

namespace precedent {

// Lifetime: `store` outlives the reader. An example whose id a document of another kind took in
// the meantime is reported as bad, and that document is left alone.
DocumentReader golden_documents(const KnowledgeStore& store);

// Whether every served example has its document and nothing else has one: there is nothing to do.
Result<bool> golden_documents_in_step(const KnowledgeStore& store);

}  // namespace precedent
