// What a sentence says of changes, against those that the receipts list: that there was none, which
// was the latest, that all are alike, when one was made.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/hash.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/listed.h"
#include "grounding/text/clauses.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

constexpr double kDay = 86400;

bool is_any_change(const Token& token) {
  static const auto kTerms = terms_of("change changes changed");
  return is_any(token, kTerms);
}

// Says of what there is, or is not, nothing that an entry of a list would have.
bool is_plain(const Token& token) {
  static const auto kTerms = terms_of(
      "find found list see seen show shown current currently now present exist happen happened "
      "occur "
      "occurred made make take place took go went right still any record recorded have time at all "
      "new "
      "recent recently system report reported be been there among production most one day days "
      "last");
  return is_any(token, kTerms);
}
// That it was made, rather than what it did.
bool tells_of_making(const Token& token) {
  static const auto kTerms = terms_of(
      "made make happen happened recorded record took place occurred listed there been among");
  return is_any(token, kTerms);
}
bool is_before(const Token& token) {
  static const auto kTerms = terms_of("before preceded");
  return is_any(token, kTerms);
}
bool is_after(const Token& token) {
  static const auto kTerms = terms_of("after since");
  return is_any(token, kTerms);
}
// A noun or verb for a figure that moved.
bool is_move(const Token& token) {
  static const auto kTerms =
      terms_of("rise rose spike increase jump climb surge drop fall decline regression");
  return is_any(token, kTerms);
}
bool is_newest(const Token& token) {
  static const auto kTerms = terms_of("latest newest recent last");
  return is_any(token, kTerms);
}

struct Period {
  double from = -HUGE_VAL, to = HUGE_VAL;  // seconds since the epoch
  Clause tokens;                           // that name it
};

// The latest moment that metrics, alerts or changes were read for: about when the question was
// asked.
double latest(const Facts& facts) {
  double last = 0;
  for (const DatedEvent& event : facts.events) {
    const ReceiptPlace& receipt = facts.index.receipt_of(event.unit);
    if (receipt.measured || receipt.lists_changes) last = std::max(last, event.at);
  }
  return last;
}

// A moment that no receipt has: of the year and the day of the question where none is given.
double moment_of(const Facts& facts, const Mention& mention) {
  const double today = std::floor(latest(facts) / kDay) * kDay;
  if (!mention.date || mention.date->month == 0 || mention.date->day == 0)
    return today + mention.second;
  const std::chrono::year_month_day now{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(today / kDay)}}};
  const std::chrono::year year =
      mention.date->year == 0 ? now.year() : std::chrono::year{mention.date->year};
  const std::chrono::sys_days day = year / mention.date->month / mention.date->day;
  return static_cast<double>(day.time_since_epoch().count()) * kDay + mention.second;
}

// The times between which a clause says something of changes: "before 09:12", "since the rise",
// "today", "in the last two hours". None where it names a time that nothing tells of.
std::optional<Period> period_of(const Sentence& sentence, const Facts& facts, size_t first,
                                size_t end) {
  static const uint64_t kToday = hash64("today"), kYesterday = hash64("yesterday");
  static const auto kLast = terms_of("last past previous");
  const auto& tokens = sentence.tokens();
  Period period;
  std::optional<size_t> mark;
  for (size_t t = first; t < end; ++t) {
    const Token& token = tokens[t];
    if (is_before(token) || is_after(token)) mark = t;
    if (token.kind != TokenKind::kBreak &&
        (token.term == kToday || token.term == kYesterday || token.term == term_of("yesterday"))) {
      period.from = std::floor(latest(facts) / kDay) * kDay - (token.term == kToday ? 0 : kDay);
      if (!mark) period.to = period.from + kDay;
      period.tokens = {t, t + 1};
      return latest(facts) == 0 ? std::nullopt : std::optional(period);
    }
    const bool span = token.kind == TokenKind::kQuantity && t > first &&
                      is_any(tokens[t - 1], kLast) &&
                      sentence.lexed().quantities[token.value].dimension == Dimension::kTime;
    if (span) {
      period.from = latest(facts) - sentence.lexed().quantities[token.value].value;
      period.tokens = {t - 1, t + 1};
      return latest(facts) == 0 ? std::nullopt : std::optional(period);
    }
  }
  const auto named = [&](const Token& token) { return is_moment(token) || is_past(token); };
  if (!mark)
    return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(first),
                       tokens.begin() + static_cast<ptrdiff_t>(end), named)
               ? std::nullopt
               : std::optional(period);
  period.tokens = {*mark, end};
  const bool before = is_before(tokens[*mark]);
  std::vector<double> moments;
  bool moves = false;
  for (size_t t = *mark + 1; t < end; ++t) moves = moves || is_move(tokens[t]);
  for (const Mention& mention : sentence.mentions) {
    if (mention.token <= *mark || mention.token >= end) continue;
    for (const DatedEvent& event : facts.events)
      if (is_at(event, mention) && event.at >= kFirstDay) moments.push_back(event.at);
    if (moments.empty() && latest(facts) > 0) moments.push_back(moment_of(facts, mention));
  }
  if (moments.empty() && moves) {
    for (const Trend& trend : facts.trends)
      if (trend.since && facts.index.receipt_of(trend.unit).measured)
        moments.push_back(*trend.since);
  }
  if (moments.empty()) return std::nullopt;
  // Where it could be one of several, the one that leaves the claim most room.
  (before ? period.to : period.from) =
      before ? std::ranges::min(moments) : std::ranges::max(moments);
  return period;
}

