// All the chunks of a document: those of its body, then its attributes as a last section "Details",
// so that an owner, a workaround or a ticket in the front matter is found and quoted like any
// sentence.
//
// Secrets go before anything is cut, so that no chunk, no index and no snippet of one holds a value
// whose name stands in another piece; the document itself stays as it was written.
//
// Thread safety: pure function.
#pragma once

#include <vector>

#include "ingest/chunks/chunker.h"
#include "ingest/chunks/symbols.h"

namespace precedent {

// A source file is cut along `symbols`, or by lines where there is no finder; its attributes are
// for the tool that shows it. Ordinals count through. The lines of the details are {0, 0}: they
// stand in no particular line.
std::vector<Chunk> document_chunks(const Document& document, const PieceCounter& count,
                                   const Limits& limits, const SymbolFinder& symbols = nullptr);

}  // namespace precedent
