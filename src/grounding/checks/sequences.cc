// What one word turns round: "before" for "after", "off" for "on", and the limit that "at most"
// gives.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// How far a noun stands behind its figure, and a state beside its name, in tokens.
constexpr size_t kNear = 4;

enum class Order : uint8_t { kBefore, kAfter };
std::optional<Order> order_of(const Token& token) {
  static const TermSet kBefore = terms_of("before"), kAfter = terms_of("after");
  if (is_any(token, kBefore)) return Order::kBefore;
  if (is_any(token, kAfter)) return Order::kAfter;
  return std::nullopt;
}

// "A ran before B": where the word stands, and the stretches beside it up to the next mark.
struct Sequence {
  size_t at = 0, first = 0, end = 0;
  Order order = Order::kBefore;
};
std::vector<Sequence> find_sequences(std::span<const Token> tokens) {
  std::vector<Sequence> found;
  for (size_t t = 1; t + 1 < tokens.size(); ++t) {
    const auto order = order_of(tokens[t]);
    // "Ten minutes after" has its own check, "the day before" is a time.
    if (!order || tokens[t - 1].kind == TokenKind::kQuantity || is_moment(tokens[t + 1])) continue;
    Sequence s{t, t, t + 1, *order};
    while (s.first > 0 && tokens[s.first - 1].kind != TokenKind::kBreak) --s.first;
    while (s.end < tokens.size() && tokens[s.end].kind != TokenKind::kBreak) ++s.end;
    found.push_back(s);
  }
  return found;
}

// "At most 75,000 listeners"
struct Bound {
  size_t figure = 0;
  uint64_t noun = 0;
};
std::vector<Bound> find_bounds(std::span<const Token> tokens) {
  static const uint64_t kAt = hash64("at"), kMost = hash64("most"), kLeast = hash64("least");
  std::vector<Bound> found;
  for (size_t t = 2; t + 1 < tokens.size(); ++t) {
    const bool bound = tokens[t].kind == TokenKind::kQuantity && tokens[t - 2].term == kAt &&
                       (tokens[t - 1].term == kMost || tokens[t - 1].term == kLeast);
    if (!bound) continue;
    for (size_t n = t + 1; n < std::min(tokens.size(), t + kNear); ++n) {
      if (tokens[n].kind == TokenKind::kBreak) break;
      if (tokens[n].kind != TokenKind::kWord || tokens[n].part) continue;
      found.push_back({t, tokens[n].term});
      break;
    }
  }
  return found;
}

std::optional<bool> is_on(const Token& token) {
  static const TermSet kOn = terms_of("on enabled true"), kOff = terms_of("off disabled false");
  if (is_any(token, kOn)) return true;
  if (is_any(token, kOff)) return false;
  return std::nullopt;
}

}  // namespace

// "Left its range at 03:20, before the deploy at 03:04": the two times of the sentence itself.
Judgement check_own_order(const Sentence& sentence, const Facts&) {
  constexpr int64_t kHalfDay = 43200;
  const auto& tokens = sentence.tokens();
  for (size_t t = 1; t + 1 < tokens.size(); ++t) {
    const auto order = order_of(tokens[t]);
    if (!order) continue;
    const Mention* left = nullptr;
    const Mention* right = nullptr;
    for (const Mention& mention : sentence.mentions) {
      if (mention.token < t) left = &mention;
      if (mention.token > t && right == nullptr) right = &mention;
    }
    if (left == nullptr || right == nullptr || left->second == right->second) continue;
    // In the clause of the word, and of one day.
    const bool apart = std::any_of(tokens.begin() + static_cast<ptrdiff_t>(t),
                                   tokens.begin() + static_cast<ptrdiff_t>(right->token),
                                   [](const Token& x) { return x.kind == TokenKind::kBreak; });
    const int64_t gap = static_cast<int64_t>(right->second) - static_cast<int64_t>(left->second);
    if (apart || std::abs(gap) > kHalfDay || left->date.has_value() != right->date.has_value() ||
        (left->date && !left->date->compatible(*right->date)))
      continue;
    if ((gap > 0) != (*order == Order::kBefore))
      return refuted(ClaimKind::kTime, fmt::format("its own times say the opposite of \"{}\"",
                                                   squeeze(sentence.spelling(tokens[t]))));
  }
  return {};
}

