// Helpers of the rows of diff_effects: how lines of a hunk belong together.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/changes/diff.h"

namespace precedent {

// A line that was replaced by one that differs in numbers alone.
struct NumberEdit {
  std::string before, after;  // the lines
  double from = 0, to = 0;    // the number, of durations in seconds and of sizes in bytes
  double ratio() const;       // to / from, 0 where that makes no sense
};
std::vector<NumberEdit> number_edits(const Hunk& hunk);

struct ReplacedLine {
  const DiffLine *before, *after;
};
// Removed lines, each with the added line in the same place of the next run. Lifetime: the hunk's.
std::vector<ReplacedLine> replaced_lines(const Hunk& hunk);

// A line's tokens: identifiers, numbers and single signs.
std::vector<std::string> tokens_of(std::string_view line);
// The same without spaces, for "is it still there".
std::string packed(std::string_view line);

// The line without its quoted texts, of which a quote is left; they are added to `strings`.
std::string without_strings(std::string_view line, std::vector<std::string>& strings);

size_t indent_of(std::string_view line);
// Whether the line opens a loop: for, while, forEach, range, each, map over a list.
bool opens_loop(std::string_view line);
// Whether the line calls something that leaves the process: a query, a fetch, a client, a file.
bool calls_out(std::string_view line);

}  // namespace precedent