// Whether the lists hold every change of that period of what is named, or of anything.
bool lists_all_changes(const Facts& facts, const Period& period,
                       const std::vector<uint64_t>& names) {
  static const uint64_t kOf = hash64("of");
  for (uint32_t r = 0; r < facts.index.receipts().size(); ++r) {
    if (!facts.index.receipts()[r].all_changes) continue;
    const auto record = std::ranges::find(facts.index.records(), r, &EvidenceRecord::receipt);
    if (record == facts.index.records().end()) continue;
    // "Changes of search from A to B"
    const EvidenceUnit& header = facts.index.units()[record->first_unit];
    const std::vector<double> window =
        moments_in(facts.index, record->first_unit, record->first_unit + 1);
    if (window.size() < 2 || (period.from != -HUGE_VAL && period.from < window.front())) continue;
    const bool of_one =
        header.first + 1 < header.end && facts.index.lexed().tokens[header.first + 1].term == kOf;
    const bool named = std::ranges::any_of(
        names, [&](uint64_t name) { return facts.index.unit_has(record->first_unit, name); });
    if (!of_one || named) return true;
  }
  return false;
}

}  // namespace

// "No deploy happened before the rise", "nothing was changed on search today", "search was neither
// deployed nor reconfigured".
Listed judge_no_change(const Sentence& sentence, const Facts& facts, const Clause& clause) {
  const std::span tokens(sentence.tokens());
  const std::vector<uint8_t> negation = find_negation(tokens);
  const auto words = tokens.subspan(clause.first, clause.end - clause.first);
  const auto denial = std::ranges::find(words, TokenKind::kNegator, &Token::kind);
  if (denial == words.end() || std::ranges::any_of(words, leaves_room)) return Listed::kSilent;
  const bool none = denial->value == 1;
  const size_t at = clause.first + static_cast<size_t>(denial - words.begin());
  const auto period = period_of(sentence, facts, clause.first, clause.end);
  if (!period) return Listed::kSilent;
  std::vector<std::optional<size_t>> denied;
  std::vector<uint64_t> qualifiers;
  bool made = false, plain = true;
  for (size_t t = clause.first; t < clause.end; ++t) {
    if (negation[t] == kConditional) return Listed::kSilent;
    if (t >= period->tokens.first && t < period->tokens.end) continue;
    made = made || tells_of_making(tokens[t]);
    // "Did not change the ratio" is no change of a list.
    const auto kind = change_kind(tokens[t]);
    if (t > at && (kind || (none && is_any_change(tokens[t])))) {
      denied.push_back(kind);
    } else if (is_content(tokens[t].kind) && !tokens[t].part && !is_plain(tokens[t])) {
      qualifiers.push_back(tokens[t].term);
      plain = plain && is_named(tokens[t]);
    }
  }
  if (denied.empty()) return Listed::kSilent;
  for (const DatedEvent& listed : facts.changes) {
    const bool within = listed.at > period->from && listed.at < period->to;
    const auto of_it = [&](uint64_t term) { return facts.index.unit_has(listed.unit, term); };
    const auto is_it = [&](std::optional<size_t> kind) { return is_of_kind(facts, listed, kind); };
    if (within && std::ranges::any_of(denied, is_it) && std::ranges::all_of(qualifiers, of_it))
      return Listed::kRefuted;
  }
  // "No change of the ratio" speaks of something else.
  const bool of_the_list = made || period->tokens.end > 0 || !qualifiers.empty() || denied.front();
  return plain && of_the_list && lists_all_changes(facts, *period, qualifiers) ? Listed::kProved
                                                                               : Listed::kSilent;
}

