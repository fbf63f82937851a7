// Confluence's storage format → Markdown.
//
// The format is XML with HTML's elements and entities, and elements of its own under "ac:" and
// "ri:". Headings, lists, tables, code, panels, expands, task lists, statuses and links keep their
// structure; a macro that is not known keeps its text and is counted. An include is named rather
// than followed: the page that it names is a document of its own. What is only for navigation, as a
// table of contents, goes.
//
// Specification: Atlassian, "Confluence Storage Format". Errors: kInvalidArgument for what is no
// well-formed XML, naming the place; kResourceExhausted for what nests too deep or grows too large.
// Linear but for nested lists, whose depth is bounded. Thread safety: pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

struct StorageText {
  std::string markdown;
  std::map<std::string, size_t> unknown_macros;  // name → how often; at most kMaxMacroNames
  size_t includes = 0;                           // of other pages
};
inline constexpr size_t kMaxMacroNames = 100;

Result<StorageText> storage_to_markdown(std::string_view storage);

}  // namespace precedent
