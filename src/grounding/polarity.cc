#include "grounding/polarity.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/alignment.h"
#include "grounding/grounds.h"
#include "grounding/plain_english.h"

namespace precedent {
namespace {

// How many content words a negator governs: "was not used", "no healthy replica".
constexpr int kGoverned = 2;
// The first word after "no", "none" …
constexpr uint8_t kQuantified = 3;
// A field is a label and "no".
constexpr size_t kMaxFieldTokens = 6;
// Places of a word that are looked at.
constexpr size_t kMaxPlaces = 32;
// A place with the polarity of the sentence that fits nearly as well as the best is as good.
constexpr double kNearlyAsGood = 0.75;

bool is_word(const Token& token) {
  return token.kind == TokenKind::kWord || token.kind == TokenKind::kName ||
         token.kind == TokenKind::kService || token.kind == TokenKind::kIdentifier;
}

// "It changed nothing and cost 20 minutes."
bool joins_clauses(const Token& token) {
  static const uint64_t kAnd = hash64("and"), kBut = hash64("but");
  return token.kind == TokenKind::kStop && (token.term == kAnd || token.term == kBut);
}

// "Repeat Incident: no"
bool is_denied_field(std::span<const Token> unit) {
  if (unit.size() < 2 || unit.size() > kMaxFieldTokens) return false;
  return unit.back().kind == TokenKind::kNegator && unit.front().kind != TokenKind::kNegator;
}

void govern_unit(std::span<const Token> unit, std::span<uint8_t> out) {
  if (is_denied_field(unit)) {
    std::ranges::fill(out, uint8_t{1});
    return;
  }
  int rank = 0;
  bool quantified = false;
  for (size_t t = 0; t < unit.size(); ++t) {
    const Token& token = unit[t];
    if (token.kind == TokenKind::kNegator) {
      rank = 1;
      quantified = token.value == 1;
    } else if (token.kind == TokenKind::kBreak || joins_clauses(token)) {
      rank = 0;
    } else if (token.negated) {
      out[t] = 1;
    } else if (rank > 0 && is_word(token) && !token.part) {
      out[t] = rank == 1 && quantified ? kQuantified : static_cast<uint8_t>(rank);
      rank = rank == kGoverned ? 0 : rank + 1;
    } else if (token.part && t > 0) {
      out[t] = out[t - 1];
    }
  }
}

class FlipFinder {
 public:
  FlipFinder(const LexedText& sentence, const Grounds& evidence, Alignment& alignment,
             const std::vector<bool>& records)
      : tokens_(sentence.tokens),
        evidence_(evidence),
        alignment_(alignment),
        records_(records),
        claimed_(find_governed(sentence.tokens)) {}

  std::optional<size_t> run() {
    for (size_t t = 0; t < tokens_.size(); ++t) {
      // A name is not denied; something about it is.
      if (tokens_[t].kind != TokenKind::kWord || tokens_[t].part) continue;
      if (flipped(t) || opposite(t)) return t;
    }
    return std::nullopt;
  }

 private:
  struct Places {
    Alignment::Affinity free, governed;  // of the best place of each polarity
    bool first = false;                  // the governed one is the word right after the negator
  };

  Places places_of(size_t at, uint64_t term) {
    Places places;
    const uint32_t id = evidence_.find(term);
    if (id == Grounds::kNoTerm) return places;
    size_t looked = 0;
    for (const uint32_t place : evidence_.postings(id)) {
      const uint32_t record = evidence_.units()[evidence_.unit_of(place)].record;
      if (!records_[record] || !evidence_.is_found(place)) continue;
      if (++looked > kMaxPlaces) break;
      const Alignment::Affinity affinity = alignment_.affinity(at, place);
      const uint8_t rank = evidence_.governed(place);
      Alignment::Affinity& best = rank == 0 ? places.free : places.governed;
      if (affinity.sum <= best.sum) continue;
      best = affinity;
      if (rank != 0) places.first = rank == 1 || rank == kQuantified;
    }
    return places;
  }

