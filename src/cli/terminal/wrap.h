// Wrapping a line for a terminal.
//
// Thread safety: wrapped() is pure; terminal_size() asks the terminal each time, so that it knows
// of a resize.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace precedent {

struct TerminalSize {
  size_t columns = 0;
  size_t rows = 0;
};
// Of stdout; nothing if it is no terminal or does not say.
std::optional<TerminalSize> terminal_size();

// `line` in lines of at most `columns` characters, broken at blanks; a word that is longer stays
// whole. What follows a list's mark or a quotation's bar stands below its text. Escape sequences of
// colour take no room. Characters are counted as code points.
std::string wrapped(std::string_view line, size_t columns);

}  // namespace precedent
