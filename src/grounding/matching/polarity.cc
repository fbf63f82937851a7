#include "grounding/matching/polarity.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/facts/receipt_index.h"
#include "grounding/matching/alignment.h"
#include "grounding/text/clauses.h"
#include "grounding/text/negation.h"
#include "grounding/text/opposed_expressions.h"

namespace precedent {
namespace {

// How far behind a word the zero of its "fell to 0 %" stands, in tokens.
constexpr uint32_t kZeroReach = 4;
// Places of a word that are looked at.
constexpr size_t kMaxPlaces = 32;
// A place with the polarity of the sentence that fits nearly as well as the best is as good.
constexpr double kNearlyAsGood = 0.75;

bool compares_with(const Token& token) {
  static const uint64_t kWords[] = {term_of("above"), term_of("below"),  term_of("over"),
                                    term_of("under"), term_of("exceed"), term_of("beyond"),
                                    term_of("reach")};
  return std::ranges::find(kWords, token.term) != std::end(kWords);
}

// What is yet to be done.
bool plans(const Token& token) {
  static const uint64_t kWords[] = {term_of("plan"),    term_of("consider"), term_of("propose"),
                                    term_of("open"),    term_of("pending"),  term_of("schedule"),
                                    term_of("suggest"), term_of("intend"),   term_of("remain")};
  return token.kind == TokenKind::kWord &&
         std::ranges::find(kWords, token.term) != std::end(kWords);
}

// "Deploys are frozen", "it refuses to save": as good as a negator.
bool is_denial_in_other_words(const Token& token) {
  static const TermSet kWords = terms_of(
      "freeze frozen forbid forbidden prohibit ban block refuse reject deny prevent stop suspend "
      "disallow lack "
      "miss missing lose without except");
  return token.kind != TokenKind::kBreak && is_any(token, kWords);
}

// Whether a place fits clearly less than another. Within a record, what its title adds to all of
// its places decides nothing.
bool is_weaker(const Alignment::Affinity& one, const Alignment::Affinity& other) {
  const bool same_record = one.record == other.record;
  return same_record ? one.local < kNearlyAsGood * other.local
                     : one.sum < kNearlyAsGood * other.sum;
}

bool is_component(const Token& token) { return !token.part && token.kind == TokenKind::kService; }

// "Search has no database" denies nothing of orders: whether the line names components, and none of
// those that the sentence names.
bool tells_of_others(std::span<const Token> sentence, const ReceiptIndex& evidence, uint32_t unit) {
  if (std::ranges::none_of(sentence, is_component)) return false;
  bool any = false;
  for (uint32_t t = evidence.units()[unit].first; t < evidence.units()[unit].end; ++t) {
    const Token& token = evidence.lexed().tokens[t];
    if (!is_component(token)) continue;
    any = true;
    if (std::ranges::find(sentence, token.term, &Token::term) != sentence.end()) return false;
  }
  return any;
}

}  // namespace

bool tells_of_another(std::span<const Token> sentence, size_t at, const ReceiptIndex& evidence,
                      uint32_t unit) {
  const auto subject = std::ranges::find_if(sentence, is_component);
  if (subject == sentence.end() || subject - sentence.begin() >= static_cast<ptrdiff_t>(at))
    return false;
  bool other = false;
  for (uint32_t t = evidence.units()[unit].first; t < evidence.units()[unit].end; ++t) {
    const Token& token = evidence.lexed().tokens[t];
    if (!is_component(token)) continue;
    if (token.term == subject->term) return false;
    // What is denied of the one may be stated of another, and of the same thing.
    other = other || std::none_of(sentence.begin() + static_cast<ptrdiff_t>(at), sentence.end(),
                                  [&](const Token& own) { return own.term == token.term; });
  }
  return other;
}

namespace {

class FlipFinder {
 public:
  FlipFinder(const LexedText& sentence, const ReceiptIndex& evidence, const Alignment& alignment,
             const std::vector<bool>& records)
      : tokens_(sentence.tokens),
        evidence_(evidence),
        alignment_(alignment),
        records_(records),
        claimed_(find_negation(sentence.tokens)),
        planning_(std::ranges::any_of(sentence.tokens, plans)),
        opposed_expressions_(find_opposed_expressions(sentence.tokens, claimed_)) {}