  bool flipped(size_t t) {
    // "None of the cards": what there is none of may well be told of.
    if (claimed_[t] == 2 || claimed_[t] == kQuantified) return false;
    const Places places = places_of(t, tokens_[t].term);
    if (places.free.words == 0 && places.governed.words == 0) return false;
    if (claimed_[t] == 0) {
      return places.first && places.free.sum < kNearlyAsGood * places.governed.sum &&
             !denies_alike(t);
    }
    if (places.free.words < 2 || places.governed.sum >= kNearlyAsGood * places.free.sum)
      return false;
    // Words that the same negator governs: as soon as one of them is denied there, all are.
    for (size_t next = t + 1; next < tokens_.size() && claimed_[next] == 2; ++next) {
      if (tokens_[next].part) continue;
      const Places also = places_of(next, tokens_[next].term);
      if (also.governed.sum > 0 && also.governed.sum >= also.free.sum) return false;
    }
    return true;
  }

  // The clause denies another word that the receipts deny, too: the same denial.
  bool denies_alike(size_t at) {
    const auto look = [&](size_t t) {
      if (claimed_[t] == 0 || !is_word(tokens_[t])) return false;
      const Places places = places_of(t, tokens_[t].term);
      return places.governed.sum > 0;
    };
    for (size_t t = at; t > 0 && tokens_[t - 1].kind != TokenKind::kBreak; --t) {
      if (look(t - 1)) return true;
    }
    for (size_t t = at + 1; t < tokens_.size() && tokens_[t].kind != TokenKind::kBreak; ++t) {
      if (look(t)) return true;
    }
    return false;
  }

  bool says(uint64_t term) const {
    return std::ranges::any_of(tokens_,
                               [&](const Token& t) { return is_word(t) && t.term == term; });
  }

  // The receipts have the opposite of the word where it should stand.
  bool opposite(size_t t) {
    for (const auto& [left, right] : opposite_terms()) {
      if (left != tokens_[t].term || says(right)) continue;
      const Places there = places_of(t, right), here = places_of(t, left);
      // "Not refused" is accepted.
      const Alignment::Affinity& against = claimed_[t] == 0 ? there.free : there.governed;
      const double own = std::max(here.free.sum, here.governed.sum);
      if (against.words > 1 && own < kNearlyAsGood * against.sum) return true;
    }
    return false;
  }

  struct TermPair {
    uint64_t left, right;
  };
  static const std::vector<TermPair>& opposite_terms() {
    static const std::vector<TermPair> terms = [] {
      std::vector<TermPair> out;
      for (const WordPair& pair : opposite_words()) {
        out.push_back({term_of(pair.left), term_of(pair.right)});
        out.push_back({term_of(pair.right), term_of(pair.left)});
      }
      return out;
    }();
    return terms;
  }

  std::span<const Token> tokens_;
  const Grounds& evidence_;
  Alignment& alignment_;
  const std::vector<bool>& records_;
  std::vector<uint8_t> claimed_;
};

}  // namespace

std::vector<uint8_t> find_governed(std::span<const Token> tokens) {
  std::vector<uint8_t> out(tokens.size(), 0);
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool ends = t == tokens.size() ||
                      (tokens[t].kind == TokenKind::kBreak &&
                       (tokens[t].strength != BreakStrength::kClause || tokens[t].value == '|'));
    if (!ends) continue;
    govern_unit(tokens.subspan(begin, t - begin), std::span(out).subspan(begin, t - begin));
    begin = t + 1;
  }
  return out;
}

std::optional<size_t> find_flip(const LexedText& sentence, const Grounds& evidence,
                                Alignment& alignment, const std::vector<bool>& records) {
  return FlipFinder(sentence, evidence, alignment, records).run();
}

}  // namespace precedent
