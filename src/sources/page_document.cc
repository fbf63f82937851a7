#include "sources/page_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
#include "ingest/reading/front_matter.h"
#include "ingest/records/clean_text.h"

namespace precedent {

std::expected<Document, BadRecord> page_document(const std::string& title,
                                                 const std::string& markdown,
                                                 const std::string& path,
                                                 std::optional<Kind> kind) {
  const std::string head = clean_name(title);
  // The title stands first, so that nothing below it can be front matter.
  const std::string text = fmt::format("# {}\n\n{}\n", head, markdown);
  auto document = read_markdown(text, {path, ""}, kind);
  if (!document || document->kind == Kind::kIncident)
    document = read_markdown(text, {path, ""}, Kind::kPostmortem);
  if (!document) return document;
  document->id.clear();
  document->title = head;
  document->path = path;
  document->body_line = 0;
  return document;
}

std::string clean_name(std::string_view text) { return squeeze(clean_text(repair_utf8(text))); }

std::string clean_address(std::string address) {
  const bool plain = std::ranges::all_of(address, [](char c) {
    return c > ' ' && c <= '~' && !std::string_view("<>\"`").contains(c);
  });
  return plain ? address : "";
}

}  // namespace precedent
