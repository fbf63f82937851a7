// Word readings: what a plain word is wherever it stands, read once for a text. Texts repeat their
// words, and the lists of plain_english.h are many. Internal to grounding/.
//
// Thread safety: belongs to one thread. Lifetime: borrows the words.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "grounding/text/tokens.h"

namespace precedent {

struct WordReading {
  TokenKind kind = TokenKind::kWord;  // or a stop word or a negator
  bool negated = false;               // "unaffected"
  uint64_t term = 0;
};

class WordReadings {
 public:
  // `word` in lower case.
  const WordReading& of(std::string_view word);

 private:
  std::unordered_map<std::string_view, WordReading> readings_;
};

}  // namespace precedent
