// What a sentence says of alerts, against those that the receipts list: "no alert is firing",
// "SearchSlow has cleared", "the hit ratio is healthy".
#include <algorithm>

#include "base/hash.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/listed.h"
#include "grounding/text/clauses.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

bool is_alert(const Token& token) {
  static const auto kTerms = terms_of("alert alerts alarm alarms");
  return is_any(token, kTerms);
}
bool is_firing(const Token& token) {
  // Not "alerting", whose stem is the noun.
  static const auto kTerms = terms_of("fire firing active trigger triggered ringing");
  return is_any(token, kTerms);
}
// Of alerts: that none is active.
bool is_silent(const Token& token) {
  static const auto kTerms = terms_of("quiet silent clear green calm inactive");
  return is_any(token, kTerms);
}
// "No alert for that service": which one is told elsewhere.
bool points_back(const Token& token) {
  static const uint64_t kWords[] = {hash64("that"),  hash64("this"), hash64("it"),
                                    hash64("these"), hash64("them"), hash64("those")};
  return token.kind == TokenKind::kStop &&
         std::ranges::find(kWords, token.term) != std::end(kWords);
}
// That an alert is over.
bool is_over(const Token& token) {
  static const auto kTerms = terms_of("resolved cleared inactive over gone silent ended stopped");
  return is_any(token, kTerms);
}
bool ends(const Token& token) { return token.kind == TokenKind::kNegator || is_over(token); }
// Says of an alert nothing that its line would have.
bool is_plain(const Token& token) {
  static const auto kTerms = terms_of(
      "find found list listed see seen show current currently now present exist right still any at "
      "all system report reported moment today");
  return is_any(token, kTerms);
}
// Of the past, of a rule, of a case.
bool is_elsewhen(const Token& token) {
  static const auto kTerms = terms_of(
      "was were had did will would if when whenever above below until before after while once "
      "again "
      "earlier yesterday should");
  return is_any(token, kTerms);
}

// Whether some other line with an alert's name tells that it ended.
bool ends_elsewhere(const Facts& facts, uint64_t name) {
  const uint32_t id = facts.index.find(name);
  if (id == ReceiptIndex::kNoTerm) return false;
  return std::ranges::any_of(facts.index.postings(id), [&](uint32_t place) {
    const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
    return std::any_of(facts.index.lexed().tokens.begin() + unit.first,
                       facts.index.lexed().tokens.begin() + unit.end, ends);
  });
}

}  // namespace

// "Alert X is not firing", "the hit ratio is healthy", against the active alerts.
Judgement check_alerts(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto& stated = facts.index.lexed().tokens;
  static const auto kGeneral = terms_of("metrics everything all systems services");
  if (facts.active_alerts.empty() || std::ranges::any_of(tokens, is_bounded)) return {};
  // "Active as a ticket and not as a page" denies something else.
  const auto is_ended = [&](uint64_t name) {
    if (std::ranges::any_of(tokens, is_over)) return true;
    return std::ranges::any_of(clauses_of(tokens), [&](const Clause& clause) {
      const auto words = std::span(tokens).subspan(clause.first, clause.end - clause.first);
      return std::ranges::find(words, name, &Token::term) != words.end() &&
             std::ranges::any_of(words, ends);
    });
  };
  const auto calm = std::ranges::find_if(tokens, is_calm);
  const bool denied =
      calm != tokens.end() && calm != tokens.begin() && (calm - 1)->kind == TokenKind::kNegator;
  for (const uint32_t alert : facts.active_alerts) {
    const EvidenceUnit& unit = facts.index.units()[alert];
    if (!sentence.scope[unit.record]) continue;
    const uint64_t name = stated[unit.first].term;
    if (std::ranges::find(tokens, name, &Token::term) != tokens.end() && is_ended(name) &&
        !ends_elsewhere(facts, name))
      return refuted(ClaimKind::kGeneral, "the receipts list that alert as active");
    if (calm == tokens.end() || denied) continue;
    size_t words = 0, own = 0;
    bool general = false;
    for (const Token& token : tokens) {
      if (!is_content(token.kind) || token.part || is_calm(token)) continue;
      general = general || is_any(token, kGeneral);
      ++words;
      own += facts.index.unit_has(alert, token.term) ? 1 : 0;
    }
    if (general ? words <= 2 : own >= 2 && 2 * own >= words)
      return refuted(ClaimKind::kGeneral, "an alert about it is active");
  }
  return {};
}

