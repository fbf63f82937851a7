// Clauses: "A deployed X and B merged Y" are two. Words and word lists that the checks share.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "grounding/lexer.h"

namespace precedent {

struct Clause {
  size_t first = 0, end = 0;  // tokens, half-open
};
enum class ClauseEnd : uint8_t { kBreak, kBreakOrWord };  // a word: "and", "while", "but"
// In order; none is empty.
std::vector<Clause> clauses_of(std::span<const Token> tokens,
                               ClauseEnd ends = ClauseEnd::kBreakOrWord);

// The terms of words separated by blanks, both as written and as stems.
std::vector<uint64_t> terms_of(std::string_view words);
// Whether a token is one of these words; never a break nor a part of a compound.
bool is_any(const Token& token, std::span<const uint64_t> terms);

}  // namespace precedent
