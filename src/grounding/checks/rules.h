// The thresholds of the verifier: tuned on the even half of eval/grounding.jsonl and on two sets of
// free wording (eval/README.md).
#pragma once

#include <cstddef>

namespace precedent {

struct GroundingRules {
  // Of the weight (idf) of a sentence's words, how much the best passages must hold.
  double min_overlap = 0.32;
  // The same of what it cites, where another receipt has the rest.
  double min_cited_overlap = 0.3;
  // The same for each clause, which is where a cause is invented.
  double min_clause_overlap = 0.1;
  // And for what follows "because", "caused by", "due to".
  double min_cause_overlap = 0.34;
  // And how much of it one sentence must hold: one that gives a reason, or else any.
  double min_given_cause = 0.35;
  double min_told_cause = 0.5;
  // A name, number or time stands in its place if no rival of its kind stands nearer to the words
  // around it than by this factor.
  double rival_factor = 0.55;
  // The same for a rival in the same sentence of the receipt, where all stand near one another.
  double near_rival_factor = 0.3;
  // The same by the words of its clause, where a rival has several of them.
  double clause_rival_factor = 0.4;
  // Two facts were exchanged if the way written has less than that of the score of the other.
  double exchange_factor = 0.6;
  // The learned judge's probability of "supported" from which a sentence in words of its own is
  // believed; below `doubted` one that passed every check is rejected (eval/README.md, Claims).
  double vouched = 0.6;
  double doubted = 0.05;
  // Each opinion is a pass of the encoder: of an answer's first sentences that need one.
  size_t max_opinions = 100;
  // As many words in a row that no receipt has are an invention.
  double max_unknown_run = 2.5;
  // An answer longer than this is no answer; the rest is not read. Sixteen times a long one.
  size_t max_answer_bytes = 64 * 1024;
  // Bounds the work on an answer that is nothing but short sentences.
  size_t max_claims = 1000;
};

}  // namespace precedent
