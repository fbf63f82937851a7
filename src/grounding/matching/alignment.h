// Alignment: which passages of the receipts a sentence speaks of, and how near to its words a name
// or number stands there.
//
// Passages are scored by the idf of the sentence's terms that they and their neighbours hold. The
// affinity of a fact is the sum over the words around it in the sentence, weighted by how near they
// are in the sentence and how near in the receipt. It is what tells "checkout-api retried,
// payment-service starved" from the same words with the names exchanged.
//
// Thread safety: belongs to one thread. Lifetime: borrows the evidence.
#pragma once

#include <vector>

#include "grounding/facts/receipt_index.h"
#include "grounding/text/statements.h"

namespace precedent {

class Alignment {
 public:
  // `records`: by record, whether the sentence may rest on it.
  Alignment(const ReceiptIndex& evidence, const LexedText& sentence,
            const std::vector<bool>& records);

  // The best passages: units, best first, at most kMaxPassages; empty if no word is shared.
  static constexpr size_t kMaxPassages = 6;
  const std::vector<uint32_t>& passages() const { return passages_; }
  // 0 for the best passage; SIZE_MAX for a unit that is none.
  size_t rank(uint32_t unit) const;

  struct Overlap {
    double held = 0, all = 0;  // weights
    size_t words = 0;
    double share() const { return all == 0 ? 1 : held / all; }
  };
  // Of the sentence's tokens [first, end): what the records of the passages
  // hold. Figures count as held.
  Overlap overlap(size_t first, size_t end) const;
  // The same of the one unit of these records that holds most of it; with `causes`, of those that
  // give reasons.
  Overlap unit_overlap(size_t first, size_t end, const std::vector<bool>& records,
                       bool causes) const;
  // Whether these records hold the term of a token of the sentence, or a synonym.
  bool held(size_t token) const { return held_[token] > 0; }

  // Of the words that no receipt has, how many follow one another.
  double longest_unknown_run() const;

  // How near to the words around token `at` of the sentence the evidence's token `there` stands,
  // and how many of them are near at all.
  struct Affinity {
    double sum = 0;
    double local = 0;  // without what the heading and fields of its record add to all of it
    uint32_t record = UINT32_MAX;
    size_t words = 0;
  };
  Affinity affinity(size_t at, uint32_t there) const;

 private:
  bool same_fact(const Token& token, const Token& stated) const;
  void find_near(size_t at) const;
  void add_figure_hits(const std::vector<bool>& records,
                       std::vector<std::pair<uint32_t, double>>& hits) const;
  void score_units(const std::vector<bool>& records);
  void mark_held();

  const ReceiptIndex& evidence_;
  const LexedText& sentence_;
  std::vector<uint32_t> ids_;    // by token of the sentence: term id or kNoTerm
  std::vector<double> weights_;  // by token: idf; 0 for what carries no meaning
  std::vector<double> held_;     // by token: 0, or how much of it the records of the passages hold
  std::vector<uint32_t> passages_;
  // Scratch of affinity(): the terms and the figures around the fact that was asked for last, with
  // their weights.
  mutable std::vector<std::pair<uint32_t, double>> near_, near_facts_;
  // A bit for each of the terms: most tokens of the receipts are none of them.
  static uint64_t filter_bit(uint32_t term) { return uint64_t{1} << (term % 64); }
  mutable uint64_t near_filter_ = 0;
  mutable std::vector<char> used_;
  mutable size_t near_to_ = SIZE_MAX;  // the fact that they are around
};

}  // namespace precedent
