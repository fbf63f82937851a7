// Markdown with YAML front matter → Document.
//
// Format: a first line "---", a YAML mapping, a line "---" or "...", then Markdown; or Markdown
// alone. The fields are in docs/ingest.md: scalar or list are both accepted, unknown ones become
// attributes. A file whose front matter is broken is refused as a whole, since the fields that
// decide where it belongs would be lost. Thread safety: pure functions.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/records/record.h"
#include "knowledge/document.h"

namespace precedent {

struct MarkdownFile {
  std::string path;  // as the operator named it
  std::string root;  // the canonical path of the argument: its name is a hint at the kind
};

// `forced`: --kind. The body begins after the front matter, and after a first heading that repeats
// the title; `body_line` says where. `source` is file.root. The id is empty where the front matter
// has none: the caller knows it. `unread_field` is told of each field that was left out, as
// RecordContext::unread_field.
std::expected<Document, BadRecord> read_markdown(
    std::string_view text, const MarkdownFile& file, std::optional<Kind> forced,
    const std::function<void(BadRecord&&)>& unread_field = [](BadRecord&&) {});

}  // namespace precedent
