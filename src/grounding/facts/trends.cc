#include "grounding/facts/trends.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/hash.h"
#include "grounding/facts/dated_events.h"
#include "grounding/text/clauses.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

// Smaller moves are noise, larger ones are what people ask about.
constexpr double kNoise = 0.1, kLarge = 0.5;

// Verbs that a figure is the subject of; "raised" and "lowered" have another object.
const TermSet& words_of(TrendDirection way) {
  static const auto up = terms_of("rise increase grow climb jump surge doubled tripled");
  static const auto down = terms_of("fall decrease drop decline shrink halved");
  static const auto flat = terms_of("unchanged flat steady stable constant");
  return way == TrendDirection::kUp ? up : way == TrendDirection::kDown ? down : flat;
}

// The quantity that follows `at` at once.
const Quantity* behind(const LexedText& text, size_t at) {
  for (size_t t = at + 1; t < text.tokens.size() && t <= at + 2; ++t) {
    if (text.tokens[t].kind == TokenKind::kQuantity) return &text.quantities[text.tokens[t].value];
  }
  return nullptr;
}

std::optional<Trend> trend(uint32_t unit, double before, double after) {
  const double larger = std::max(std::abs(before), std::abs(after));
  if (larger == 0 || std::abs(after - before) < kNoise * larger) return std::nullopt;
  return Trend{unit, after > before ? TrendDirection::kUp : TrendDirection::kDown,
               std::abs(after - before) >= kLarge * std::min(std::abs(before), std::abs(after))};
}

// What a line says by its figures.
std::optional<Trend> read_unit(const ReceiptIndex& evidence, uint32_t unit) {
  static const uint64_t kFrom = hash64("from"), kTo = hash64("to"), kNow = hash64("now");
  static const auto kFirst = terms_of("first"), kAbove = terms_of("above"),
                    kBelow = terms_of("below"), kBefore = terms_of("before"),
                    kAfter = terms_of("after");
  const LexedText& text = evidence.lexed();
  const EvidenceUnit& u = evidence.units()[unit];
  const Quantity *from = nullptr, *before = nullptr;
  for (uint32_t t = u.first; t < u.end; ++t) {
    const Token& token = text.tokens[t];
    if (token.kind == TokenKind::kBreak) continue;
    const Quantity* figure = t + 1 < u.end ? behind(text, t) : nullptr;
    if (token.term == kFrom) from = figure;
    if (is_any(token, kBefore)) before = figure;
    const bool to = token.term == kTo && from != nullptr;
    if (figure != nullptr && (to || (before != nullptr && is_any(token, kAfter)))) {
      const Quantity& start = to ? *from : *before;
      if (start.dimension == figure->dimension) return trend(unit, start.value, figure->value);
    }
    if (token.term == kNow && figure != nullptr && figure->dimension == Dimension::kTimes) {
      std::optional<Trend> compared = trend(unit, 1, figure->value);
      // Its times are those of the windows that were compared.
      if (compared) compared->dated = false;
      return compared;
    }
    if (is_any(token, kFirst) && t + 1 < u.end) {
      if (is_any(text.tokens[t + 1], kAbove)) return Trend{unit, TrendDirection::kUp, true};
      if (is_any(text.tokens[t + 1], kBelow)) return Trend{unit, TrendDirection::kDown, true};
    }
  }
  return std::nullopt;
}

// "The rate doubled", but not "double the rate" or "twice as much".
bool multiplies(const LexedText& text, size_t at) {
  static const uint64_t kMarks[] = {hash64("as"), hash64("the"), hash64("a"), hash64("of"),
                                    hash64("its")};
  if (text.tokens[at].kind != TokenKind::kQuantity) return false;
  const Quantity& q = text.quantities[text.tokens[at].value];
  static const uint64_t kOf = hash64("of");
  if (!q.verb || q.dimension != Dimension::kTimes || at == 0) return false;
  // "A factor of just over four"
  for (size_t t = at; t > 0 && text.tokens[t - 1].kind == TokenKind::kStop; --t)
    if (text.tokens[t - 1].term == kOf) return false;
  return at + 1 == text.tokens.size() || text.tokens[at + 1].kind == TokenKind::kBreak ||
         std::ranges::find(kMarks, text.tokens[at + 1].term) == std::end(kMarks);
}

}  // namespace

