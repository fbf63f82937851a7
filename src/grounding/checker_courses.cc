// What a sentence says of how a figure moved and of what came first, against the lines of
// the receipts that tell the same (trends.h).
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

bool is_better(const Token& token) {
  static const auto kTerms = terms_of("better improve improved improving");
  return is_any(token, kTerms);
}
bool is_worse(const Token& token) {
  static const auto kTerms = terms_of("worse worsen worsened worsening degrade degraded degrading");
  return is_any(token, kTerms);
}
// Whether less of what a sentence is about is better; none if it names no such measure.
std::optional<bool> is_good_when_low(std::span<const Token> tokens) {
  static const auto kLow = terms_of(
      "latency error failure saturation queue lag wait time duration backlog timeout miss p50 p90 "
      "p95 p99 usage");
  static const auto kHigh =
      terms_of("throughput availability success uptime hit hits capacity headroom");
  const bool low = std::ranges::any_of(tokens, [](const Token& t) { return is_any(t, kLow); });
  const bool high = std::ranges::any_of(tokens, [](const Token& t) { return is_any(t, kHigh); });
  if (low == high) return std::nullopt;
  return low;
}
}  // namespace

// How many words of the sentence name what a record measures; 0 if none is of the metric's own name.
size_t Checker::named_by(uint32_t record) const {
  const EvidenceRecord& r = evidence_.records()[record];
  if (!evidence_.receipts()[r.receipt].measured || r.end_title == r.first_unit) return 0;
  const auto& stated = evidence_.lexed().tokens;
  const auto& tokens = statement_->lexed.tokens;
  const auto has = [&](uint64_t term) {
    return std::ranges::any_of(
        tokens, [&](const Token& token) { return is_content(token.kind) && token.term == term; });
  };
  // "p95_latency" and its parts.
  uint32_t t = evidence_.units()[r.first_unit].first;
  bool own = has(stated[t].term);
  for (++t; t < stated.size() && stated[t].part; ++t) own = own || has(stated[t].term);
  if (!own) return 0;
  return static_cast<size_t>(std::ranges::count_if(tokens, [&](const Token& token) {
    if (!is_content(token.kind) || token.part) return false;
    const uint32_t id = evidence_.find(token.term);
    return id != ReceiptIndex::kNoTerm && std::ranges::binary_search(r.title_terms, id);
  }));
}

// The trends of the metric that the sentence names best.
std::vector<const Trend*> Checker::named_courses() const {
  size_t best = 1;
  std::vector<std::pair<size_t, const Trend*>> scored;
  for (uint32_t r = 0; r < evidence_.records().size(); ++r) {
    const size_t words = scope_[r] ? named_by(r) : 0;
    if (words < best) continue;
    best = words;
    for (const Trend& trend : trends_)
      if (evidence_.units()[trend.unit].record == r) scored.emplace_back(words, &trend);
  }
  std::vector<const Trend*> found;
  for (const auto& [words, trend] : scored)
    if (words == best) found.push_back(trend);
  return found;
}

// Whether a metric's heading, or some line that tells how a figure moved, has the words before the
// claim's verb; true where no metric was asked for, and of a claim with figures, which are checked.
bool Checker::measured(const TrendClaim& claim) const {
  const auto& tokens = statement_->lexed.tokens;
  if (std::ranges::none_of(evidence_.receipts(), &ReceiptPlace::measured)) return true;
  const auto is_measure = [](const Token& token) { return token.kind == TokenKind::kQuantity; };
  if (std::any_of(tokens.begin() + static_cast<ptrdiff_t>(claim.token) + 1, tokens.end(),
                  is_measure))
    return true;
  // "It was deployed an hour before the memory rose": the memory.
  static const TermSet kJoints =
      terms_of("before after when while until since as that which because and but");
  std::vector<uint64_t> subject;
  for (size_t t = claim.token; t > 0 && tokens[t - 1].kind != TokenKind::kBreak; --t) {
    if (!subject.empty() && is_any(tokens[t - 1], kJoints)) break;
    if (is_content(tokens[t - 1].kind) && !tokens[t - 1].part)
      subject.push_back(tokens[t - 1].term);
  }
  if (subject.empty()) return true;
  const auto has_half = [&](const EvidenceRecord& record, const Trend* trend) {
    const auto own = std::ranges::count_if(subject, [&](uint64_t term) {
      const uint32_t id = evidence_.find(term);
      return id != ReceiptIndex::kNoTerm && (std::ranges::binary_search(record.title_terms, id) ||
                                             (trend != nullptr && unit_has(trend->unit, term)));
    });
    return 2 * static_cast<size_t>(own) >= subject.size();
  };
  return std::ranges::any_of(evidence_.records(),
                             [&](const EvidenceRecord& record) {
                               return evidence_.receipts()[record.receipt].measured &&
                                      has_half(record, nullptr);
                             }) ||
         std::ranges::any_of(trends_, [&](const Trend& trend) {
           return has_half(evidence_.records()[evidence_.units()[trend.unit].record], &trend);
         });
}

