// A question as plain words, and lists of phrases that are looked for in it: what the guardrails
// compare with.
//
//   "What's the ÉTAT of db-1? Hurry!"  → whats the etat of db 1 | hurry
//
// Lower case, without accents (NFKC), apostrophes and punctuation; "|" stands between sentences and
// lines, so that no phrase reaches across. Nothing is dropped: unlike the analyser's terms
// (text/analyzer.h) these keep "on call" and "who are you" apart from "call" and "".
//
// Thread safety: values; const members from any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct PlainWords {
  std::vector<std::string> words;
  std::string text;  // the words, joined by single spaces
};

// Ill-formed UTF-8 separates words.
PlainWords plain_words(std::string_view text);

// Words that mix letters and digits, with the digits read as the letters they stand in for
// ("1gn0re" → "ignore").
PlainWords undisguised(const PlainWords& plain);

class PhraseSet {
 public:
  // False if `phrase` holds no word.
  bool add(std::string_view phrase);

  struct Match {
    std::string phrase;  // as it was added
    size_t begin, end;   // words, half-open
  };
  // From left to right, the longest at each place, not overlapping.
  std::vector<Match> find(const PlainWords& text) const;

 private:
  struct Phrase {
    std::vector<std::string> words;
    std::string as_written;
  };
  std::multimap<std::string, Phrase, std::less<>> by_first_word_;
};

}  // namespace precedent
