// Lexer: text → what can be compared between an answer and a receipt: words as stems, names,
// identifiers, paths with lines, quantities, times of day, dates, and where clauses end.
//
// Answers and receipts are read by the same rules, so that two spellings of one thing become one
// term: typographic hyphens and quotes, case, thousands separators, "1h 32m" and "92 minutes",
// "24 August 2025" and "2025-08-24". Markdown's marks are separators.
//
// Thread safety: pure function. Errors: none. Time is linear.
#pragma once

#include <cstdint>
#include <string_view>

#include "grounding/text/tokens.h"

namespace precedent {

// Appends to `out`. Offsets start at `base`, the place of `text` in a larger one.
// REQUIRES: text is valid UTF-8, base + text.size() < 4 GiB.
void lex(std::string_view text, uint32_t base, LexedText& out);

}  // namespace precedent