// Whether every metric that the sentence names best has a line that denies any change.
bool Checker::claims_change_of_unchanged() const {
  static const uint64_t kChange = term_of("change");
  size_t best = 1;
  std::vector<uint32_t> named;
  for (uint32_t r = 0; r < evidence_.records().size(); ++r) {
    const size_t words = scope_[r] ? named_by(r) : 0;
    if (words < best) continue;
    if (words > best) named.clear();
    best = words;
    named.push_back(r);
  }
  return !named.empty() && std::ranges::all_of(named, [&](uint32_t record) {
    return std::ranges::any_of(evidence_.postings_of(kChange), [&](uint32_t place) {
      return evidence_.units()[evidence_.unit_of(place)].record == record &&
             evidence_.negation(place) != kFree && evidence_.negation(place) != kConditional;
    });
  });
}

// Whether the metric that the sentence names best is about what it was at the same time a day earlier.
bool Checker::is_usual_now() const {
  constexpr double kUsual = 1.5;
  static const uint64_t kNow = hash64("now"), kDayWord = term_of("day");
  const auto& text = evidence_.lexed();
  size_t best = 1;
  bool usual = false;
  for (uint32_t r = 0; r < evidence_.records().size(); ++r) {
    const size_t words = scope_[r] ? named_by(r) : 0;
    if (words < best) continue;
    if (words > best) usual = false;
    best = words;
    const EvidenceRecord& record = evidence_.records()[r];
    for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
      const EvidenceUnit& u = evidence_.units()[unit];
      if (text.tokens[u.first].term != kNow || !unit_has(unit, kDayWord)) continue;
      for (uint32_t t = u.first; t < u.end; ++t) {
        if (text.tokens[t].kind != TokenKind::kQuantity) continue;
        const Quantity& q = text.quantities[text.tokens[t].value];
        if (q.dimension != Dimension::kTimes) continue;
        usual = usual || (q.value < kUsual && q.value > 1 / kUsual);
        break;
      }
    }
  }
  return usual;
}

Checker::Verdict Checker::check_courses() {
  const auto& lexed = statement_->lexed;
  const auto fault = [&](size_t token) {
    return Fault{ClaimKind::kNumber, fmt::format("the figures of the receipts say the opposite of "
                                                 "\"{}\"",
                                                 squeeze(spelled(lexed.tokens[token])))};
  };
  const std::vector<TrendClaim> claims = find_trend_claims(lexed);
  const std::vector<const Trend*> named = named_courses();
  const auto goes = [&](TrendDirection way) {
    return std::ranges::any_of(named, [&](const Trend* trend) { return trend->way == way; });
  };
  for (const TrendClaim& claim : claims) {
    // "Fell to 2.6 s", where it rose to that.
    if (claim.to != nullptr && claim.way != TrendDirection::kFlat && !claim.denied) {
      bool same = false, other = false;
      for (const Trend& trend : trends_) {
        const EvidenceUnit& unit = evidence_.units()[trend.unit];
        for (uint32_t t = unit.first; t < unit.end; ++t) {
          const Token& token = evidence_.lexed().tokens[t];
          if (token.kind != TokenKind::kQuantity ||
              !same_quantity(*claim.to, evidence_.lexed().quantities[token.value], Hedge::kNone))
            continue;
          (trend.way == claim.way ? same : other) = true;
        }
      }
      if (other && !same) return fault(claim.token);
    }
    const bool flat = claim.way == TrendDirection::kFlat;
    if (flat && !claim.denied &&
        std::ranges::any_of(named, [](const Trend* trend) { return trend->large; }))
      return fault(claim.token);
    if (flat) continue;
    if (!claim.denied && !claim.noun && !measured(claim))
      return Fault{ClaimKind::kNumber, "nothing that was measured tells this"};
    const TrendDirection contrary =
        claim.way == TrendDirection::kUp ? TrendDirection::kDown : TrendDirection::kUp;
    if (claim.denied ? goes(claim.way)
                     : !goes(claim.way) && (goes(contrary) || claims_change_of_unchanged()))
      return fault(claim.token);
  }
  // "Is getting better": which way that is depends on what is measured.
  const auto& tokens = lexed.tokens;
  const std::optional<bool> good_when_low = is_good_when_low(tokens);
  for (size_t t = 0; t < tokens.size() && good_when_low; ++t) {
    const bool better = is_better(tokens[t]);
    if (!better && !is_worse(tokens[t])) continue;
    if (t > 0 && tokens[t - 1].kind == TokenKind::kNegator) continue;
    const TrendDirection way =
        better == *good_when_low ? TrendDirection::kDown : TrendDirection::kUp;
    if (!goes(way) &&
        goes(way == TrendDirection::kDown ? TrendDirection::kUp : TrendDirection::kDown))
      return fault(t);
  }
  // Calm, where the figure moved by half.
  if (std::ranges::any_of(tokens, is_bounded) ||
      std::ranges::none_of(named, [](const Trend* trend) { return trend->large; }))
    return {};
  for (size_t t = 0; t < tokens.size(); ++t) {
    const bool denied = t > 0 && tokens[t - 1].kind == TokenKind::kNegator;
    // "Normal is fewer than 60"
    const bool subject = t + 1 < tokens.size() && (tokens[t + 1].term == hash64("is") ||
                                                   tokens[t + 1].term == hash64("was"));
    if (is_calm(tokens[t]) && !denied && !subject && !is_usual_now()) return fault(t);
  }
  return {};
}

