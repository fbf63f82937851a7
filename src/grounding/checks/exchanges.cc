// Exchanges: two names or figures that a sentence and the receipts have both, each in the place of
// the other: "A called B" where B called A.
//
// Both ways round are scored: how near in the receipts each stands to the words that it has around
// it in the sentence, words of its own clause above all; and how near the other does.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/matching/clause_context.h"

namespace precedent {
namespace {

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

struct Exchange {
  size_t one = 0, other = 0;  // tokens of the sentence
};

class ExchangeFinder {
 public:
  ExchangeFinder(const LexedText& sentence, const ReceiptIndex& evidence,
                 const std::vector<bool>& records, double factor)
      : sentence_(sentence), evidence_(evidence), records_(records), factor_(factor) {}

  std::optional<Exchange> run() {
    std::vector<size_t> tokens;
    for (size_t t = 0; t < sentence_.tokens.size(); ++t) {
      if (is_named(sentence_.tokens[t]) || is_figure(sentence_.tokens[t])) tokens.push_back(t);
    }
    if (tokens.size() > kMaxFacts) return std::nullopt;
    std::vector<std::optional<Fact>> facts(tokens.size());
    const auto fact = [&](size_t i) -> const Fact& {
      if (!facts[i]) facts[i].emplace(read(tokens[i]));
      return *facts[i];
    };
    for (size_t i = 0; i < tokens.size(); ++i) {
      for (size_t j = i + 1; j < tokens.size(); ++j) {
        if (comparable(tokens[i], tokens[j]) && exchanged(fact(i), fact(j)))
          return Exchange{tokens[i], tokens[j]};
      }
    }
    return std::nullopt;
  }

 private:
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
    if (is_figure(token)) {
      found = token.kind == TokenKind::kTime ? evidence_.times()
                                             : evidence_.quantities_near(quantity(t), token.hedge);
      std::erase_if(found, [&](uint32_t place) {
        return !same_figure(sentence_, token, evidence_, evidence_.lexed().tokens[place]);
      });
    } else if (const uint32_t id = evidence_.find(token.term); id != ReceiptIndex::kNoTerm) {
      const auto postings = evidence_.postings(id);
      found.assign(postings.begin(), postings.end());
    }
    std::erase_if(found, [&](uint32_t place) {
      return !records_[evidence_.units()[evidence_.unit_of(place)].record] ||
             !evidence_.is_found(place);
    });
    return found;
  }

  struct Fact {
    std::vector<uint32_t> places;
    ClauseContext around;
    ClauseContext::Score here;  // of the best of its places
  };
  Fact read(size_t t) const {
    Fact fact{places(t), ClauseContext(sentence_, evidence_, t), {}};
    fact.here = fact.around.best(fact.places);
    return fact;
  }

  bool exchanged(const Fact& a, const Fact& b) const {
    if (a.places.empty() || b.places.empty()) return false;
    const auto b_there = a.around.best(b.places), a_there = b.around.best(a.places);
    return b_there.words + a_there.words >= kMinWords &&
           a.here.sum + b.here.sum < factor_ * (b_there.sum + a_there.sum);
  }

  const LexedText& sentence_;
  const ReceiptIndex& evidence_;
  const std::vector<bool>& records_;
  double factor_;
};

// Whether one names a record, and the other stands in its heading or fields: "INC-7 SEV1: …".
bool is_of_record(const Facts& facts, uint64_t key, uint64_t term) {
  const uint32_t id = facts.index.find(term);
  return std::ranges::any_of(facts.index.records(), [&](const EvidenceRecord& record) {
    return std::ranges::find(record.keys, key) != record.keys.end() &&
           std::ranges::binary_search(record.header_terms, id);
  });
}

}  // namespace

Judgement check_exchanges(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  const auto found =
      ExchangeFinder(sentence.lexed(), facts.index, sentence.scope, sentence.rules->exchange_factor)
          .run();
  if (found && !is_of_record(facts, tokens[found->one].term, tokens[found->other].term) &&
      !is_of_record(facts, tokens[found->other].term, tokens[found->one].term))
    return refuted(ClaimKind::kName, fmt::format("the receipts have {} and {} the other way round",
                                                 squeeze(sentence.spelling(tokens[found->one])),
                                                 squeeze(sentence.spelling(tokens[found->other]))));
  return {};
}

}  // namespace precedent
