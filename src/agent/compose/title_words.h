// The words of a title: which words of a question may stand in one, and how they are written there.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct TitleWord {
  std::string text;   // as written
  std::string lower;  // ASCII lower case
  size_t begin, end;  // bytes of the question
};

// The words of `text` with the marks that hold technical names together; marks around them are
// trimmed.
std::vector<TitleWord> title_words(std::string_view text);

// Words that carry nothing in a title: stop words, courtesies, time words, bare verbs of asking.
bool is_empty_word(std::string_view lower);
// Words that a title does not end with: function words, also those that it may hold inside. "Known
// Issues" may.
bool cannot_end_title(std::string_view lower);
// Time stamps, dates, addresses, long numbers, hexadecimal: what changes with each line of a log.
bool is_noise(std::string_view word);

// What a word is beside the ones next to it; `i` is a position in `words`.
// "403" is a code where the word before it says so, or where it has the form of an HTTP error.
bool is_code(const std::vector<TitleWord>& words, size_t i);
// "24", "24th" or "2025" beside a month.
bool is_part_of_date(const std::vector<TitleWord>& words, size_t i);
// Verbs that are nouns elsewhere: "incidents hit checkout", but not "cache hit rate".
bool is_bare_verb(const std::vector<TitleWord>& words, size_t i);
// The position of the word that this one denies: "no healthy upstream", "payments not yet
// arriving". A title without the denial would say the opposite. words.size() if it denies none.
size_t denied_by(const std::vector<TitleWord>& words, size_t i);
// How a title writes the denial at `i` in front of the word at `denied`.
std::string denial(const std::vector<TitleWord>& words, size_t i, size_t denied);

// "payments" → Payments, "http" → HTTP, "checkout-api", "PayU", "max_connections", "/api/search" as
// they are.
std::string in_title_case(std::string_view word);
// "java.lang.OutOfMemoryError" is known by its last part.
std::string last_part(const std::string& word);

}  // namespace precedent
