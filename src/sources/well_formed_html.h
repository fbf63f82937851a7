// HTML as browsers take it → XML that a parser takes: elements that need no end are closed, others
// with what is around them, ends of nothing are dropped, attributes quoted; comments, scripts and
// styles go. Entities stay as they are.
//
// A simple reading, not the standard's: what is odd keeps its text, in order. Linear; elements
// beyond a depth of kMaxHtmlDepth lose their tags and keep their text. Thread safety: pure.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

inline constexpr size_t kMaxHtmlDepth = 100;

std::string well_formed_html(std::string_view html);

}  // namespace precedent
