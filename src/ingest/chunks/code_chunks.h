// Source file → chunks, cut along its symbols: a function with the comment above it stays together,
// neighbours that are small are joined, a long one is cut at blank lines. Where no symbol is known,
// windows of lines, cut at blank lines.
//
// The title of the document is its path; a chunk's heading is the symbols it defines or lies in.
// All lines that are not blank are in exactly one chunk, unless one line is longer than a chunk;
// then it is cut. Deterministic; time is linear in the text but for the symbols' sort. Thread
// safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "base/limits.h"
#include "ingest/chunks/piece_count.h"
#include "ingest/chunks/symbols.h"
#include "knowledge/document.h"

namespace precedent {

// In order; one with empty text if there is none. As chunk() (chunker.h) each has at most
// limits.max_chunk_pieces pieces with its context. REQUIRES: as there.
std::vector<Chunk> code_chunks(const Document& document, std::span<const Symbol> symbols,
                               const PieceCounter& count, const Limits& limits);

}  // namespace precedent
