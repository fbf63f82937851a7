// Tokens: what the lexer makes of a text, and what any two tokens have in common.
//
// A token's term is a hash of its folded spelling: the same for two spellings of one thing, so that
// an answer and a receipt can be compared.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grounding/text/quantity.h"
#include "knowledge/document.h"

namespace precedent {

enum class TokenKind : uint8_t {
  kWord,     // a content word; the term is its stem
  kStop,     // a function word
  kNegator,  // "not", "never", "without"; the term says which
  kName,     // capitalised within a sentence or a word: a person, a product; the term as of kWord
  kService,  // "checkout-api": hyphenated, with a last part that names a kind of component
  kIdentifier,  // holds a digit, dot, underscore or slash; compared whole
  kPath,        // of a file, perhaps with lines
  kQuantity,
  kTime,  // of day
  kDate,
  kBreak,
};

// What names or says something: words, names, ids, files.
inline bool is_content(TokenKind kind) {
  return kind == TokenKind::kWord || kind == TokenKind::kName || kind == TokenKind::kService ||
         kind == TokenKind::kIdentifier || kind == TokenKind::kPath;
}
// What can be right or wrong by itself.
inline bool is_fact(TokenKind kind) {
  return kind != TokenKind::kWord && kind != TokenKind::kStop && kind != TokenKind::kNegator &&
         kind != TokenKind::kBreak;
}

enum class BreakStrength : uint8_t { kClause = 1, kSentence = 2, kLine = 3 };

struct CalendarDate {
  uint16_t year = 0;  // 0: not given
  uint8_t month = 0;  // 1–12; 0: not given
  uint8_t day = 0;    // 0: not given
  // Whether they may be the same day, month or year, as far as both say.
  bool compatible(const CalendarDate& other) const {
    return (year == 0 || other.year == 0 || year == other.year) &&
           (month == 0 || other.month == 0 || month == other.month) &&
           (day == 0 || other.day == 0 || day == other.day);
  }
};

struct Token {
  TokenKind kind = TokenKind::kWord;
  Hedge hedge = Hedge::kNone;   // of a quantity
  BreakStrength strength = {};  // of a break
  bool part = false;            // of the compound or identifier before it
  bool negated = false;         // by a prefix: "unaffected" is affect, negated; a count of zero
  int16_t zone = 0;             // of a time: minutes by which its place is ahead of UTC
  uint32_t begin = 0, end = 0;  // bytes of the source, half-open
  uint32_t value =
      0;  // index into quantities, dates or lines; of a time: seconds; of a break: its character;
          // of a negator: whether it denies that there is any;
          // of an identifier with digits: a hash of the rest
  uint64_t term = 0;  // hash of the folded spelling
};

struct LexedText {
  std::vector<Token> tokens;
  std::vector<Quantity> quantities;
  std::vector<CalendarDate> dates;
  std::vector<LineRange> lines;  // of paths; {0, 0}: none given
};

// Whether two times of day are the same minute, as written or at UTC: "11:10+02:00" is 09:10.
inline bool same_minute(const Token& one, const Token& other) {
  constexpr int64_t kDay = 24 * 60;
  const auto utc = [](const Token& time) {
    return (int64_t{time.value / 60} - time.zone + kDay) % kDay;
  };
  return one.value / 60 == other.value / 60 || utc(one) == utc(other);
}

// "While", "whereas", "but", "although": what follows is told of something else.
bool is_contrast(const Token& token);

// The term of a word or identifier, as lex() gives it.
uint64_t term_of(std::string_view spelling);

}  // namespace precedent
