// What the readers of times share: a match at the beginning of a text, numbers in words, and
// whether a word may end where a pattern ended.
//
// All texts are lower case. The patterns are RE2's, so that time is linear in what is read. Thread
// safety: pure functions.
#pragma once

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace precedent {

// "7", "seven", "twenty-four", "a", "a couple of" → a number below 10^6.
std::optional<int> read_number(std::string_view words);

// What follows must not make the digits part of something longer: "2025-01-20-005" is an id,
// "2025-01-20-outage.md" a file, "1.2.2024.7" a version. `s[length...]` is what follows.
bool ends_well(std::string_view s, size_t length, std::string_view joiners = "-_/.:");

// Nothing follows that the words before could belong to: the text ends, a mark stands there, or a
// word that begins a new clause. "Since the 2nd, …" is a day, "since the 2nd restart" is none.
bool clause_ends(std::string_view after);

// The same, and prepositions too: "overnight in production", but not "the overnight export".
bool no_noun_follows(std::string_view after);

// A list, a remark or a sentence without a subject begins behind these words.
bool clause_begins(std::string_view before);

// The place of the first name that `word` begins with; the number of names if there is none.
template <size_t N>
unsigned index_of(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](std::string_view name) { return word.starts_with(name); });
  return static_cast<unsigned>(found - names.begin());
}

// The groups of one match at the beginning of a text. At most seven groups.
class TimeMatch {
 public:
  TimeMatch(const RE2& pattern, std::string_view text) {
    const re2::StringPiece input(text.data(), text.size());
    const int groups = pattern.NumberOfCapturingGroups() + 1;
    matched_ = pattern.Match(input, 0, input.size(), RE2::ANCHOR_START, groups_.data(), groups);
  }
  explicit operator bool() const { return matched_; }
  std::string_view operator[](size_t group) const {
    return {groups_[group].data(), groups_[group].size()};
  }
  bool has(size_t group) const { return !groups_[group].empty(); }
  int number(size_t group) const { return *read_number((*this)[group]); }
  size_t length() const { return groups_[0].size(); }

 private:
  std::array<re2::StringPiece, 8> groups_;
  bool matched_;
};

}  // namespace precedent
