// A title and a Markdown text that come over a network → a Document of its kind.
//
// The text cannot give itself an id, a kind or another field: what looks like front matter is text.
// Thread safety: pure.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/records/record.h"
#include "knowledge/document.h"

namespace precedent {

// `path`: as Document::path; its folders and the headings tell the kind where none is given. No
// id, no source; no lines. An incident has fields of its own, which such a text lacks, so it is
// taken for a post-mortem.
std::expected<Document, BadRecord> page_document(const std::string& title,
                                                 const std::string& markdown,
                                                 const std::string& path, std::optional<Kind> kind);

// A name from outside on one line, without what hides or steers: a label, a title.
std::string clean_name(std::string_view text);

// The address, or "" where it holds what no address does: blanks, quotes, control characters.
std::string clean_address(std::string address);

}  // namespace precedent
