#include "grounding/matching/clause_denial.h"

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "grounding/matching/polarity.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

// Known words that make a clause one that can be compared.
constexpr size_t kMinWords = 2;
// How far beside the words of a clause its denial stands, in tokens.
constexpr size_t kDenialReach = 2;

bool ends_clause(const Token& token, bool field) {
  return (token.kind == TokenKind::kBreak && !field) || is_contrast(token);
}
bool denies(const Token& token, uint8_t negation) {
  return token.kind == TokenKind::kNegator || token.negated || negation == kQuantified ||
         negation == kFirstWord;
}
bool is_mark(const Token& token, char mark) {
  return token.kind == TokenKind::kBreak && token.value == static_cast<uint8_t>(mark);
}
bool carries(const Token& token) { return !token.part && is_content(token.kind); }

// A stretch of tokens without an end of a clause.
struct Clause {
  size_t first = 0, end = 0;
  bool conditional = false;
  bool denied = false;
  bool sided = false;  // an expression in it takes a side
};

// "A cache without a bound filled the memory": it did. The negator right before what it governs.
bool is_without(std::span<const Token> tokens, size_t t) {
  static const uint64_t kWithout = hash64("without");
  for (size_t back = 0; back <= kDenialReach + 1 && back <= t; ++back) {
    if (tokens[t - back].kind == TokenKind::kNegator) return tokens[t - back].term == kWithout;
    if (tokens[t - back].kind == TokenKind::kBreak) return false;
  }
  return false;
}

bool denied(std::span<const Token> tokens, std::span<const uint8_t> negation, size_t first,
            size_t end) {
  for (size_t t = first; t < end; ++t) {
    if (denies(tokens[t], negation[t]) && !is_without(tokens, t)) return true;
  }
  return false;
}

// "The limit (2 %) was not reached" is one clause: after the brackets that open at `t`, if there
// are some and nothing is denied in them; else `t`.
size_t after_insertion(std::span<const Token> tokens, std::span<const uint8_t> negation, size_t t,
                       size_t end) {
  if (!is_mark(tokens[t], '(')) return t;
  for (size_t i = t + 1; i < end; ++i) {
    if (is_mark(tokens[i], '(') ||
        (tokens[i].kind != TokenKind::kBreak && denies(tokens[i], negation[i])))
      return t;
    if (is_mark(tokens[i], ')')) return i + 1;
  }
  return t;
}

// Where the denial of what ends with `last` may stand up to: a few tokens, brackets apart.
size_t reach_behind(std::span<const Token> tokens, std::span<const uint8_t> negation, size_t last,
                    size_t end) {
  size_t t = last + 1;
  // Out of the brackets that it stands in.
  for (size_t i = t; i < end && !is_mark(tokens[i], '('); ++i)
    if (is_mark(tokens[i], ')')) t = i + 1;
  for (size_t step = 0; step < kDenialReach && t < end; ++step, ++t)
    t = std::min(end - 1, after_insertion(tokens, negation, t, end));
  return t;
}

std::vector<Clause> clauses_of(std::span<const Token> tokens, std::span<const uint8_t> negation,
                               size_t first, size_t end) {
  const std::vector<OpposedExpression> expressions = find_opposed_expressions(
      tokens.subspan(first, end - first), negation.subspan(first, end - first));
  // "Repeat Incident: no" is one clause.
  const bool field = std::ranges::all_of(negation.subspan(first, end - first),
                                         [](uint8_t rank) { return rank == kFirstWord; });
  std::vector<Clause> out;
  size_t begin = first;
  for (size_t t = first; t <= end; ++t) {
    if (t < end && !ends_clause(tokens[t], field)) continue;
    if (t < end)
      if (const size_t behind = after_insertion(tokens, negation, t, end); behind != t) {
        t = behind - 1;
        continue;
      }
    if (t > begin) {
      Clause clause{begin, t, false, denied(tokens, negation, begin, t), false};
      clause.conditional = std::ranges::find(negation.subspan(begin, t - begin), kConditional) !=
                           negation.subspan(begin, t - begin).end();
      clause.sided = std::ranges::any_of(expressions, [&](const OpposedExpression& expression) {
        return first + expression.first >= begin && first + expression.first < t;
      });
      out.push_back(clause);
    }
    begin = t + 1;
  }
  return out;
}

