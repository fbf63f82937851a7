// What a question has of numbers and of names, as far as spelling tells.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// A number of a question, but for those of dates, times, ids and versions.
struct AskedNumber {
  double value = 0;
  std::string written;  // with the word behind it: "2 hours", "three latest", "90min"
  bool operator==(const AskedNumber&) const = default;
};
std::vector<AskedNumber> asked_numbers(std::string_view question);

// Of one such unit ("h", "minutes"), in lower case; nothing of another word.
std::optional<double> minutes_of_unit(std::string_view word);

// Letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text);
// "recieved", "regions" and "region": one word.
bool is_near(std::string_view one, std::string_view other);
// Whether a word of the name is near one of `words`; whether each of its words is one of them.
bool names(std::string_view name, const std::vector<std::string>& words);
bool names_all(std::string_view name, const std::vector<std::string>& words);

// The text with < and > around the words that are near one of the name, a run of them together; or
// around what is written so: "sev2 everywhere but <valley base>".
std::string mark_names(std::string_view text, std::string_view name);
std::string mark_text(std::string_view text, std::string_view written);

}  // namespace precedent
