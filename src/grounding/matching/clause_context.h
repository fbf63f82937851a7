// Clause context: how well a fact of a sentence fits a place of the receipts by the words of its
// clause. Finer than Alignment::affinity, which knows no clauses: it tells "A retried, so B
// starved" from "B retried, so A starved".
//
// Thread safety: const methods may run in several threads. Lifetime: borrows the evidence and the
// sentence.
#pragma once

#include <vector>

#include "grounding/facts/receipt_index.h"

namespace precedent {

class ClauseContext {
 public:
  // Of the fact that is token `at` of the sentence. Other facts of its kind belong to no context.
  ClauseContext(const LexedText& sentence, const ReceiptIndex& evidence, size_t at);

  struct Score {
    double sum = 0;
    size_t words = 0;
  };
  // For a place of the receipts: how near the words stand to it, within its unit.
  Score at(uint32_t place) const;
  // The best of these places; at most kMaxPlaces are looked at.
  static constexpr size_t kMaxPlaces = 24;
  Score best(const std::vector<uint32_t>& places) const;

 private:
  struct Word {
    uint32_t term = ReceiptIndex::kNoTerm;  // or
    size_t figure = SIZE_MAX;               // a token of the sentence
    double weight = 0;
  };
  bool matches(const Word& word, uint32_t place) const;

  const LexedText& sentence_;
  const ReceiptIndex& evidence_;
  std::vector<Word> words_;
  uint64_t terms_ = 0;  // a bit for each of their terms, modulo 64
  bool has_figures_ = false;
};

// Whether a quantity or time of a sentence is the one that a token of the receipts states.
bool same_figure(const LexedText& sentence, const Token& claimed, const ReceiptIndex& evidence,
                 const Token& stated);

}  // namespace precedent