  std::optional<size_t> run() {
    for (const OpposedExpression& expression : opposed_expressions_) {
      if (contradicted(expression)) return expression.last;
    }
    for (size_t t = 0; t < tokens_.size(); ++t) {
      if (tokens_[t].part || claimed_[t] == kConditional || in_contrast(t)) continue;
      // "Never above 3.5 %": its figure is checked.
      if (t + 1 < tokens_.size() && tokens_[t + 1].kind == TokenKind::kQuantity &&
          compares_with(tokens_[t]))
        continue;
      if (is_word(tokens_[t]) && exists_only_here(t)) return t;
      // A name is not denied; something about it is.
      if (tokens_[t].kind == TokenKind::kWord && !in_expression(t) && flipped(t)) return t;
    }
    return std::nullopt;
  }

 private:
  struct Places {
    Alignment::Affinity free, denied;  // of the best place of each polarity
    // Whether the one fits clearly less than the other.
    bool denied_is_weak() const { return is_weaker(denied, free); }
    bool free_is_weak() const { return is_weaker(free, denied); }
    uint32_t free_unit = 0;
    bool first = false;  // the denied one is the word right after the negator
  };

  bool counts(uint32_t place) const {
    const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
    // A plan is no denial of what is planned.
    if (planning_ &&
        is_open_task(
            std::span(evidence_.lexed().tokens).subspan(unit.first, unit.end - unit.first)))
      return false;
    return records_[evidence_.units()[evidence_.unit_of(place)].record] &&
           evidence_.is_found(place);
  }

  // "Fell to 0 %": as good as a denial.
  bool beside_zero(uint32_t place) const {
    const auto& tokens = evidence_.lexed().tokens;
    const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
    const uint32_t end = std::min(unit.end, place + kZeroReach + 1);
    for (uint32_t t = place; t < end && tokens[t].kind != TokenKind::kBreak; ++t) {
      if (tokens[t].kind == TokenKind::kQuantity &&
          evidence_.lexed().quantities[tokens[t].value].value == 0)
        return true;
    }
    return false;
  }

  // Whether the sentence has all words of the label that a place belongs to.
  bool speaks_of_label(uint32_t place) const {
    const auto& tokens = evidence_.lexed().tokens;
    const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
    for (uint32_t t = unit.first; t < unit.end; ++t) {
      if (!is_word(tokens[t]) || tokens[t].part || !evidence_.is_label(t)) continue;
      if (std::ranges::find(tokens_, tokens[t].term, &Token::term) == tokens_.end()) return false;
    }
    return true;
  }

  Places places_of(size_t at, uint64_t term) {
    Places places;
    const uint32_t id = evidence_.find(term);
    if (id == ReceiptIndex::kNoTerm) return places;
    size_t looked = 0;
    for (const uint32_t place : evidence_.postings(id)) {
      if (!counts(place)) continue;
      const uint8_t rank = evidence_.negation(place);
      if (rank == kConditional) continue;
      // "Repeat Incident: no" denies that it is a repeat incident, and of an incident nothing.
      if (rank != kFree && evidence_.is_label(place) && !speaks_of_label(place)) continue;
      if (rank != kFree && tells_of_others(tokens_, evidence_, evidence_.unit_of(place))) continue;
      if (rank == kFree && claimed_[at] != kFree &&
          tells_of_another(tokens_, at, evidence_, evidence_.unit_of(place)))
        continue;
      if (++looked > kMaxPlaces) break;
      const Alignment::Affinity affinity = alignment_.affinity(at, place);
      Alignment::Affinity& best = rank == kFree ? places.free : places.denied;
      if (affinity.sum <= best.sum) continue;
      best = affinity;
      if (rank == kFree) places.free_unit = evidence_.unit_of(place);
      if (rank != kFree) places.first = rank == kFirstWord || rank == kQuantified;
    }
    return places;
  }

