// Lexer: text → what can be compared between an answer and a receipt: words as stems, names,
// identifiers, paths with lines, quantities, times of day, dates, and where clauses end.
//
// Answers and receipts are read by the same rules, so that two spellings of one thing become one
// term: typographic hyphens and quotes, case, thousands separators, "1h 32m" and "92 minutes",
// "24 August 2025" and "2025-08-24". Markdown's marks are separators.
//
// Thread safety: pure function. Errors: none. Time is linear.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grounding/quantity.h"
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

// Appends to `out`. Offsets start at `base`, the place of `text` in a larger one.
// REQUIRES: text is valid UTF-8, base + text.size() < 4 GiB.
void lex(std::string_view text, uint32_t base, LexedText& out);

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
