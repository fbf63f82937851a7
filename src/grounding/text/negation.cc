#include "grounding/text/negation.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// A field is a label and "no".
constexpr size_t kMaxFieldTokens = 6;
// "It changed nothing and cost 20 minutes."
bool joins_clauses(const Token& token) {
  static const uint64_t kAnd = hash64("and"), kBut = hash64("but");
  return token.kind == TokenKind::kStop && (token.term == kAnd || token.term == kBut);
}

bool opens_condition(const Token& token) {
  static const TermSet kMarks = terms_of("if until till unless whether want wants wanted should");
  return token.kind != TokenKind::kBreak && kMarks.contains(token.term);
}

// "UTC rather than local time", "instead of C": what was not chosen may well be there.
bool names_alternative(std::span<const Token> unit, size_t t) {
  static const uint64_t kRather = hash64("rather"), kThan = hash64("than"),
                        kInstead = hash64("instead"), kOf = hash64("of");
  if (t + 1 >= unit.size() || unit[t].kind == TokenKind::kBreak) return false;
  return (unit[t].term == kRather && unit[t + 1].term == kThan) ||
         (unit[t].term == kInstead && unit[t + 1].term == kOf);
}

// "Changed nothing": the word before it is denied.
bool denies_before(const Token& token) {
  static const uint64_t kMarks[] = {hash64("nothing"), hash64("nobody"), hash64("none")};
  return token.kind == TokenKind::kNegator &&
         std::ranges::find(kMarks, token.term) != std::end(kMarks);
}

// "Nothing else", "no other": of what is left, not of what was named.
bool leaves_open(std::span<const Token> unit, size_t negator) {
  static const uint64_t kElse = hash64("else"), kOther = hash64("other");
  return negator + 1 < unit.size() &&
         (unit[negator + 1].term == kElse || unit[negator + 1].term == kOther);
}

// "Do not forget to set it": set it.
bool undoes_denial(const Token& token) {
  static const TermSet kWords = terms_of("forget neglect hesitate");
  return is_any(token, kWords);
}

// "Do not hold it longer than 30 minutes": a bound, not a denial.
bool bounds(std::span<const Token> unit, size_t negator) {
  static const TermSet kMore =
      terms_of("longer more less fewer later earlier higher lower shorter");
  static const uint64_t kThan = hash64("than");
  for (size_t t = negator + 1; t + 1 < unit.size() && unit[t].kind != TokenKind::kBreak; ++t) {
    if (opens_condition(unit[t])) return false;
    if (is_any(unit[t], kMore) && unit[t + 1].kind != TokenKind::kBreak &&
        unit[t + 1].term == kThan)
      return true;
  }
  return false;
}

// "Repeat Incident: no"
bool is_denied_field(std::span<const Token> unit) {
  if (unit.size() < 2 || unit.size() > kMaxFieldTokens) return false;
  return unit.back().kind == TokenKind::kNegator && unit.front().kind != TokenKind::kNegator;
}

}  // namespace

bool is_word(const Token& token) {
  return token.kind == TokenKind::kWord || token.kind == TokenKind::kName ||
         token.kind == TokenKind::kService || token.kind == TokenKind::kIdentifier;
}

bool is_since(const Token& token) {
  static const uint64_t kSince = hash64("since");
  return token.kind != TokenKind::kBreak && token.term == kSince;
}

// "[ ] Enable alerts": not done yet.
bool is_open_task(std::span<const Token> unit) {
  return unit.size() > 2 && unit[0].kind == TokenKind::kBreak && unit[0].value == '[' &&
         unit[1].kind == TokenKind::kBreak && unit[1].value == ']' && unit[1].begin > unit[0].end;
}

namespace {

void govern_unit(std::span<const Token> unit, std::span<uint8_t> out) {
  if (is_denied_field(unit)) {
    std::ranges::fill(out, kFirstWord);
    return;
  }
  if (is_open_task(unit)) {
    std::ranges::fill(out, kFirstWord);
    return;
  }
  // A negator governs two content words: "was not used", "no healthy replica".
  Negation rank = kFree;
  bool quantified = false, conditional = false;
  for (size_t t = 0; t < unit.size(); ++t) {
    const Token& token = unit[t];
    const bool undone = token.kind == TokenKind::kNegator &&
                        ((t + 1 < unit.size() && undoes_denial(unit[t + 1])) || bounds(unit, t));
    if (opens_condition(token) || names_alternative(unit, t)) conditional = true;
    if (token.kind == TokenKind::kBreak) conditional = false;
    if (conditional) {
      out[t] = kConditional;
    } else if (undone || token.kind == TokenKind::kBreak || joins_clauses(token)) {
      rank = kFree;
    } else if (token.kind == TokenKind::kNegator) {
      rank = leaves_open(unit, t) ? kSecondWord : kFirstWord;
      quantified = token.value == 1;
      if (denies_before(token) && t > 0 && is_word(unit[t - 1])) out[t - 1] = kFirstWord;
    } else if (token.kind == TokenKind::kQuantity && token.negated) {
      // "Zero scans"
      if (t + 1 < unit.size() && is_word(unit[t + 1])) {
        rank = kFirstWord;
        quantified = true;
      }
    } else if (token.negated) {
      out[t] = kFirstWord;
    } else if (rank != kFree && is_word(token) && !token.part) {
      out[t] = rank != kFirstWord ? kSecondWord : quantified ? kQuantified : kFirstWord;
      rank = rank == kFirstWord ? kSecondWord : kFree;
    } else if (token.part && t > 0) {
      out[t] = out[t - 1];
    }
  }
}

}  // namespace

std::vector<uint8_t> find_negation(std::span<const Token> tokens) {
  std::vector<uint8_t> out(tokens.size(), 0);
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool ends = t == tokens.size() ||
                      (tokens[t].kind == TokenKind::kBreak &&
                       (tokens[t].strength != BreakStrength::kClause || tokens[t].value == '|'));
    if (!ends) continue;
    govern_unit(tokens.subspan(begin, t - begin), std::span(out).subspan(begin, t - begin));
    begin = t + 1;
  }
  return out;
}

}  // namespace precedent
