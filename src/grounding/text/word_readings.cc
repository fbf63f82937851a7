#include "grounding/text/word_readings.h"

#include "base/hash.h"
#include "grounding/text/plain_english.h"
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

}  // namespace precedent
