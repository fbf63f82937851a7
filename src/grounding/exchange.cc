#include "grounding/exchange.h"

#include <algorithm>

namespace precedent {
namespace {

// How far around a fact words belong to it, in tokens; how fast they count less.
constexpr size_t kSentenceReach = 8, kEvidenceReach = 14;
constexpr double kDecay = 4;
// A word beyond the end of a clause belongs less, one beyond the sentence not at all.
constexpr double kAcrossClauses = 0.35;
// Places of a fact that are looked at; a fact in more is no evidence for where.
constexpr size_t kMaxPlaces = 24;
// A sentence with more facts is a list.
constexpr size_t kMaxFacts = 8;
// Words that must speak for the exchange.
constexpr size_t kMinWords = 3;

bool is_named(const Token& token) {
  return !token.part && (token.kind == TokenKind::kService || token.kind == TokenKind::kName ||
                         token.kind == TokenKind::kIdentifier);
}
bool is_figure(const Token& token) {
  return token.kind == TokenKind::kQuantity || token.kind == TokenKind::kTime;
}

class ExchangeFinder {
 public:
  ExchangeFinder(const LexedText& sentence, const Grounds& evidence,
                 const std::vector<bool>& records, double factor)
      : sentence_(sentence), evidence_(evidence), records_(records), factor_(factor) {}

  std::optional<Exchange> run() {
    std::vector<size_t> facts;
    for (size_t t = 0; t < sentence_.tokens.size(); ++t) {
      if (is_named(sentence_.tokens[t]) || is_figure(sentence_.tokens[t])) facts.push_back(t);
    }
    if (facts.size() > kMaxFacts) return std::nullopt;
    for (size_t i = 0; i < facts.size(); ++i) {
      for (size_t j = i + 1; j < facts.size(); ++j) {
        if (comparable(facts[i], facts[j]) && exchanged(facts[i], facts[j]))
          return Exchange{facts[i], facts[j]};
      }
    }
    return std::nullopt;
  }

 private:
  struct Context {
    uint32_t term = 0;
    double weight = 0;
  };
  struct Score {
    double sum = 0;
    size_t words = 0;
  };

  const Quantity& quantity(size_t t) const {
    return sentence_.quantities[sentence_.tokens[t].value];
  }

  bool comparable(size_t a, size_t b) const {
    const Token &one = sentence_.tokens[a], &other = sentence_.tokens[b];
    if (one.kind != other.kind) return false;
    if (one.kind == TokenKind::kTime) return one.value != other.value;
    if (one.kind == TokenKind::kQuantity) {
      if (quantity(a).dimension != quantity(b).dimension || quantity(a).value == quantity(b).value)
        return false;
      return quantity(a).dimension != Dimension::kNone || (counts(a) && counts(b));
    }
    // "Siobhan Keane" is one name.
    return one.term != other.term && (one.kind != TokenKind::kName || b > a + 1);
  }

  // "9,480 captures": a number of what follows, not a code.
  bool counts(size_t t) const {
    return t + 1 < sentence_.tokens.size() && is_content(sentence_.tokens[t + 1].kind);
  }

  std::vector<uint32_t> places(size_t t) const {
    const Token& token = sentence_.tokens[t];
    std::vector<uint32_t> found;
    if (token.kind == TokenKind::kQuantity) {
      found = evidence_.quantities_near(quantity(t));
      std::erase_if(found, [&](uint32_t place) {
        const Token& stated = evidence_.lexed().tokens[place];
        return !same_quantity(quantity(t), evidence_.lexed().quantities[stated.value], token.hedge);
      });
    } else if (token.kind == TokenKind::kTime) {
      for (const uint32_t place : evidence_.times()) {
        if (evidence_.lexed().tokens[place].value / 60 == token.value / 60) found.push_back(place);
      }
    } else if (const uint32_t id = evidence_.find(token.term); id != Grounds::kNoTerm) {
      const auto postings = evidence_.postings(id);
      found.assign(postings.begin(), postings.end());
    }
    std::erase_if(found, [&](uint32_t place) {
      return !records_[evidence_.units()[evidence_.unit_of(place)].record] ||
             !evidence_.is_found(place);
    });
    return found;
  }

  // The words around `at`, without names, which may be exchanged themselves.
  std::vector<Context> context(size_t at) const {
    std::vector<Context> out;
    const auto collect = [&](auto next) {
      double across = 1;
      size_t distance = 0;
      for (size_t t = next(at); t < sentence_.tokens.size() && distance < kSentenceReach;
           t = next(t)) {
        const Token& token = sentence_.tokens[t];
        if (token.kind == TokenKind::kBreak) {
          across *= kAcrossClauses;
          continue;
        }
        if (token.part) continue;
        ++distance;
        const uint32_t id =
            token.kind == TokenKind::kWord ? evidence_.find(token.term) : Grounds::kNoTerm;
        if (id == Grounds::kNoTerm) continue;
        out.push_back(
            {id, across * evidence_.idf(id) / (1 + static_cast<double>(distance) / kDecay)});
      }
    };
    collect([](size_t t) { return t + 1; });
    collect([](size_t t) { return t - 1; });
    return out;
  }

  Score score_at(const std::vector<Context>& context, uint32_t place) const {
    Score score;
    std::vector<bool> used(context.size(), false);
    const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
    const auto& tokens = evidence_.lexed().tokens;
    const auto collect = [&](int64_t step) {
      double across = 1;
      size_t distance = 0;
      for (int64_t t = static_cast<int64_t>(place) + step;
           t >= unit.first && t < unit.end && distance < kEvidenceReach; t += step) {
        const auto at = static_cast<uint32_t>(t);
        if (tokens[at].kind == TokenKind::kBreak) {
          across *= kAcrossClauses;
          continue;
        }
        if (tokens[at].part) continue;
        ++distance;
        for (size_t n = 0; n < context.size(); ++n) {
          if (used[n] || context[n].term != evidence_.term_id(at)) continue;
          used[n] = true;
          ++score.words;
          score.sum += across * context[n].weight / (1 + static_cast<double>(distance) / kDecay);
          break;
        }
      }
    };
    collect(1);
    collect(-1);
    return score;
  }

  Score best(const std::vector<Context>& context, const std::vector<uint32_t>& places) const {
    Score best;
    for (const uint32_t place : std::span(places).first(std::min(places.size(), kMaxPlaces))) {
      const Score score = score_at(context, place);
      if (score.sum > best.sum) best = score;
    }
    return best;
  }

  bool exchanged(size_t a, size_t b) const {
    const std::vector<uint32_t> of_a = places(a), of_b = places(b);
    if (of_a.empty() || of_b.empty()) return false;
    const std::vector<Context> around_a = context(a), around_b = context(b);
    const Score a_here = best(around_a, of_a), b_here = best(around_b, of_b);
    const Score b_there = best(around_a, of_b), a_there = best(around_b, of_a);
    return b_there.words + a_there.words >= kMinWords &&
           a_here.sum + b_here.sum < factor_ * (b_there.sum + a_there.sum);
  }

  const LexedText& sentence_;
  const Grounds& evidence_;
  const std::vector<bool>& records_;
  double factor_;
};

}  // namespace

std::optional<Exchange> find_exchange(const LexedText& sentence, const Grounds& evidence,
                                      const std::vector<bool>& records, double factor) {
  return ExchangeFinder(sentence, evidence, records, factor).run();
}

}  // namespace precedent
