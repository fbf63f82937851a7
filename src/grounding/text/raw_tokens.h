// The first pass of the lexer: text → chunks between separators, folded, and the breaks between
// them. Internal to grounding/. Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

struct RawToken {
  uint32_t begin = 0, end = 0;      // bytes of the text
  uint32_t folded = 0, length = 0;  // in RawText::folded
  BreakStrength strength = {};      // of a break; of a chunk 0
  char mark = '\0';                 // of a break: the character; of a chunk: the one before it
  bool first_upper = false;         // its first letter
  bool inner_upper = false;         // a capital after a small letter: payU, maxSize
  bool all_upper = false;
  bool letters_only = false;  // letters, hyphens and apostrophes
};

struct RawText {
  std::string folded;  // lower case, typographic hyphens and apostrophes as in ASCII
  std::vector<RawToken> tokens;
  std::string_view spelling(const RawToken& token) const {
    return std::string_view(folded).substr(token.folded, token.length);
  }
  // The end of the text is a break.
  bool is_break(size_t i) const {
    return i >= tokens.size() || tokens[i].strength != BreakStrength{};
  }
  // The spelling of a token; "" of a break.
  std::string_view word(size_t i) const { return is_break(i) ? "" : spelling(tokens[i]); }
};

RawText split_raw(std::string_view text);

}  // namespace precedent
