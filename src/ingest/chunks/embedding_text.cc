// embedding_text() of chunker.h.
#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/chunks/chunker.h"
#include "ingest/chunks/embedding_context.h"
#include "text/markdown.h"

namespace precedent {
namespace {

// As many whole words of `text` as are estimated to have at most `max_pieces` pieces.
std::string first_words(std::string_view text, size_t max_pieces) {
  // No piece is longer than this on average, so that a huge title is not read to its end.
  constexpr size_t kMaxBytesPerPiece = 8;
  std::string out;
  size_t pieces = 0;
  for (const std::string_view word :
       split(utf8_prefix(text, max_pieces * kMaxBytesPerPiece), ' ')) {
    if (word.empty()) continue;
    pieces += estimate_pieces(word);
    if (pieces > max_pieces) break;
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

}  // namespace

std::string embedding_context(std::string_view title, const std::vector<std::string>& heading) {
  std::string context = first_words(squeeze(title), kMaxTitlePieces);
  std::string path;
  for (size_t i = heading.size(); i-- > 0;) {
    std::string longer = path.empty() ? heading[i] : heading[i] + " > " + path;
    if (estimate_pieces(longer) > kMaxPathPieces) {
      if (path.empty()) path = first_words(longer, kMaxPathPieces);
      break;
    }
    path = std::move(longer);
  }
  if (!path.empty()) context += (context.empty() ? "" : "\n") + path;
  return context;
}

bool in_context(std::string_view heading, std::string_view title,
                const std::vector<std::string>& path) {
  return iequals(heading, squeeze(title)) ||
         std::find(path.begin(), path.end(), heading) != path.end();
}

std::string embedding_text(const Document& document, const Chunk& chunk) {
  // Its title is the same question again: questions are compared with questions, each said once.
  if (document.kind == Kind::kGolden) return chunk.text;
  std::string_view text = chunk.text;
  // "# include" is no heading.
  const bool markdown = document.kind != Kind::kCode;
  for (const Block& block : markdown ? parse_blocks(chunk.text) : std::vector<Block>()) {
    if (block.kind != BlockKind::kHeading) break;
    if (!in_context(heading_text(chunk.text, block), document.title, chunk.heading)) break;
    text = std::string_view(chunk.text).substr(block.bytes.end);
  }
  while (text.starts_with('\n')) text.remove_prefix(1);
  std::string out = embedding_context(document.title, chunk.heading);
  if (!out.empty() && !text.empty()) out += '\n';
  out += text;
  return out;
}

}  // namespace precedent
