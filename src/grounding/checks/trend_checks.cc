// What a sentence says of how a figure moved and of what came first, against the lines of
// the receipts that tell the same (trends.h).
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/measured_trends.h"
#include "grounding/text/clauses.h"
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

// Whether a metric's heading, or some line that tells how a figure moved, has the words before the
// claim's verb; true where no metric was asked for, and of a claim with figures, which are checked.
bool measured(const Sentence& sentence, const Facts& facts, const TrendClaim& claim) {
  const auto& tokens = sentence.tokens();
  if (std::ranges::none_of(facts.index.receipts(), &ReceiptPlace::measured)) return true;
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
      const uint32_t id = facts.index.find(term);
      return id != ReceiptIndex::kNoTerm &&
             (std::ranges::binary_search(record.title_terms, id) ||
              (trend != nullptr && facts.index.unit_has(trend->unit, term)));
    });
    return 2 * static_cast<size_t>(own) >= subject.size();
  };
  return std::ranges::any_of(facts.index.records(),
                             [&](const EvidenceRecord& record) {
                               return facts.index.receipts()[record.receipt].measured &&
                                      has_half(record, nullptr);
                             }) ||
         std::ranges::any_of(facts.trends, [&](const Trend& trend) {
           return has_half(facts.index.records()[facts.index.units()[trend.unit].record], &trend);
         });
}

// Whether every metric that the sentence names best has a line that denies any change.
bool claims_change_of_unchanged(const Sentence& sentence, const Facts& facts) {
  static const uint64_t kChange = term_of("change");
  size_t best = 1;
  std::vector<uint32_t> named;
  for (uint32_t r = 0; r < facts.index.records().size(); ++r) {
    const size_t words = sentence.scope[r] ? named_by(sentence, facts, r) : 0;
    if (words < best) continue;
    if (words > best) named.clear();
    best = words;
    named.push_back(r);
  }
  return !named.empty() && std::ranges::all_of(named, [&](uint32_t record) {
    return std::ranges::any_of(facts.index.postings_of(kChange), [&](uint32_t place) {
      return facts.index.units()[facts.index.unit_of(place)].record == record &&
             facts.index.negation(place) != kFree && facts.index.negation(place) != kConditional;
    });
  });
}

}  // namespace

Judgement check_trends(const Sentence& sentence, const Facts& facts) {
  const auto& lexed = sentence.lexed();
  const auto fault = [&](size_t token) {
    return refuted(ClaimKind::kNumber,
                   fmt::format("the figures of the receipts say the opposite of "
                               "\"{}\"",
                               squeeze(sentence.spelling(lexed.tokens[token]))));
  };
  const std::vector<TrendClaim> claims = find_trend_claims(lexed);
  const std::vector<const Trend*> named = named_trends(sentence, facts);
  const auto goes = [&](TrendDirection way) {
    return std::ranges::any_of(named, [&](const Trend* trend) { return trend->way == way; });
  };
  for (const TrendClaim& claim : claims) {
    // "Fell to 2.6 s", where it rose to that.
    if (claim.to != nullptr && claim.way != TrendDirection::kFlat && !claim.denied) {
      bool same = false, other = false;
      for (const Trend& trend : facts.trends) {
        const EvidenceUnit& unit = facts.index.units()[trend.unit];
        for (uint32_t t = unit.first; t < unit.end; ++t) {
          const Token& token = facts.index.lexed().tokens[t];
          if (token.kind != TokenKind::kQuantity ||
              !same_quantity(*claim.to, facts.index.lexed().quantities[token.value], Hedge::kNone))
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
    if (!claim.denied && !claim.noun && !measured(sentence, facts, claim))
      return refuted(ClaimKind::kNumber, "nothing that was measured tells this");
    const TrendDirection contrary =
        claim.way == TrendDirection::kUp ? TrendDirection::kDown : TrendDirection::kUp;
    if (claim.denied
            ? goes(claim.way)
            : !goes(claim.way) && (goes(contrary) || claims_change_of_unchanged(sentence, facts)))
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
    if (is_calm(tokens[t]) && !denied && !subject && !is_at_usual_level(sentence, facts))
      return fault(t);
  }
  return {};
}

// "p95 stayed below 1 s", "was above 2 s all night", against the lowest and highest of the metric.
Judgement check_always(const Sentence& sentence, const Facts& facts) {
  static const auto kAlways = terms_of("stayed stay remained remain always constantly throughout");
  static const auto kWhole = terms_of("night day morning afternoon evening hour hours week time");
  static const auto kAbove = terms_of("above over exceeded exceed"),
                    kBelow = terms_of("below under within");
  static const uint64_t kAll = hash64("all"), kNever = hash64("never");
  static const auto kLowest = terms_of("lowest"), kHighest = terms_of("highest");
  const std::span tokens(sentence.tokens());
  const auto& stated = facts.index.lexed().tokens;
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
    const Quantity& bound = sentence.lexed().quantities[tokens[t + 1].value];
    size_t best = 1;
    bool fails = false;
    for (uint32_t r = 0; r < facts.index.records().size(); ++r) {
      const size_t named = named_by(sentence, facts, r);
      if (named < best) continue;
      if (named > best) fails = false;
      best = named;
      const EvidenceRecord& record = facts.index.records()[r];
      for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
        for (uint32_t s = facts.index.units()[unit].first; s + 1 < facts.index.units()[unit].end;
             ++s) {
          if (!is_any(stated[s], above ? kLowest : kHighest) ||
              stated[s + 1].kind != TokenKind::kQuantity)
            continue;
          const Quantity& extreme = facts.index.lexed().quantities[stated[s + 1].value];
          if (extreme.dimension == bound.dimension)
            fails = fails || (above ? extreme.value < bound.value : extreme.value > bound.value);
        }
      }
    }
    if (fails)
      return refuted(ClaimKind::kNumber,
                     fmt::format("the {} of the receipts is on the other side of that",
                                 above ? "lowest figure" : "highest figure"));
  }
  return {};
}

}  // namespace precedent