// What a clause of the receipts holds of a claimed one, and whether it denies that.
struct Held {
  double weight = 0;
  bool denied = false;
};
Held held_by(const Clause& candidate, const ReceiptIndex& evidence,
             std::span<const std::pair<uint32_t, double>> words) {
  Held held;
  size_t first = candidate.end, last = candidate.first;
  for (const auto& [id, weight] : words) {
    if (id == ReceiptIndex::kNoTerm) continue;
    for (size_t t = candidate.first; t < candidate.end; ++t) {
      if (evidence.term_id(static_cast<uint32_t>(t)) != id) continue;
      held.weight += weight;
      first = std::min(first, t);
      last = std::max(last, t);
      break;
    }
  }
  if (held.weight == 0) return held;
  // A denial further off is about other words.
  const std::span<const Token> tokens = evidence.lexed().tokens;
  held.denied = denied(tokens, evidence.negation(),
                       std::max(candidate.first, first - std::min(first, kDenialReach)),
                       reach_behind(tokens, evidence.negation(), last, candidate.end));
  return held;
}

// "Got no date": a word of the clause is denied somewhere in the passages.
bool denies_one_of(std::span<const Clause> passages, const ReceiptIndex& evidence,
                   std::span<const std::pair<uint32_t, double>> words) {
  for (const Clause& clause : passages) {
    for (size_t t = clause.first; t < clause.end; ++t) {
      const auto at = static_cast<uint32_t>(t);
      const uint8_t rank = evidence.negation(at);
      if (rank != kFirstWord && rank != kQuantified) continue;
      if (std::ranges::any_of(words, [&](const auto& word) {
            return word.first != ReceiptIndex::kNoTerm && word.first == evidence.term_id(at);
          }))
        return true;
    }
  }
  return false;
}

}  // namespace

std::optional<size_t> find_clause_denial(const LexedText& sentence, const ReceiptIndex& evidence,
                                         const Alignment& alignment,
                                         const std::vector<bool>& records,
                                         const ClauseDenialRules& rules) {
  const auto& tokens = sentence.tokens;
  const auto& stated = evidence.lexed().tokens;
  const std::vector<uint8_t> negation = find_negation(tokens);
  std::vector<Clause> passages;
  std::vector<uint32_t> units;  // of the passages
  for (const uint32_t unit : alignment.passages()) {
    const EvidenceUnit& u = evidence.units()[unit];
    if (!records[u.record]) continue;
    const auto more = clauses_of(stated, evidence.negation(), u.first, u.end);
    passages.insert(passages.end(), more.begin(), more.end());
    units.resize(passages.size(), unit);
  }
  for (const Clause& clause : clauses_of(tokens, negation, 0, tokens.size())) {
    if (clause.conditional || clause.sided) continue;
    double all = 0;
    size_t known = 0;
    std::vector<std::pair<uint32_t, double>> words;
    for (size_t t = clause.first; t < clause.end; ++t) {
      if (!carries(tokens[t])) continue;
      const uint32_t id = evidence.find(tokens[t].term);
      all += evidence.idf(id);
      known += id == ReceiptIndex::kNoTerm ? 0 : 1;
      words.emplace_back(id, evidence.idf(id));
    }
    if (known < kMinWords) continue;
    const bool claimed = clause.denied;
    const std::span own(tokens.begin() + static_cast<ptrdiff_t>(clause.first),
                        clause.end - clause.first);
    if (claimed && std::ranges::any_of(own, is_since)) continue;
    // "The pooler was the limit, not the machine": of what it is not told that it is anything.
    if (clause.first > 0 && tokens[clause.first].kind == TokenKind::kNegator && words.size() <= 2)
      continue;
    if (claimed && denies_one_of(passages, evidence, words)) continue;
    double same = 0, other = 0;
    bool sided = false;
    for (size_t p = 0; p < passages.size(); ++p) {
      const Clause& candidate = passages[p];
      if (claimed && tells_of_another(tokens, clause.first, evidence, units[p])) continue;
      const Held held = held_by(candidate, evidence, words);
      if (held.denied == claimed) {
        same = std::max(same, held.weight);
      } else if (held.weight > other) {
        other = held.weight;
        // What denies without a negator may be what the sentence denies with one.
        sided = candidate.conditional || (claimed && candidate.sided);
      }
    }
    if (!sided && other >= rules.min_same * all && same < rules.nearly_as_good * other)
      return clause.first;
  }
  return std::nullopt;
}

}  // namespace precedent
