// What one word turns round: "before" for "after", "off" for "on".
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

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

std::optional<bool> is_on(const Token& token) {
  static const TermSet kOn = terms_of("on enabled true"), kOff = terms_of("off disabled false");
  if (is_any(token, kOn)) return true;
  if (is_any(token, kOff)) return false;
  return std::nullopt;
}

}  // namespace

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
