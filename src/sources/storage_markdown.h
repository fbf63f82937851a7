// Confluence's storage format → Markdown.
//
// The format is XML with HTML's elements and entities, and elements of its own under "ac:" and
// "ri:". Headings, lists, tables, code, panels, expands, task lists, statuses and links keep their
// structure; a macro that is not known keeps its text, or gets what Confluence shows for it, and is
// counted. An include becomes the text that is given for it,
// or is named. What is only for navigation, as a table of contents, goes.
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
#include "sources/storage_include.h"

namespace precedent {

struct StorageText {
  std::string markdown;
  std::map<std::string, size_t> unknown_macros;  // name → how often; at most kMaxMacroNames
  std::map<std::string, size_t> bodiless;        // those of them that have no text of their own
  size_t rendered = 0;                           // of these, what was given instead
  size_t includes = 0;                           // of other pages that are named only
  size_t followed = 0;                           // of those whose text was given
  std::vector<StorageInclude> wants;             // whose text was not; at most kMaxIncludes
};
inline constexpr size_t kMaxMacroNames = 100;
inline constexpr size_t kMaxIncludes = 100;

// What Confluence itself shows for macros (rendered_macros.h): name → what each of that name shows
// as Markdown, in the order of the page; "" for one that shows nothing that can be read.
using RenderedMacros = std::map<std::string, std::vector<std::string>, std::less<>>;

// `rendered`: of names of which it has as many as the page, as `bodiless` counts them; else nobody
// knows which is which.
Result<StorageText> storage_to_markdown(std::string_view storage,
                                        const RenderedMacros& rendered = {},
                                        const IncludedTexts& included = {});
// Of an excerpt alone. Errors: also kNotFound where the page has none of that name.
Result<StorageText> excerpt_to_markdown(std::string_view storage, const std::string& name,
                                        const IncludedTexts& included = {});

}  // namespace precedent