// "The latest is search 5.5.0, by Mei": the newest of the list, or of its kind.
Listed judge_newest(const Sentence& sentence, const Facts& facts, const Clause& clause) {
  const std::span tokens(sentence.tokens());
  const auto words = tokens.subspan(clause.first, clause.end - clause.first);
  const auto newest = std::ranges::find_if(words, is_newest);
  // "The latest deploy before them" is of a time.
  if (newest == words.end() || facts.changes.empty() || std::ranges::any_of(words, denies) ||
      std::ranges::any_of(words, is_past))
    return Listed::kSilent;
  // "Latest" is the subject, or what is said of it: not "the last hour".
  const auto behind = newest + 1;
  const bool verb =
      behind != words.end() &&
      (behind->term == hash64("is") || behind->term == hash64("was") ||
       behind->term == hash64("one") || change_kind(*behind) || is_any_change(*behind));
  if (!verb) return Listed::kSilent;
  // "The latest deploy"; "the last one" is of what was spoken of before.
  const std::optional<size_t> kind = change_kind(*behind);
  // "The latest deploy of search was 5.5.0": of which, and what is said of it.
  std::vector<uint64_t> of, said;
  bool after = false;
  for (const Token& token : words) {
    after = after || token.term == hash64("is") || token.term == hash64("was");
    if (is_named(token)) (after ? said : of).push_back(token.term);
  }
  if (said.empty()) return Listed::kSilent;
  const auto has_all = [&](const DatedEvent& change, const std::vector<uint64_t>& names) {
    return std::ranges::all_of(
        names, [&](uint64_t name) { return facts.index.unit_has(change.unit, name); });
  };
  const DatedEvent* last = nullptr;
  bool told = false;
  for (const DatedEvent& change : facts.changes) {
    if (!is_of_kind(facts, change, kind) || !has_all(change, of)) continue;
    told = told || has_all(change, said);
    if (last == nullptr || change.at > last->at) last = &change;
  }
  if (!told) return Listed::kSilent;
  if (has_all(*last, said)) return Listed::kProved;
  return kind || is_any_change(*behind) ? Listed::kRefuted : Listed::kSilent;
}

// "All of the deploys were made by Mei"
Listed judge_all_changes(const Sentence& sentence, const Facts& facts, const Clause& clause) {
  static const uint64_t kAll = hash64("all"), kEvery = hash64("every"), kEach = hash64("each");
  const std::span tokens(sentence.tokens());
  const auto words = tokens.subspan(clause.first, clause.end - clause.first);
  const auto all = std::ranges::find_if(words, [](const Token& token) {
    return token.kind != TokenKind::kBreak &&
           (token.term == kAll || token.term == kEvery || token.term == kEach);
  });
  if (all == words.end() || facts.changes.empty() || std::ranges::any_of(words, leaves_room) ||
      std::ranges::any_of(words, is_past) || std::ranges::any_of(words, denies))
    return Listed::kSilent;
  // The noun stands right behind it: "all of the deploys".
  constexpr ptrdiff_t kNear = 4;
  const auto end = words.end() - all > kNear ? all + kNear : words.end();
  const auto noun = std::find_if(all, end, [](const Token& token) {
    return change_kind(token).has_value() || is_any_change(token);
  });
  std::vector<uint64_t> names;
  for (const Token& token : words)
    if (is_named(token)) names.push_back(token.term);
  if (noun == end || names.empty()) return Listed::kSilent;
  const std::optional<size_t> kind = change_kind(*noun);
  for (const DatedEvent& change : facts.changes)
    for (const uint64_t name : names)
      if (is_of_kind(facts, change, kind) && !facts.index.unit_has(change.unit, name))
        return Listed::kRefuted;
  return Listed::kProved;
}

// "Four deploys", "Mei made two of the deploys": how many of that noun the lists have, or of those
// by whom or of what the clause names.
bool is_number_of_changes(const Sentence& sentence, const Facts& facts, size_t at, size_t wanted) {
  const std::span tokens(sentence.tokens());
  constexpr size_t kNear = 4;
  for (size_t t = at + 1; t < std::min(tokens.size(), at + kNear); ++t) {
    if (tokens[t].kind == TokenKind::kBreak) return false;
    const std::optional<size_t> kind = change_kind(tokens[t]);
    if (!kind && !is_any_change(tokens[t])) continue;
    std::vector<uint64_t> names{0};
    for (const Token& token : tokens)
      if (is_named(token)) names.push_back(token.term);
    return std::ranges::any_of(names, [&](uint64_t name) {
      return static_cast<size_t>(
                 std::ranges::count_if(facts.changes, [&](const DatedEvent& change) {
                   return is_of_kind(facts, change, kind) &&
                          (name == 0 || facts.index.unit_has(change.unit, name));
                 })) == wanted;
    });
  }
  return false;
}

}  // namespace precedent
