// All the chunks of a document: those of its body, then its attributes as a last section "Details", so that an owner,
// a workaround or a ticket in the front matter is found and quoted like any sentence.
//
// Thread safety: pure function.
#pragma once

#include <vector>

#include "ingest/chunker.h"

namespace precedent {

// Ordinals count through. The lines of the details are {0, 0}: they stand in no particular line.
std::vector<Chunk> document_chunks(const Document& document, const PieceCounter& count,
                                   const Limits& limits);

}  // namespace precedent
