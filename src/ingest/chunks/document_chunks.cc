#include "ingest/chunks/document_chunks.h"

#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "ingest/chunks/code_chunks.h"
#include "ingest/fields/attribute_text.h"

namespace precedent {
namespace {

// One list item for each attribute, and for each item of one that is a list: units that an answer
// may quote, each with its label ("Escalation: head of platform after 15 min").
std::string quotable(std::string_view attributes) {
  constexpr std::string_view kItem = "- ";
  std::string items;
  std::string_view label;
  for (const std::string_view line : split_lines(attributes)) {
    if (line.starts_with(kItem)) {
      items.append(kItem).append(label).append(" ").append(line.substr(kItem.size())).append("\n");
    } else if (line.ends_with(':')) {
      label = line;
    } else {
      items.append(kItem).append(line).append("\n");
    }
  }
  return items;
}

// The document as it is cut: without secrets, and with the same lines.
Document without_secrets(const Document& document) {
  Document clean = document;
  clean.body = redact_lines(document.body);
  clean.attributes = redact_fields(document.attributes);
  return clean;
}

std::vector<Chunk> chunks_of(const Document& document, const PieceCounter& count,
                             const Limits& limits, const SymbolFinder& symbols) {
  if (document.kind == Kind::kCode) {
    return code_chunks(document,
                       symbols ? symbols(document.path, document.body) : std::vector<Symbol>{},
                       count, limits);
  }
  const std::string attributes = attribute_text(document);
  std::vector<Chunk> chunks;
  if (attributes.empty() || !trim(document.body).empty()) chunks = chunk(document, count, limits);
  if (attributes.empty()) return chunks;
  Document details;
  details.title = document.title;
  details.body = "## Details\n\n" + quotable(attributes);
  details.body_line = 0;
  for (Chunk& piece : chunk(details, count, limits)) {
    piece.ordinal = static_cast<uint32_t>(chunks.size());
    chunks.push_back(std::move(piece));
  }
  return chunks;
}

}  // namespace

std::vector<Chunk> document_chunks(const Document& document, const PieceCounter& count,
                                   const Limits& limits, const SymbolFinder& symbols) {
  return chunks_of(without_secrets(document), count, limits, symbols);
}

}  // namespace precedent
