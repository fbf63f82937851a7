#include "time/time_words.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::array<std::string_view, 20> kNumbers = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 8> kTens = {"twenty", "thirty",  "forty",  "fifty",
                                                   "sixty",  "seventy", "eighty", "ninety"};

template <size_t N>
std::optional<int> place_of(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

}  // namespace

std::optional<int> read_number(std::string_view words) {
  if (words.empty() || words.size() > 16) return std::nullopt;
  int value = 0;
  if (std::all_of(words.begin(), words.end(), is_digit)) {
    if (words.size() > 6) return std::nullopt;
    for (const char c : words) value = value * 10 + (c - '0');
    return value;
  }
  if (words == "a" || words == "an" || words == "the") return 1;
  if (words == "couple" || words == "a couple of" || words == "couple of") return 2;
  if (words == "few" || words == "a few") return 3;
  if (const auto small = place_of(kNumbers, words)) return small;
  const size_t hyphen = words.find('-');
  const auto tens = place_of(kTens, words.substr(0, hyphen));
  if (!tens) return std::nullopt;
  const int round = 10 * *tens + 20;
  if (hyphen == std::string_view::npos) return round;
  const auto ones = place_of(kNumbers, words.substr(hyphen + 1));
  if (!ones || *ones < 1 || *ones > 9) return std::nullopt;
  return round + *ones;
}

bool ends_well(std::string_view s, size_t length, std::string_view joiners) {
  if (length >= s.size()) return true;
  if (is_alnum(s[length])) return false;
  return joiners.find(s[length]) == std::string_view::npos || length + 1 >= s.size() ||
         !is_alnum(s[length + 1]);
}

#define CLAUSE                                                                                   \
  "at|when|we|i|it|they|did|do|does|was|were|has|have|had|how|what|which|why|who|where|because|" \
  "until|till|onwards?|please|pls"

bool clause_ends(std::string_view after) {
  // A list goes on after its comma: "on the 1st, 2nd and 3rd attempt".
  static const RE2 kList("^\\s*,\\s*(?:the\\s+)?\\d+(?:st|nd|rd|th)\\b");
  static const RE2 kEnd("^\\s*(?:$|[?!;)\\]]|[.,:](?:\\s|$)|[-–—]+\\s)|^\\s+(?:" CLAUSE ")\\b");
  return TimeMatch(kEnd, after) && !TimeMatch(kList, after);
}

bool no_noun_follows(std::string_view after) {
  static const RE2 kPreposition(
      "^\\s+(?:and|or|but|in|on|for|with|from|to|of|by|after|before|since|than|vs|versus)\\b");
  return clause_ends(after) || TimeMatch(kPreposition, after);
}

bool clause_begins(std::string_view before) {
  static constexpr size_t kSeen = 32;
  const std::string_view rest = trim(before.substr(before.size() - std::min(before.size(), kSeen)));
  return rest.empty() || std::string_view(",;:(.?!").find(rest.back()) != std::string_view::npos;
}

}  // namespace precedent
