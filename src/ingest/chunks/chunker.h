// Document → chunks: the pieces that a search finds and a model embeds.
//
// A section starts a new chunk; sections too small to mean much alone are joined with the next
// sibling under their common heading. A longer section is cut between blocks, a block that is too
// long by itself between sentences, table rows (the header is repeated), code lines (the fences are
// repeated), and at the last between words. Between two chunks of one section one sentence is said
// twice, so that neither loses its thread.
//
// Every line of the body that is not blank is in at least one chunk. Headings are part of the text,
// and of the heading path. Deterministic; time is linear in the body. Thread safety: pure
// functions. Errors: none.
#pragma once

#include <string>
#include <vector>

#include "base/limits.h"
#include "ingest/chunks/piece_count.h"
#include "knowledge/document.h"

namespace precedent {

// In order. Each chunk's embedding_text() has at most limits.max_chunk_pieces pieces, [CLS] and
// [SEP] included. A body without text gives one chunk with empty text: its title is still worth
// finding. Lines are those of Document::path, or {0, 0} where Document::body_line is 0. REQUIRES:
// limits.max_chunk_pieces >= 128, body shorter than 4 GiB.
std::vector<Chunk> chunk(const Document& document, const PieceCounter& count, const Limits& limits);

// What is embedded for a chunk: title, heading path, text, a line each. Long titles and paths are
// shortened (the innermost headings stay); a heading is not repeated where the text begins with it.
std::string embedding_text(const Document& document, const Chunk& chunk);

}  // namespace precedent
