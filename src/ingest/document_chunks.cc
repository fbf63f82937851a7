#include "ingest/document_chunks.h"

#include "base/strings.h"
#include "ingest/attribute_text.h"

namespace precedent {

std::vector<Chunk> document_chunks(const Document& document, const PieceCounter& count,
                                   const Limits& limits) {
  const std::string attributes = attribute_text(document);
  std::vector<Chunk> chunks;
  if (attributes.empty() || !trim(document.body).empty()) chunks = chunk(document, count, limits);
  if (attributes.empty()) return chunks;
  Document details;
  details.title = document.title;
  // One list item an attribute: each is a unit that an answer may quote.
  details.body = "## Details\n\n";
  for (const std::string_view line : split_lines(attributes))
    details.body.append("- ").append(line).append("\n");
  details.body_line = 0;
  for (Chunk& piece : chunk(details, count, limits)) {
    piece.ordinal = static_cast<uint32_t>(chunks.size());
    chunks.push_back(std::move(piece));
  }
  return chunks;
}

}  // namespace precedent
