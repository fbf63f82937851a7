// Confluence's storage format → Markdown.
//
// The format is XML with HTML's elements and entities, and elements of its own under "ac:" and
// "ri:". Headings, lists, tables, code, panels, expands, task lists, statuses and links keep their
// structure; a macro that is not known keeps its text, or gets what Confluence shows for it, and is
// counted. An include is named rather
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
#include <vector>

#include "base/error.h"

namespace precedent {

struct StorageText {
  std::string markdown;
  std::map<std::string, size_t> unknown_macros;  // name → how often; at most kMaxMacroNames
  std::map<std::string, size_t> bodiless;        // those of them that have no text of their own
  size_t rendered = 0;                           // of these, what was given instead
  size_t includes = 0;                           // of other pages
};
inline constexpr size_t kMaxMacroNames = 100;

// What Confluence itself shows for macros (rendered_macros.h): name → what each of that name shows
// as Markdown, in the order of the page; "" for one that shows nothing that can be read.
using RenderedMacros = std::map<std::string, std::vector<std::string>, std::less<>>;

// `rendered`: of names of which it has as many as the page, as `bodiless` counts them; else nobody
// knows which is which.
Result<StorageText> storage_to_markdown(std::string_view storage,
                                        const RenderedMacros& rendered = {});

}  // namespace precedent
