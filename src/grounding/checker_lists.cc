// What a sentence says that there is none of, against what the receipts list: active alerts and
// changes; what it says to have been so all the time, against the extremes of the figure; and when it
// says that a change was made. "No alert is firing", "nothing was deployed before the rise", "p95
// stayed below 1 s", "search was deployed at 09:12".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/polarity.h"

namespace precedent {
namespace {

constexpr double kDay = 86400;

bool is_alert(const Token& token) {
  static const auto kTerms = terms_of("alert alerts alarm alarms");
  return is_any(token, kTerms);
}
bool is_firing(const Token& token) {
  static const auto kTerms = terms_of("fire firing active trigger triggered alerting ringing");
  return is_any(token, kTerms);
}
// Of alerts: that none is active.
bool is_silent(const Token& token) {
  static const auto kTerms = terms_of("quiet silent clear green calm inactive");
  return is_any(token, kTerms);
}
bool is_deploy(const Token& token) {
  static const auto kTerms =
      terms_of("deploy deployed deploys deployment deployments rollout release released shipped");
  return is_any(token, kTerms);
}
bool is_change(const Token& token) {
  static const auto kTerms = terms_of("change changes changed");
  return is_deploy(token) || is_any(token, kTerms);
}
// Says of what there is, or is not, nothing that an entry of a list would have.
bool is_plain(const Token& token) {
  static const auto kTerms = terms_of(
      "find found list see seen show shown current currently now present exist happen happened "
      "occur "
      "occurred make made take place go went right still any record recorded have time at all new "
      "recent recently system report reported be been there");
  return is_any(token, kTerms);
}
bool leaves_room(const Token& token) {
  static const auto kTerms = terms_of("other else another further more except besides but than");
  return is_any(token, kTerms);
}
bool is_past(const Token& token) {
  static const auto kTerms = terms_of(
      "before after until till since when once while during earlier then yesterday ago between "
      "had");
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

bool is_moment(const Token& token) {
  return token.kind == TokenKind::kTime || token.kind == TokenKind::kDate;
}

}  // namespace

// "No alert is firing", "there are no alerts for search", "the alerts are quiet".
Checker::Verdict Checker::check_no_alerts() const {
  const std::span tokens(statement_->lexed.tokens);
  const std::vector<uint8_t> governed = find_governed(tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    if (std::ranges::any_of(words, is_past) || std::ranges::any_of(words, leaves_room) ||
        std::ranges::any_of(words, is_moment))
      continue;
    std::optional<size_t> noun, denial;
    bool silent = false, fires = false, conditional = false, anything = false;
    std::vector<uint64_t> qualifiers;
    for (size_t t = clause.first; t < clause.end; ++t) {
      conditional = conditional || governed[t] == kConditional;
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
      }
    }
    // "Nothing is firing" names no alert.
    const bool denies = noun ? denial && (*denial < *noun || fires) : anything && fires;
    if (conditional || !(denies || (noun && silent && !denial))) continue;
    const bool listed = std::ranges::any_of(alerts_, [&](uint32_t unit) {
      return std::ranges::all_of(qualifiers, [&](uint64_t term) { return unit_has(unit, term); });
    });
    if (listed) return Fault{ClaimKind::kGeneral, "the receipts list an active alert"};
  }
  return {};
}

// The latest moment that metrics, alerts or changes were read for: about when the question was asked.
double Checker::latest() const {
  double last = 0;
  for (const DatedEvent& event : events_) {
    const ReceiptPlace& receipt = evidence_.receipt_of(event.unit);
    if (receipt.measured || receipt.lists_changes) last = std::max(last, event.at);
  }
  return last;
}

// The times between which a clause says something of changes: "before 09:12", "since the rise",
// "today", "in the last two hours". None where it names a time that nothing tells of.
std::optional<Checker::Period> Checker::period_of(size_t first, size_t end) const {
  static const uint64_t kToday = hash64("today"), kYesterday = hash64("yesterday");
  static const auto kLast = terms_of("last past previous");
  const auto& tokens = statement_->lexed.tokens;
  Period period;
  std::optional<size_t> mark;
  for (size_t t = first; t < end; ++t) {
    const Token& token = tokens[t];
    if (is_before(token) || is_after(token)) mark = t;
    if (token.kind != TokenKind::kBreak &&
        (token.term == kToday || token.term == kYesterday || token.term == term_of("yesterday"))) {
      period.from = std::floor(latest() / kDay) * kDay - (token.term == kToday ? 0 : kDay);
      if (!mark) period.to = period.from + kDay;
      period.tokens = {t, t + 1};
      return latest() == 0 ? std::nullopt : std::optional(period);
    }
    const bool span = token.kind == TokenKind::kQuantity && t > first &&
                      is_any(tokens[t - 1], kLast) &&
                      statement_->lexed.quantities[token.value].dimension == Dimension::kTime;
    if (span) {
      period.from = latest() - statement_->lexed.quantities[token.value].value;
      period.tokens = {t - 1, t + 1};
      return latest() == 0 ? std::nullopt : std::optional(period);
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
  for (const Mention& mention : mentions_) {
    if (mention.token <= *mark || mention.token >= end) continue;
    for (const DatedEvent& event : events_)
      if (is_at(event, mention) && event.at >= kFirstDay) moments.push_back(event.at);
  }
  if (moments.empty() && moves) {
    for (const Course& course : courses_)
      if (course.since && evidence_.receipt_of(course.unit).measured)
        moments.push_back(*course.since);
  }
  if (moments.empty()) return std::nullopt;
  // Where it could be one of several, the one that leaves the claim most room.
  (before ? period.to : period.from) =
      before ? std::ranges::min(moments) : std::ranges::max(moments);
  return period;
}

// "No deploy happened before the rise", "nothing was deployed today", "there was no change".
Checker::Verdict Checker::check_no_changes() const {
  const std::span tokens(statement_->lexed.tokens);
  const std::vector<uint8_t> governed = find_governed(tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    const auto denial = std::ranges::find_if(words, [](const Token& token) {
      return token.kind == TokenKind::kNegator && token.value == 1;
    });
    if (denial == words.end() || std::ranges::any_of(words, leaves_room)) continue;
    const size_t at = clause.first + static_cast<size_t>(denial - words.begin());
    const auto period = period_of(clause.first, clause.end);
    if (!period) continue;
    bool change = false, deploy = false, conditional = false;
    std::vector<uint64_t> qualifiers;
    for (size_t t = clause.first; t < clause.end; ++t) {
      conditional = conditional || governed[t] == kConditional;
      if (t >= period->tokens.first && t < period->tokens.end) continue;
      if (t > at && is_change(tokens[t])) {
        change = true;
        deploy = deploy || is_deploy(tokens[t]);
      } else if (is_content(tokens[t].kind) && !tokens[t].part && !is_plain(tokens[t])) {
        qualifiers.push_back(tokens[t].term);
      }
    }
    if (!change || conditional) continue;
    for (const DatedEvent& listed : changes_) {
      const bool within = listed.at >= period->from && listed.at <= period->to;
      const EvidenceUnit& unit = evidence_.units()[listed.unit];
      const auto of_it = [&](uint64_t term) { return unit_has(listed.unit, term); };
      const bool kind = !deploy || (listed.token + 1 < unit.end &&
                                    is_deploy(evidence_.lexed().tokens[listed.token + 1]));
      if (within && kind && std::ranges::all_of(qualifiers, of_it))
        return Fault{ClaimKind::kTime, "the receipts list such a change"};
    }
  }
  return {};
}

// "search was deployed at 09:12", where the change of 09:12 was one of something else.
Checker::Verdict Checker::check_change_times() const {
  const std::span tokens(statement_->lexed.tokens);
  for (const Clause& clause : clauses_of(tokens)) {
    const auto words = tokens.subspan(clause.first, clause.end - clause.first);
    const auto verb = std::ranges::find_if(words, is_deploy);
    if (verb == words.end() || std::ranges::any_of(words, is_past) ||
        std::ranges::any_of(words, [](const Token& t) { return t.kind == TokenKind::kNegator; }))
      continue;
    std::vector<Mention> mentions;
    for (const Mention& mention : mentions_)
      if (mention.token >= clause.first && mention.token < clause.end) mentions.push_back(mention);
    if (mentions.size() != 1) continue;
    // What was deployed is its subject.
    std::vector<uint64_t> things;
    for (const Token& token : words.first(static_cast<size_t>(verb - words.begin())))
      if (is_content(token.kind) && !token.part && !is_plain(token)) things.push_back(token.term);
    if (things.empty()) continue;
    const auto has_one = [&](const DatedEvent& change) {
      return std::ranges::any_of(things, [&](uint64_t t) { return unit_has(change.unit, t); });
    };
    bool then = false, theirs = false, otherwise = false;
    for (const DatedEvent& change : changes_) {
      const bool at = is_at(change, mentions.front());
      then = then || at;
      theirs = theirs || (at && has_one(change));
      otherwise = otherwise || (!at && has_one(change));
    }
    if (then && !theirs && otherwise)
      return Fault{ClaimKind::kTime, "the change of that time was another one"};
  }
  return {};
}

// "p95 stayed below 1 s", "was above 2 s all night", against the lowest and highest of the metric.
Checker::Verdict Checker::check_always() const {
  static const auto kAlways = terms_of("stayed stay remained remain always constantly throughout");
  static const auto kWhole = terms_of("night day morning afternoon evening hour hours week time");
  static const auto kAbove = terms_of("above over exceeded exceed"),
                    kBelow = terms_of("below under within");
  static const uint64_t kAll = hash64("all"), kNever = hash64("never");
  static const auto kLowest = terms_of("lowest"), kHighest = terms_of("highest");
  const std::span tokens(statement_->lexed.tokens);
  const auto& stated = evidence_.lexed().tokens;
  if (std::ranges::any_of(tokens, is_past)) return {};
  bool always = false, never = false;
  for (size_t t = 0; t < tokens.size(); ++t) {
    never = never || tokens[t].term == kNever || tokens[t].term == term_of("never");
    always = always || is_any(tokens[t], kAlways) ||
             (t > 0 && tokens[t - 1].term == kAll && is_any(tokens[t], kWhole));
  }
  if (!always && !never) return {};
  for (size_t t = 0; t + 1 < tokens.size(); ++t) {
    bool above = is_any(tokens[t], kAbove);
    if (!above && !is_any(tokens[t], kBelow)) continue;
    if (tokens[t + 1].kind != TokenKind::kQuantity) continue;
    if (never) above = !above;
    const Quantity& bound = statement_->lexed.quantities[tokens[t + 1].value];
    size_t best = 1;
    bool fails = false;
    for (uint32_t r = 0; r < evidence_.records().size(); ++r) {
      const size_t named = named_by(r);
      if (named < best) continue;
      if (named > best) fails = false;
      best = named;
      const EvidenceRecord& record = evidence_.records()[r];
      for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
        for (uint32_t s = evidence_.units()[unit].first; s + 1 < evidence_.units()[unit].end; ++s) {
          if (!is_any(stated[s], above ? kLowest : kHighest) ||
              stated[s + 1].kind != TokenKind::kQuantity)
            continue;
          const Quantity& extreme = evidence_.lexed().quantities[stated[s + 1].value];
          if (extreme.dimension == bound.dimension)
            fails = fails || (above ? extreme.value < bound.value : extreme.value > bound.value);
        }
      }
    }
    if (fails)
      return Fault{ClaimKind::kNumber,
                   fmt::format("the {} of the receipts is on the other side of that",
                               above ? "lowest figure" : "highest figure")};
  }
  return {};
}

}  // namespace precedent