  bool in_expression(size_t t) const {
    return std::ranges::any_of(opposed_expressions_, [&](const OpposedExpression& expression) {
      return expression.first <= t && t <= expression.last;
    });
  }

  // The receipts take the other side of the matter where they speak of the same.
  bool contradicted(const OpposedExpression& claimed) {
    const bool both =
        std::ranges::any_of(opposed_expressions_, [&](const OpposedExpression& other) {
          return other.matter == claimed.matter && other.denies != claimed.denies;
        });
    if (both) return false;
    Alignment::Affinity same, other;
    uint32_t other_unit = UINT32_MAX;
    std::vector<uint32_t> same_units;
    size_t looked = 0;
    for (const OpposedExpression& stated : evidence_.opposed_expressions(claimed.matter)) {
      if (!counts(stated.last)) continue;
      if (++looked > kMaxPlaces) break;
      const Alignment::Affinity affinity = alignment_.affinity(claimed.last, stated.last);
      const bool agrees = stated.denies == claimed.denies;
      if (agrees || beside_zero(stated.last)) {
        if (affinity.sum > same.sum) same = affinity;
        same_units.push_back(evidence_.unit_of(stated.last));
      }
      // A label says what a field is about, not that it is so.
      if (agrees || affinity.sum <= other.sum || evidence_.is_label(stated.first)) continue;
      other = affinity;
      other_unit = evidence_.unit_of(stated.last);
    }
    // What takes both sides in one sentence tells a development.
    return other.words > 0 && other.words >= needed_words(claimed) && is_weaker(same, other) &&
           std::ranges::find(same_units, other_unit) == same_units.end();
  }

  // How many of the words around an expression must stand around the contrary: a third, at least
  // two, but of "a deadlock is harmless" the one that there is.
  size_t needed_words(const OpposedExpression& expression) const {
    size_t words = 0;
    for (size_t t = 0; t < tokens_.size(); ++t) {
      if (t >= expression.first && t <= expression.last) continue;
      words += is_content(tokens_[t].kind) && !tokens_[t].part ? 1 : 0;
    }
    return std::max<size_t>(std::min<size_t>(words, 2), words / 3);
  }

  // Everything that the receipts tell of it is that there is none.
  bool exists_only_here(size_t t) {
    if (claimed_[t] != kFree || clause_denies(t) || takes_no_side(tokens_[t]) ||
        is_denied_subject(t))
      return false;
    // "What loses the network keeps its data, so nothing is lost": it says that, too.
    for (size_t other = 0; other < tokens_.size(); ++other)
      if (tokens_[other].term == tokens_[t].term && claimed_[other] != kFree) return false;
    const uint32_t id = evidence_.find(tokens_[t].term);
    if (id == ReceiptIndex::kNoTerm) return false;
    size_t denied = 0;
    for (const uint32_t place : evidence_.postings(id)) {
      if (!counts(place)) continue;
      if (evidence_.negation(place) != kQuantified) return false;
      ++denied;
    }
    return denied > 0;
  }

  bool unit_denies(uint32_t unit) const {
    const EvidenceUnit& u = evidence_.units()[unit];
    for (uint32_t t = u.first; t < u.end; ++t)
      if (is_denial_in_other_words(evidence_.lexed().tokens[t])) return true;
    return false;
  }

  // "The pooler was the limit, not the machine": the bare words of what something is not.
  bool in_contrast(size_t at) const {
    constexpr size_t kMostWords = 2;
    size_t t = at;
    while (t > 0 && tokens_[t].kind != TokenKind::kBreak && tokens_[t].kind != TokenKind::kNegator)
      --t;
    if (tokens_[t].kind != TokenKind::kNegator || t == 0 ||
        tokens_[t - 1].kind != TokenKind::kBreak)
      return false;
    size_t words = 0;
    for (; t < tokens_.size() && tokens_[t].kind != TokenKind::kBreak; ++t)
      words += is_word(tokens_[t]) ? 1 : 0;
    return words <= kMostWords;
  }