// "The flag lanes_v2 was raised only after 4.2.0", where every dated line that has the one is later
// than every line that has the other.
Judgement check_named_order(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  // When what is named in [first, end) happened: the lines of changes and alerts that have all of
  // the names. None without a name.
  const auto moments = [&](size_t first, size_t end) {
    std::vector<uint64_t> names;
    for (size_t t = first; t < end; ++t)
      if (is_named(tokens[t])) names.push_back(tokens[t].term);
    std::vector<double> found;
    if (names.empty()) return found;
    for (const DatedEvent& event : facts.events) {
      const ReceiptPlace& receipt = facts.index.receipt_of(event.unit);
      if (!event.timed || event.at < kFirstDay || !(receipt.lists_changes || receipt.measured) ||
          !sentence.scope[facts.index.units()[event.unit].record])
        continue;
      if (std::ranges::all_of(
              names, [&](uint64_t name) { return facts.index.unit_has(event.unit, name); }))
        found.push_back(event.at);
    }
    return found;
  };
  for (const Sequence& own : find_sequences(tokens)) {
    if (std::any_of(tokens.begin() + static_cast<ptrdiff_t>(own.first),
                    tokens.begin() + static_cast<ptrdiff_t>(own.end), denies))
      continue;
    const std::vector<double> left = moments(own.first, own.at),
                              right = moments(own.at + 1, own.end);
    if (left.empty() || right.empty()) continue;
    const bool before = std::ranges::max(left) < std::ranges::min(right);
    const bool after = std::ranges::min(left) > std::ranges::max(right);
    if (own.order == Order::kBefore ? after : before)
      return refuted(ClaimKind::kTime, fmt::format("by the times of the receipts it was not \"{}\"",
                                                   squeeze(sentence.spelling(tokens[own.at]))));
  }
  return {};
}

// "At most 38,000 listeners", where the receipts have "at most 75,000 listeners".
Judgement check_bounds(const Sentence& sentence, const Facts& facts) {
  const auto& lexed = sentence.lexed();
  const auto& stated = facts.index.lexed().tokens;
  for (const Bound& own : find_bounds(lexed.tokens)) {
    bool same = false, other = false;
    for (const uint32_t place : facts.index.postings_of(own.noun)) {
      if (!in_scope(sentence, facts, place)) continue;
      const EvidenceUnit& u = facts.index.units()[facts.index.unit_of(place)];
      const std::span line(stated.data() + u.first, u.end - u.first);
      for (const Bound& there : find_bounds(line))
        if (there.noun == own.noun)
          (same_fact(sentence, facts, lexed.tokens[own.figure], line[there.figure]) ? same
                                                                                    : other) = true;
    }
    if (other && !same)
      return refuted(ClaimKind::kNumber,
                     fmt::format("the receipts give another limit than {}",
                                 squeeze(sentence.spelling(lexed.tokens[own.figure]))));
  }
  return {};
}

// "X was switched off", where the changes of X that are listed end with "on".
Judgement check_switches(const Sentence& sentence, const Facts& facts) {
  static const TermSet kVerbs = terms_of("turn switch flip set put toggle");
  const std::span tokens(sentence.tokens());
  const auto& stated = facts.index.lexed().tokens;
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::any_of(words, denies)) continue;
    const auto thing = std::ranges::find_if(words, [](const Token& token) {
      return !token.part && token.kind == TokenKind::kIdentifier;
    });
    if (thing == words.end()) continue;
    // The state: beside the verb, or right behind the name of what is switched.
    std::optional<bool> claimed;
    for (size_t t = 0; t < words.size() && !claimed; ++t) {
      const auto state = is_on(words[t]);
      if (!state || t == 0) continue;
      size_t before = t - 1;
      while (before > 0 && words[before].part) --before;
      const bool named =
          words[before].begin == thing->begin &&
          std::ranges::any_of(words, [](const Token& w) { return is_any(w, kVerbs); });
      const bool dated = t + 1 < words.size() &&
                         (is_moment(words[t + 1]) || words[t + 1].kind == TokenKind::kQuantity);
      if (is_any(words[before], kVerbs) || (named && !dated)) claimed = state;
    }
    if (!claimed) continue;
    bool same = false, other = false;
    for (const DatedEvent& change : facts.changes) {
      if (!facts.index.unit_has(change.unit, thing->term)) continue;
      // "Flag x: off → on": the second.
      const EvidenceUnit& u = facts.index.units()[change.unit];
      for (uint32_t t = u.first + 1; t < u.end; ++t) {
        const auto from = is_on(stated[t - 1]), to = is_on(stated[t]);
        if (from && to) (*to == *claimed ? same : other) = true;
      }
    }
    if (other && !same)
      return refuted(ClaimKind::kGeneral,
                     fmt::format("by the changes that are listed {} went the other way",
                                 squeeze(sentence.spelling(*thing))));
  }
  return {};
}

}  // namespace precedent
