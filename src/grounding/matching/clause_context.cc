#include "grounding/matching/clause_context.h"

#include <algorithm>
#include <span>

namespace precedent {
namespace {

// How far around a fact words belong to it, in tokens; how fast they count less.
constexpr size_t kSentenceReach = 8, kEvidenceReach = 14;
constexpr double kDecay = 4;
// A word beyond the end of a clause belongs less, one beyond the unit not at all.
constexpr double kAcrossClauses = 0.35;
// Of a figure, beside the words.
constexpr double kFigureWeight = 2;

bool is_figure(TokenKind kind) { return kind == TokenKind::kQuantity || kind == TokenKind::kTime; }

bool ends_clause(const Token& token) {
  return token.kind == TokenKind::kBreak || is_contrast(token);
}

}  // namespace

bool same_figure(const LexedText& sentence, const Token& claimed, const ReceiptIndex& evidence,
                 const Token& stated) {
  if (claimed.kind != stated.kind) return false;
  if (claimed.kind == TokenKind::kTime) return claimed.value / 60 == stated.value / 60;
  return claimed.kind == TokenKind::kQuantity &&
         same_quantity(sentence.quantities[claimed.value],
                       evidence.lexed().quantities[stated.value], claimed.hedge);
}

ClauseContext::ClauseContext(const LexedText& sentence, const ReceiptIndex& evidence, size_t at)
    : sentence_(sentence), evidence_(evidence) {
  const auto& tokens = sentence.tokens;
  const auto collect = [&](auto next) {
    double across = 1;
    size_t distance = 0;
    // From the first token back: SIZE_MAX ends the loop.
    for (size_t t = next(at); t < tokens.size() && distance < kSentenceReach; t = next(t)) {
      const Token& token = tokens[t];
      if (ends_clause(token)) {
        across *= kAcrossClauses;
        continue;
      }
      if (token.part) continue;
      ++distance;
      Word word;
      const double nearness = across / (1 + static_cast<double>(distance) / kDecay);
      if (is_figure(token.kind) && token.kind != tokens[at].kind) {
        word.figure = t;
        word.weight = kFigureWeight * nearness;
      } else if (is_content(token.kind) &&
                 (token.kind == TokenKind::kWord || token.kind != tokens[at].kind)) {
        word.term = evidence.find(token.term);
        if (word.term != ReceiptIndex::kNoTerm) word.weight = evidence.idf(word.term) * nearness;
      }
      if (word.weight <= 0) continue;
      words_.push_back(word);
      if (word.figure == SIZE_MAX)
        terms_ |= uint64_t{1} << (word.term % 64);
      else
        has_figures_ = true;
    }
  };
  collect([](size_t t) { return t + 1; });
  collect([](size_t t) { return t - 1; });
}

bool ClauseContext::matches(const Word& word, uint32_t place) const {
  if (word.figure != SIZE_MAX && !is_figure(evidence_.lexed().tokens[place].kind)) return false;
  if (word.figure == SIZE_MAX) return word.term == evidence_.term_id(place);
  return same_figure(sentence_, sentence_.tokens[word.figure], evidence_,
                     evidence_.lexed().tokens[place]);
}

ClauseContext::Score ClauseContext::at(uint32_t place) const {
  Score score;
  static_assert(2 * kSentenceReach <= 32);
  uint32_t used = 0;  // by word, a bit
  const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
  const auto& tokens = evidence_.lexed().tokens;
  const auto collect = [&](int64_t step) {
    double across = 1;
    size_t distance = 0;
    for (int64_t t = static_cast<int64_t>(place) + step;
         t >= unit.first && t < unit.end && distance < kEvidenceReach; t += step) {
      const auto here = static_cast<uint32_t>(t);
      if (ends_clause(tokens[here])) {
        across *= kAcrossClauses;
        continue;
      }
      if (tokens[here].part) continue;
      ++distance;
      // Function words are none of a context, and most others none of this one.
      const uint32_t term = evidence_.term_id(here);
      const bool among = term != ReceiptIndex::kNoTerm && (terms_ >> (term % 64) & 1) != 0;
      if (!among && !(has_figures_ && is_figure(tokens[here].kind))) continue;
      for (size_t n = 0; n < words_.size(); ++n) {
        if ((used >> n & 1) != 0 || !matches(words_[n], here)) continue;
        used |= 1U << n;
        ++score.words;
        score.sum += across * words_[n].weight / (1 + static_cast<double>(distance) / kDecay);
        break;
      }
    }
  };
  collect(1);
  collect(-1);
  return score;
}

ClauseContext::Score ClauseContext::best(const std::vector<uint32_t>& places) const {
  Score best;
  for (const uint32_t place : std::span(places).first(std::min(places.size(), kMaxPlaces))) {
    const Score score = at(place);
    if (score.sum > best.sum) best = score;
  }
  return best;
}

}  // namespace precedent
