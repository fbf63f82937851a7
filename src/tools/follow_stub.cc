#include "tools/follow_stub.h"

#include <re2/re2.h>

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "text/markdown.h"
#include "text/steps.h"

namespace precedent {
namespace {

size_t words_of(std::string_view text) {
  size_t words = 0;
  for (const std::string_view line : split_lines(text))
    for (const std::string_view word : split(line, ' '))
      if (!trim(word).empty()) ++words;
  return words;
}

// The file that the only link of a text leads to; "" if it has none, or several.
std::string only_link(std::string_view text) {
  static const RE2 kLink("\\]\\([^)]*?([\\w.%-]+\\.(?:md|markdown|txt))\\b[^)]*\\)");
  re2::StringPiece rest(text.data(), text.size());
  std::string file, other;
  if (!RE2::FindAndConsume(&rest, kLink, &file)) return "";
  return RE2::FindAndConsume(&rest, kLink, &other) && other != file ? "" : file;
}

}  // namespace

Result<std::optional<Followed>> follow_stub(std::string_view section, std::string_view heading,
                                            const Document& of, const KnowledgeStore& store) {
  if (words_of(section) > kMaxStubWords) return std::nullopt;
  const std::string file = only_link(section);
  if (file.empty()) return std::nullopt;
  std::vector<std::string> found;
  for (const DocumentState& state : TRY(store.states()))
    if (state.source == of.source && state.id != of.id &&
        std::filesystem::path(state.path).filename() == file)
      found.push_back(state.id);
  if (found.size() != 1) return std::nullopt;
  std::vector<StoredDocument> documents = TRY(store.stored(found));
  if (documents.empty() || documents.front().chunks.empty()) return std::nullopt;
  const std::vector<StoredChunk>& chunks = documents.front().chunks;
  const auto under = std::ranges::find_if(chunks, [&](const StoredChunk& c) {
    return !c.chunk.heading.empty() && c.chunk.heading.back() == heading;
  });
  const auto steps =
      std::ranges::find_if(chunks, [](const StoredChunk& c) { return tells_steps(c.chunk.text); });
  const StoredChunk& chosen = under != chunks.end()   ? *under
                              : steps != chunks.end() ? *steps
                                                      : chunks.front();
  return Followed{documents.front().document, chosen.chunk};
}

}  // namespace precedent
