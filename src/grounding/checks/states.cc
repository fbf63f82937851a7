// What state something is in: an incident by its field "Status", an action by what its line ends
// with, all of a number of things by how many of them a receipt tells of.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/citations.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"

namespace precedent {
namespace {

// That the state is the present one, and that it is not.
bool is_present(const Token& token) {
  static const TermSet kTerms = terms_of("is are remains remain still stays being under");
  return is_any(token, kTerms);
}
bool is_earlier(const Token& token) {
  static const TermSet kTerms = terms_of("was were had while when until before after");
  return is_any(token, kTerms);
}

}  // namespace

// "INC-7 was closed the same day", where its field says that it is open; "it" is the one named
// last.
Judgement check_status(const Sentence& sentence, const Facts& facts) {
  // How far before a state its verb stands, in tokens.
  constexpr size_t kVerbReach = 4;
  const auto& tokens = sentence.tokens();
  const auto& records = facts.index.records();
  uint64_t subject = sentence.last_record_key;
  for (const Clause& clause : clauses_of(tokens, ClauseEnd::kBreak)) {
    const std::span words(tokens.data() + clause.first, clause.end - clause.first);
    const std::vector<uint64_t> keys = record_keys(words, facts.index);
    static const TermSet kSubjects = terms_of("incident it which");
    const bool refers =
        std::ranges::any_of(words, [](const Token& t) { return is_any(t, kSubjects); });
    // In brackets behind the id: "INC-7 (SEV4, closed)".
    const bool inserted = clause.first > 0 && tokens[clause.first - 1].kind == TokenKind::kBreak &&
                          (tokens[clause.first - 1].value == '(' || clause.end == tokens.size() ||
                           tokens[clause.end].value == ')');
    if (!keys.empty()) subject = keys.size() == 1 ? keys.front() : 0;
    if (keys.size() > 1 || subject == 0 || (keys.empty() && !refers && !inserted)) continue;
    std::optional<ActionProgress> claimed;
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
      claimed = open != denied ? ActionProgress::kOpen : ActionProgress::kDone;
      said = t;
    }
    if (!claimed) continue;
    bool same = false, other = false;
    for (const EvidenceRecord& record : records) {
      if (std::ranges::find(record.keys, subject) == record.keys.end()) continue;
      const std::optional<ActionProgress> state = status_of(facts.index, record);
      same = same || state == claimed;
      other = other || (state && state != claimed);
    }
    if (other && !same)
      return refuted(ClaimKind::kGeneral, fmt::format("by its status it is not \"{}\"",
                                                      squeeze(sentence.spelling(tokens[said]))));
  }
  return {};
}

// "The alert is in place", where the line of that action ends with "open"; "nothing is left to do",
// where some line does.
Judgement check_items(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  static const TermSet kLeft = terms_of("left outstanding remains remaining unfinished pending");
  static const TermSet kNothing = terms_of("nothing none");
  static const TermSet kHas = terms_of("has have had");
  static const uint64_t kBeen = hash64("been"), kIn = hash64("in"), kPlace = term_of("place");
  // How much of the words of a clause a line must hold.
  constexpr double kItemWords = 0.6;
  if (facts.actions.empty()) return {};
  std::vector<ActionState> items;
  for (const auto& [unit, progress] : facts.actions)
    if (sentence.scope[facts.index.units()[unit].record]) items.push_back({unit, progress});
  for (const Clause& clause : clauses_of(tokens)) {
    const std::span words(tokens.data() + clause.first, clause.end - clause.first);
    if (std::ranges::any_of(words, [](const Token& t) { return is_any(t, kNothing); }) &&
        std::ranges::any_of(words,
                            [](const Token& t) { return is_any(t, kLeft) || is_open_word(t); }) &&
        std::ranges::any_of(
            items, [](const ActionState& item) { return item.progress == ActionProgress::kOpen; }))
      return refuted(ClaimKind::kGeneral, "the receipts have an action that is open");
    std::optional<ActionProgress> claimed;
    double all = 0;
    bool denied = false;
    std::vector<uint64_t> own;
    for (size_t t = clause.first; t < clause.end; ++t) {
      denied = denied || denies(tokens[t]);
      // "Has been partitioned"
      const bool perfect = t > clause.first + 1 && tokens[t - 1].term == kBeen &&
                           is_any(tokens[t - 2], kHas) && tokens[t].kind == TokenKind::kWord;
      if (perfect && !claimed) claimed = ActionProgress::kDone;
      const bool in_place =
          t > clause.first && tokens[t].term == kPlace && tokens[t - 1].term == kIn;
      if (is_done(tokens[t]) || in_place) {
        claimed = ActionProgress::kDone;
      } else if (is_unfinished(tokens[t])) {
        claimed = ActionProgress::kOpen;
      } else if (tokens[t].kind == TokenKind::kWord && !tokens[t].part) {
        own.push_back(tokens[t].term);
        all += facts.index.idf(facts.index.find(tokens[t].term));
      }
    }
    if (!claimed || own.size() < 2) continue;
    if (denied)
      claimed = *claimed == ActionProgress::kOpen ? ActionProgress::kDone : ActionProgress::kOpen;
    std::optional<ActionProgress> best;
    double most = kItemWords * all;
    for (const auto& [unit, progress] : items) {
      double held = 0;
      for (const uint64_t term : own)
        if (facts.index.unit_has(unit, term)) held += facts.index.idf(facts.index.find(term));
      if (held <= most) continue;
      most = held;
      best = progress;
    }
    if (best && best != claimed)
      return refuted(ClaimKind::kGeneral, *best == ActionProgress::kOpen
                                              ? "by the receipts that action is open"
                                              : "by the receipts that action is done");
  }
  return {};
}

// "All of its shards moved", where the receipts tell of "two of five shards" and nowhere of all.
Judgement check_whole(const Sentence& sentence, const Facts& facts) {
  static const TermSet kAll = terms_of("all every each entire"), kOf = terms_of("of");
  constexpr size_t kNear = 4;
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed();
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (!is_any(tokens[t], kAll) || (t > 0 && denies(tokens[t - 1]))) continue;
    size_t noun = t + 1;
    while (noun < std::min(tokens.size(), t + kNear) && tokens[noun].kind == TokenKind::kStop)
      ++noun;
    if (noun >= tokens.size() || tokens[noun].kind != TokenKind::kWord || tokens[noun].part)
      continue;
    bool part = false, whole = false;
    for (const uint32_t place : facts.index.postings_of(tokens[noun].term)) {
      if (!in_scope(sentence, facts, place)) continue;
      const uint32_t first = facts.index.units()[facts.index.unit_of(place)].first;
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
      return refuted(ClaimKind::kNumber, fmt::format("the receipts do not say it of {} of them",
                                                     squeeze(sentence.spelling(tokens[t]))));
  }
  return {};
}

}  // namespace precedent