std::vector<Trend> find_trends(const ReceiptIndex& evidence) {
  std::vector<Trend> found;
  for (uint32_t unit = 0; unit < evidence.units().size(); ++unit) {
    std::optional<Trend> read = read_unit(evidence, unit);
    if (!read) continue;
    const std::vector<double> moments = moments_in(evidence, unit, unit + 1);
    if (read->dated && !moments.empty() && moments.front() >= kFirstDay)
      read->since = moments.front();
    found.push_back(*read);
  }
  return found;
}

std::vector<uint32_t> find_active_alerts(const ReceiptIndex& evidence) {
  static const uint64_t kSince = hash64("since"), kActive = term_of("active");
  const auto& tokens = evidence.lexed().tokens;
  std::vector<uint32_t> found;
  for (uint32_t unit = 0; unit < evidence.units().size(); ++unit) {
    const EvidenceUnit& u = evidence.units()[unit];
    if (!evidence.receipt_of(unit).measured) continue;
    for (uint32_t t = u.first + 1; t + 1 < u.end; ++t) {
      if (tokens[t].term != kActive || tokens[t + 1].term != kSince) continue;
      found.push_back(unit);
      break;
    }
  }
  return found;
}

std::vector<TrendClaim> find_trend_claims(const LexedText& sentence) {
  static const uint64_t kFrom = hash64("from"), kTo = hash64("to"), kChange = term_of("change");
  const auto& tokens = sentence.tokens;
  const std::vector<uint8_t> negation = find_negation(tokens);
  std::vector<TrendClaim> found;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (negation[t] == kConditional) continue;
    TrendClaim claim{.token = t, .denied = negation[t] != kFree};
    bool any = false;
    for (const TrendDirection way :
         {TrendDirection::kUp, TrendDirection::kDown, TrendDirection::kFlat}) {
      if (!is_any(tokens[t], words_of(way))) continue;
      claim.way = way;
      any = true;
    }
    // "Came down", "went back up"
    static const auto kMoves = terms_of("come came comes go goes went gone going move moved");
    static const auto kUp = terms_of("up"), kDown = terms_of("down"), kBack = terms_of("back");
    if (!any && is_any(tokens[t], kMoves)) {
      const size_t way = t + 1 < tokens.size() && is_any(tokens[t + 1], kBack) ? t + 2 : t + 1;
      if (way < tokens.size() && (is_any(tokens[way], kUp) || is_any(tokens[way], kDown))) {
        claim.way = is_any(tokens[way], kUp) ? TrendDirection::kUp : TrendDirection::kDown;
        any = true;
      }
    }
    if (!any && multiplies(sentence, t)) {
      any = true;
      claim.way = sentence.quantities[tokens[t].value].value > 1 ? TrendDirection::kUp
                                                                 : TrendDirection::kDown;
    }
    // "Nothing changed", "did not change"
    if (!any && claim.denied && tokens[t].term == kChange) {
      any = true;
      claim = {.token = t, .way = TrendDirection::kFlat};
    }
    if (!any) continue;
    // "Both fell to Platform": whose they were.
    if (t + 2 < tokens.size() && tokens[t + 1].kind != TokenKind::kBreak &&
        tokens[t + 1].term == kTo && is_named(tokens[t + 2]))
      continue;
    static const auto kArticles = terms_of("the a this that its");
    claim.noun = t > 0 && kArticles.contains(tokens[t - 1].term);
    for (size_t n = t + 1; n < tokens.size() && tokens[n].kind != TokenKind::kBreak; ++n) {
      if (tokens[n].term == kFrom) break;
      if (tokens[n].term == kTo) claim.to = behind(sentence, n);
    }
    found.push_back(claim);
  }
  return found;
}

}  // namespace precedent
