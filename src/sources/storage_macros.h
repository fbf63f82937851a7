// The macros of Confluence that are known, one row each. What is in no row keeps its text and is
// counted (storage_markdown.h).
//
// Thread safety: constants.
#pragma once

#include <cstdint>
#include <string_view>

namespace precedent {

// How a macro is treated.
enum class Macro : uint8_t {
  kCode,            // text, as it is
  kCallout,         // a body with a word in front
  kExpand,          // a body with a title
  kBody,            // only the body counts
  kStatus,          // a word in a box
  kInclude,         // another page
  kExcerptInclude,  // a part of one
  kOtherInclude,    // one of another vendor's, which is only named
  kIssue,           // a ticket
  kNavigation,      // nothing to read
};

struct MacroRow {
  std::string_view name;
  Macro macro;
  std::string_view word = {};  // of a callout, before its body
};

// Null for one that is not known.
const MacroRow* find_macro(std::string_view name);

}  // namespace precedent
