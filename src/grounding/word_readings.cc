#include "grounding/word_readings.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "grounding/plain_english.h"
#include "text/characters.h"
#include "text/words.h"

namespace precedent {

const WordReading& WordReadings::of(std::string_view word) {
  const auto [at, added] = readings_.try_emplace(word);
  WordReading& reading = at->second;
  if (!added) return reading;
  if (is_negator(word))
    reading.kind = TokenKind::kNegator;
  else if (is_stop_word(word) || word == "one" || is_connective(word))
    reading.kind = TokenKind::kStop;
  reading.term = reading.kind == TokenKind::kWord ? term_of(word) : hash64(word);
  reading.negated = reading.kind == TokenKind::kWord && is_negated_form(word);
  return reading;
}

uint64_t term_of(std::string_view spelling) {
  std::string word;
  bool foreign = false;
  for (const char c : spelling) {
    if (c == '-') continue;
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    foreign = foreign || static_cast<unsigned char>(c) >= 0x80;
  }
  if (foreign) {
    // "Novotný" is "Novotny".
    NormalText plain;
    normalize(word, 0, plain);
    word = std::move(plain.text);
    fold_case(word);
  }
  if (std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) {
    if (const std::string_view base = base_form(word); !base.empty()) word = base;
    thread_stemmer().stem(word);
  }
  return hash64(word);
}

}  // namespace precedent