  // Whether a token of its clause, itself apart, is of that kind.
  template <typename Is>
  bool beside(size_t at, const Is& is) const {
    for (size_t t = at; t > 0 && tokens_[t - 1].kind != TokenKind::kBreak; --t)
      if (is(tokens_[t - 1])) return true;
    for (size_t t = at + 1; t < tokens_.size() && tokens_[t].kind != TokenKind::kBreak; ++t)
      if (is(tokens_[t])) return true;
    return false;
  }

  bool clause_denies(size_t at) const {
    return beside(at, [](const Token& token) {
      return token.kind == TokenKind::kNegator || is_denial_in_other_words(token);
    });
  }

  bool flipped(size_t t) {
    // "None of the cards": what there is none of may well be told of.
    if (claimed_[t] == kSecondWord || claimed_[t] == kQuantified || takes_no_side(tokens_[t]))
      return false;
    const Places places = places_of(t, tokens_[t].term);
    if (places.free.words == 0 && places.denied.words == 0) return false;
    if (claimed_[t] == kFree) {
      return places.first && !beside(t, is_denial_in_other_words) && places.free_is_weak() &&
             !denies_alike(t) && !is_denied_subject(t);
    }
    if (places.free.words < 2 || !places.denied_is_weak() || beside(t, is_since) ||
        unit_denies(places.free_unit))
      return false;
    // Words that the same negator governs: as soon as one of them is denied there, all are.
    for (size_t next = t + 1; next < tokens_.size() && claimed_[next] == kSecondWord; ++next) {
      if (tokens_[next].part) continue;
      const Places also = places_of(next, tokens_[next].term);
      if (also.denied.sum > 0 && also.denied.sum >= also.free.sum) return false;
    }
    return true;
  }

  // "The cable is not the problem": as good as "not the cable"; "who loses the network": without
  // it.
  bool is_denied_subject(size_t at) const {
    static const TermSet kLosses = terms_of("lose miss lack");
    for (size_t t = at; t > 0 && tokens_[t - 1].kind != TokenKind::kBreak; --t) {
      if (tokens_[t - 1].kind == TokenKind::kStop) continue;
      if (kLosses.contains(tokens_[t - 1].term)) return true;
      break;
    }
    for (size_t t = at + 1; t < tokens_.size(); ++t) {
      if (tokens_[t].kind == TokenKind::kNegator) return true;
      if (tokens_[t].kind != TokenKind::kStop && !tokens_[t].part) return false;
    }
    return false;
  }

  // The clause denies another word that the receipts deny, too: the same denial.
  bool denies_alike(size_t at) {
    const auto look = [&](size_t t) {
      if (claimed_[t] == kFree || claimed_[t] == kConditional || !is_word(tokens_[t])) return false;
      const Places places = places_of(t, tokens_[t].term);
      return places.denied.sum > 0;
    };
    for (size_t t = at; t > 0 && tokens_[t - 1].kind != TokenKind::kBreak; --t) {
      if (look(t - 1)) return true;
    }
    for (size_t t = at + 1; t < tokens_.size() && tokens_[t].kind != TokenKind::kBreak; ++t) {
      if (look(t)) return true;
    }
    return false;
  }

  std::span<const Token> tokens_;
  const ReceiptIndex& evidence_;
  const Alignment& alignment_;
  const std::vector<bool>& records_;
  std::vector<uint8_t> claimed_;
  bool planning_;
  std::vector<OpposedExpression> opposed_expressions_;
};

}  // namespace

std::optional<size_t> find_flip(const LexedText& sentence, const ReceiptIndex& evidence,
                                const Alignment& alignment, const std::vector<bool>& records) {
  return FlipFinder(sentence, evidence, alignment, records).run();
}

}  // namespace precedent