// "No alert is firing", "there are no alerts for search", "the alerts are quiet".
Listed judge_no_alert(const Sentence& sentence, const Facts& facts, const Clause& clause) {
  const std::span tokens(sentence.tokens());
  const std::vector<uint8_t> negation = find_negation(tokens);
  const auto words = tokens.subspan(clause.first, clause.end - clause.first);
  if (std::ranges::any_of(words, is_past) || std::ranges::any_of(words, leaves_room) ||
      std::ranges::any_of(words, is_moment) || std::ranges::any_of(words, points_back))
    return Listed::kSilent;
  std::optional<size_t> noun, denial;
  bool silent = false, fires = false, conditional = false, anything = false, plain = true;
  std::vector<uint64_t> qualifiers;
  for (size_t t = clause.first; t < clause.end; ++t) {
    conditional = conditional || negation[t] == kConditional;
    fires = fires || is_firing(tokens[t]);
    if (is_alert(tokens[t])) {
      noun = t;
    } else if (tokens[t].kind == TokenKind::kNegator) {
      denial = t;
      anything = anything || tokens[t].term == hash64("nothing");
    } else if (is_silent(tokens[t])) {
      silent = true;
    } else if (is_content(tokens[t].kind) && !tokens[t].part && !is_firing(tokens[t]) &&
               !is_plain(tokens[t])) {
      qualifiers.push_back(tokens[t].term);
      plain = plain && is_named(tokens[t]);
    }
  }
  // "Nothing is firing" names no alert.
  const bool denies = noun ? denial && (*denial < *noun || fires) : anything && fires;
  if (conditional || !(denies || (noun && silent && !denial))) return Listed::kSilent;
  const bool listed = std::ranges::any_of(facts.active_alerts, [&](uint32_t unit) {
    return std::ranges::all_of(qualifiers,
                               [&](uint64_t term) { return facts.index.unit_has(unit, term); });
  });
  if (listed) return Listed::kRefuted;
  const bool all = std::ranges::any_of(facts.index.receipts(), &ReceiptPlace::all_alerts);
  return all && plain ? Listed::kProved : Listed::kSilent;
}

// "StreamSlow is firing", "search has an alert that fires", "StreamSlow has not cleared yet".
Listed judge_active_alert(const Sentence& sentence, const Facts& facts, const Clause& clause) {
  const std::span tokens(sentence.tokens());
  const auto words = tokens.subspan(clause.first, clause.end - clause.first);
  const bool denied = std::ranges::any_of(words, denies);
  const bool active =
      denied ? std::ranges::any_of(words, is_over) && std::ranges::none_of(words, is_firing)
             : std::ranges::any_of(words, is_firing);
  if (!active || std::ranges::any_of(words, is_elsewhen)) return Listed::kSilent;
  std::vector<uint64_t> names;
  for (const Token& token : words)
    if (is_named(token)) names.push_back(token.term);
  const bool all = std::ranges::any_of(facts.index.receipts(), &ReceiptPlace::all_alerts);
  const auto is_of = [&](uint32_t unit) {
    return std::ranges::any_of(names,
                               [&](uint64_t term) { return facts.index.unit_has(unit, term); });
  };
  if (names.empty() || !all || std::ranges::any_of(facts.active_alerts, is_of))
    return Listed::kSilent;
  // What is no alert may be active, too: a user, a replica.
  const bool alert =
      std::ranges::any_of(words, is_alert) ||
      std::ranges::any_of(names, [&](uint64_t term) { return is_alerts_name(facts, term); });
  return alert ? Listed::kRefuted : Listed::kSilent;
}

}  // namespace precedent
