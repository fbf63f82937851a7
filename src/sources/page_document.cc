#include "sources/page_document.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "ingest/front_matter.h"

namespace precedent {

std::expected<Document, BadRecord> page_document(const std::string& title,
                                                 const std::string& markdown,
                                                 const std::string& path,
                                                 std::optional<Kind> kind) {
  const std::string head = squeeze(title);
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

}  // namespace precedent
