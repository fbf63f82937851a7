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

// The words of `text` with the marks that hold technical names together; marks around them are trimmed.
std::vector<TitleWord> title_words(std::string_view text);

// Words that carry nothing in a title: stop words, courtesies, time words, bare verbs of asking.
bool is_empty_word(std::string_view lower);
// Words that a title does not end with: function words, also those that it may hold inside. "Known Issues" may.
bool cannot_end_title(std::string_view lower);
// Time stamps, dates, addresses, long numbers, hexadecimal: what changes with each line of a log.
bool is_noise(std::string_view word);

// "payments" → Payments, "http" → HTTP, "checkout-api", "PayU", "max_connections", "/api/search" as they are.
std::string in_title_case(std::string_view word);

}  // namespace precedent