// "The rise began before the deploy of 2.31.0", where all rises came after it.
Checker::Verdict Checker::check_order() const {
  static const uint64_t kBefore = term_of("before"), kAfter = term_of("after");
  const auto& tokens = statement_->lexed.tokens;
  const auto& stated = evidence_.lexed().tokens;
  for (size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool before = tokens[at].term == kBefore || tokens[at].term == hash64("before");
    const bool after = tokens[at].term == kAfter || tokens[at].term == hash64("after");
    if ((!before && !after) || tokens[at].kind == TokenKind::kBreak) continue;
    // What moved stands on the left, and what was changed is named on the right.
    std::vector<uint64_t> facts;
    size_t end = at + 1;
    for (; end < tokens.size() && tokens[end].kind != TokenKind::kBreak; ++end)
      if (is_fact(tokens[end].kind) && is_content(tokens[end].kind) && !tokens[end].part)
        facts.push_back(tokens[end].term);
    std::optional<TrendDirection> way;
    for (const TrendClaim& claim : find_trend_claims(statement_->lexed))
      if (claim.token < at && !claim.denied && claim.way != TrendDirection::kFlat) way = claim.way;
    if (!way) continue;
    std::vector<double> changes;
    // "Before the deploy at 09:12"
    for (const Mention& mention : mentions_) {
      if (!facts.empty() || mention.token <= at || mention.token >= end) continue;
      for (const DatedEvent& change : changes_)
        if (is_at(change, mention)) changes.push_back(change.at);
    }
    for (const uint32_t place :
         facts.empty() ? std::span<const uint32_t>() : evidence_.postings_of(facts.front())) {
      const uint32_t unit = evidence_.unit_of(place);
      const EvidenceUnit& u = evidence_.units()[unit];
      // "- 2026-11-17T15:40:00Z deploy …"
      const bool dated =
          std::any_of(stated.begin() + u.first, stated.begin() + std::min(u.end, u.first + 2),
                      [](const Token& t) { return t.kind == TokenKind::kDate; });
      if (!dated) continue;
      const bool all =
          std::ranges::all_of(facts, [&](uint64_t fact) { return unit_has(unit, fact); });
      // Of the words on the right, one says what kind of change it was.
      const bool kind = std::any_of(
          tokens.begin() + static_cast<ptrdiff_t>(at), tokens.begin() + static_cast<ptrdiff_t>(end),
          [&](const Token& word) {
            return word.kind == TokenKind::kWord && !word.part && unit_has(unit, word.term);
          });
      if (!all || !kind) continue;
      if (const auto moments = moments_in(evidence_, unit, unit + 1); !moments.empty())
        changes.push_back(moments.front());
    }
    bool holds = false, fails = false;
    const std::vector<const Trend*> named = named_courses();
    for (const Trend& trend : trends_) {
      const bool meant = named.empty() || std::ranges::find(named, &trend) != named.end();
      if (!trend.since || trend.way != *way || !meant || !evidence_.receipt_of(trend.unit).measured)
        continue;
      for (const double change : changes)
        (before ? *trend.since < change : *trend.since >= change) ? holds = true : fails = true;
    }
    if (fails && !holds)
      return Fault{ClaimKind::kTime, fmt::format("by the times of the receipts it was not \"{}\"",
                                                 squeeze(spelled(tokens[at])))};
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
