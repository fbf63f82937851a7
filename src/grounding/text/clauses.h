// Clauses: "A deployed X and B merged Y" are two. Words and word lists that the checks share.
//
// Thread safety: pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

struct Clause {
  size_t first = 0, end = 0;  // tokens, half-open
};
enum class ClauseEnd : uint8_t { kBreak, kBreakOrWord };  // a word: "and", "while", "but"
// In order; none is empty.
std::vector<Clause> clauses_of(std::span<const Token> tokens,
                               ClauseEnd ends = ClauseEnd::kBreakOrWord);

// A few terms, of which most tokens are none.
class TermSet {
 public:
  void add(uint64_t term) {
    terms_.push_back(term);
    filter_ |= bit_of(term);
  }
  bool contains(uint64_t term) const {
    return (filter_ & bit_of(term)) != 0 && std::ranges::find(terms_, term) != terms_.end();
  }

 private:
  static uint64_t bit_of(uint64_t term) { return uint64_t{1} << (term % 64); }

  uint64_t filter_ = 0;
  std::vector<uint64_t> terms_;
};

// The terms of words separated by blanks, both as written and as stems.
TermSet terms_of(std::string_view words);
// Whether a token is one of these words; never a break nor a part of a compound.
bool is_any(const Token& token, const TermSet& terms);

// "Until", "when", "again": said of another time or of a case, not of the present.
bool is_bounded(const Token& token);
// "Before", "yesterday", "when": said of another time.
bool is_past(const Token& token);
// "Fine", "normal": that nothing is wrong with it.
bool is_calm(const Token& token);
// "Other", "else", "except": of what is left, not of what was named.
bool leaves_room(const Token& token);
// "Last", "value", "less": says how much or which one; what is denied with it is another word.
bool takes_no_side(const Token& token);
// A time of day or a date.
bool is_moment(const Token& token);
// Not, no, never …
bool denies(const Token& token);
// "Change", "deploy", "rollback": what a list of changes has.
bool is_change_word(const Token& token);
// Which kind of change a word tells of, in the order of the list in clauses.cc: deploys, rollbacks,
// flags, commits, settings. None for other words.
std::optional<size_t> change_kind(const Token& token);
// What names a thing or a person.
bool is_named(const Token& token);

}  // namespace precedent
