// What state something is in: an incident by its field "Status", an action by what its line ends with,
// all of a number of things by how many of them a receipt tells of.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"

namespace precedent {
namespace {

using State = ActionState;

// "Opened" has the stem of "open".
bool is_open_word(const Token& token) {
  static const uint64_t kOpen = term_of("open");
  constexpr uint32_t kBytes = 4;
  return token.kind == TokenKind::kWord && token.term == kOpen && token.end - token.begin == kBytes;
}
bool is_unfinished(const Token& token) {
  static const TermSet kTerms = terms_of("ongoing unresolved pending outstanding unfinished");
  return is_open_word(token) || is_any(token, kTerms);
}
bool is_closed(const Token& token) {
  static const TermSet kTerms = terms_of("closed resolved");
  return is_any(token, kTerms);
}
bool is_done(const Token& token) {
  static const TermSet kTerms = terms_of("done finished completed implemented");
  return is_any(token, kTerms);
}
// "Is still being worked on", "is under investigation"
bool is_work(const Token& token) {
  static const TermSet kTerms =
      terms_of("worked investigated investigation investigating monitored monitoring progress");
  return is_any(token, kTerms);
}
// That the state is the present one, and that it is not.
bool is_present(const Token& token) {
  static const TermSet kTerms = terms_of("is are remains remain still stays being under");
  return is_any(token, kTerms);
}
bool is_earlier(const Token& token) {
  static const TermSet kTerms = terms_of("was were had while when until before after");
  return is_any(token, kTerms);
}

// "**Status**: Monitoring"
std::optional<State> state_of(const ReceiptIndex& evidence, const EvidenceRecord& record) {
  static const uint64_t kStatus = term_of("status");
  const auto& tokens = evidence.lexed().tokens;
  for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
    const EvidenceUnit& u = evidence.units()[unit];
    if (tokens[u.first].term != kStatus || !evidence.is_label(u.first)) continue;
    const std::span own(tokens.data() + u.first, u.end - u.first);
    if (std::ranges::any_of(own, is_closed) || std::ranges::any_of(own, is_done))
      return State::kDone;
    if (std::ranges::any_of(own, is_unfinished) || std::ranges::any_of(own, is_work))
      return State::kOpen;
  }
  return std::nullopt;
}

// "Retry the renewal (M. Ito, open)", "[ ] Retry the renewal", "Retry the renewal. Owner: M. Ito. Done."
std::optional<State> state_of_item(const ReceiptIndex& evidence, uint32_t unit) {
  const auto& tokens = evidence.lexed().tokens;
  const EvidenceUnit& u = evidence.units()[unit];
  const auto is_mark = [&](uint32_t t, char mark) {
    return t < u.end && tokens[t].kind == TokenKind::kBreak &&
           tokens[t].value == static_cast<uint8_t>(mark);
  };
  if (is_mark(u.first, '[') && is_mark(u.first + 1, ']')) return State::kOpen;
  for (uint32_t t = u.first + 1; t < u.end; ++t) {
    if (!is_mark(t - 1, '(') && !is_mark(t - 1, ',')) continue;
    // In brackets, not in the middle of prose.
    const bool inside = std::any_of(tokens.begin() + t, tokens.begin() + u.end, [](const Token& x) {
      return x.kind == TokenKind::kBreak && x.value == ')';
    });
    if (!inside) continue;
    if (is_unfinished(tokens[t])) return State::kOpen;
    if (is_done(tokens[t])) return State::kDone;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::pair<uint32_t, ActionState>> Checker::find_actions(const ReceiptIndex& evidence) {
  std::vector<std::pair<uint32_t, State>> found;
  for (uint32_t unit = 0; unit < evidence.units().size(); ++unit)
    if (const auto state = state_of_item(evidence, unit)) found.emplace_back(unit, *state);
  return found;
}

// "INC-7 was closed the same day", where its field says that it is open; "it" is the one named last.
Checker::Verdict Checker::check_status() {
  // How far before a state its verb stands, in tokens.
  constexpr size_t kVerbReach = 4;
  const auto& tokens = statement_->lexed.tokens;
  const auto& records = evidence_.records();
  for (const Clause& clause : clauses_of(tokens, ClauseEnd::kBreak)) {
    const std::span words(tokens.data() + clause.first, clause.end - clause.first);
    std::vector<uint64_t> keys;
    const auto is_key = [&](const Token& token) {
      return !token.part && token.kind == TokenKind::kIdentifier &&
             std::ranges::any_of(records, [&](const EvidenceRecord& record) {
               return std::ranges::find(record.keys, token.term) != record.keys.end();
             });
    };
    for (const Token& token : words)
      if (is_key(token)) keys.push_back(token.term);
    static const TermSet kSubjects = terms_of("incident it which");
    const bool refers =
        std::ranges::any_of(words, [](const Token& t) { return is_any(t, kSubjects); });
    // In brackets behind the id: "INC-7 (SEV4, closed)".
    const bool inserted = clause.first > 0 && tokens[clause.first - 1].kind == TokenKind::kBreak &&
                          (tokens[clause.first - 1].value == '(' || clause.end == tokens.size() ||
                           tokens[clause.end].value == ')');
    if (!keys.empty()) last_key_ = keys.size() == 1 ? keys.front() : 0;
    if (keys.size() > 1 || last_key_ == 0 || (keys.empty() && !refers && !inserted)) continue;
    std::optional<State> claimed;
    size_t said = 0;
    for (size_t t = clause.first; t < clause.end; ++t) {
      const bool denied = t > clause.first && (denies(tokens[t - 1]) ||
                                               (t > clause.first + 1 && denies(tokens[t - 2])));
      const std::span before =
          std::span(tokens).first(t).last(std::min(t - clause.first, kVerbReach));
      const bool open = std::ranges::any_of(before, is_present) &&
                        std::ranges::none_of(before, is_earlier) &&
                        (is_unfinished(tokens[t]) || is_work(tokens[t]));
      if (!open && !is_closed(tokens[t])) continue;
      claimed = open != denied ? State::kOpen : State::kDone;
      said = t;
    }
    if (!claimed) continue;
    bool same = false, other = false;
    for (const EvidenceRecord& record : records) {
      if (std::ranges::find(record.keys, last_key_) == record.keys.end()) continue;
      const std::optional<State> state = state_of(evidence_, record);
      same = same || state == claimed;
      other = other || (state && state != claimed);
    }
    if (other && !same)
      return Fault{ClaimKind::kGeneral,
                   fmt::format("by its status it is not \"{}\"", squeeze(spelled(tokens[said])))};
  }
  return {};
}

// "The alert is in place", where the line of that action ends with "open"; "nothing is left to do",
// where some line does.
Checker::Verdict Checker::check_items() const {
  const auto& tokens = statement_->lexed.tokens;
  static const TermSet kLeft = terms_of("left outstanding remains remaining unfinished pending");
  static const TermSet kNothing = terms_of("nothing none");
  static const TermSet kHas = terms_of("has have had");
  static const uint64_t kBeen = hash64("been"), kIn = hash64("in"), kPlace = term_of("place");
  // How much of the words of a clause a line must hold.
  constexpr double kItemWords = 0.6;
  if (actions_.empty()) return {};
  std::vector<std::pair<uint32_t, State>> items;
  for (const auto& [unit, state] : actions_)
    if (scope_[evidence_.units()[unit].record]) items.emplace_back(unit, state);
  for (const Clause& clause : clauses_of(tokens)) {
    const std::span words(tokens.data() + clause.first, clause.end - clause.first);
    if (std::ranges::any_of(words, [](const Token& t) { return is_any(t, kNothing); }) &&
        std::ranges::any_of(words,
                            [](const Token& t) { return is_any(t, kLeft) || is_open_word(t); }) &&
        std::ranges::any_of(items, [](const auto& item) { return item.second == State::kOpen; }))
      return Fault{ClaimKind::kGeneral, "the receipts have an action that is open"};
    std::optional<State> claimed;
    double all = 0;
    bool denied = false;
    std::vector<uint64_t> own;
    for (size_t t = clause.first; t < clause.end; ++t) {
      denied = denied || denies(tokens[t]);
      // "Has been partitioned"
      const bool perfect = t > clause.first + 1 && tokens[t - 1].term == kBeen &&
                           is_any(tokens[t - 2], kHas) && tokens[t].kind == TokenKind::kWord;
      if (perfect && !claimed) claimed = State::kDone;
      const bool in_place =
          t > clause.first && tokens[t].term == kPlace && tokens[t - 1].term == kIn;
      if (is_done(tokens[t]) || in_place) {
        claimed = State::kDone;
      } else if (is_unfinished(tokens[t])) {
        claimed = State::kOpen;
      } else if (tokens[t].kind == TokenKind::kWord && !tokens[t].part) {
        own.push_back(tokens[t].term);
        all += evidence_.idf(evidence_.find(tokens[t].term));
      }
    }
    if (!claimed || own.size() < 2) continue;
    if (denied) claimed = *claimed == State::kOpen ? State::kDone : State::kOpen;
    std::optional<State> best;
    double most = kItemWords * all;
    for (const auto& [unit, state] : items) {
      double held = 0;
      for (const uint64_t term : own)
        if (unit_has(unit, term)) held += evidence_.idf(evidence_.find(term));
      if (held <= most) continue;
      most = held;
      best = state;
    }
    if (best && best != claimed)
      return Fault{ClaimKind::kGeneral, *best == State::kOpen
                                            ? "by the receipts that action is open"
                                            : "by the receipts that action is done"};
  }
  return {};
}

// "All of its shards moved", where the receipts tell of "two of five shards" and nowhere of all.
Checker::Verdict Checker::check_whole() const {
  static const TermSet kAll = terms_of("all every each entire"), kOf = terms_of("of");
  constexpr size_t kNear = 4;
  const auto& tokens = statement_->lexed.tokens;
  const auto& stated = evidence_.lexed();
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (!is_any(tokens[t], kAll) || (t > 0 && denies(tokens[t - 1]))) continue;
    size_t noun = t + 1;
    while (noun < std::min(tokens.size(), t + kNear) && tokens[noun].kind == TokenKind::kStop)
      ++noun;
    if (noun >= tokens.size() || tokens[noun].kind != TokenKind::kWord || tokens[noun].part)
      continue;
    bool part = false, whole = false;
    for (const uint32_t place : evidence_.postings_of(tokens[noun].term)) {
      if (!in_scope(place)) continue;
      const uint32_t first = evidence_.units()[evidence_.unit_of(place)].first;
      for (uint32_t s = place; s > first && s + kNear > place; --s) {
        const Token& before = stated.tokens[s - 1];
        whole = whole || is_any(before, kAll);
        // "Two of five shards"
        part = part || (before.kind == TokenKind::kQuantity && s > first + 2 &&
                        is_any(stated.tokens[s - 2], kOf) &&
                        stated.tokens[s - 3].kind == TokenKind::kQuantity &&
                        stated.quantities[stated.tokens[s - 3].value].value <
                            stated.quantities[before.value].value);
      }
    }
    if (part && !whole)
      return Fault{ClaimKind::kNumber, fmt::format("the receipts do not say it of {} of them",
                                                   squeeze(spelled(tokens[t])))};
  }
  return {};
}

}  // namespace precedent
