// The opinion on a sentence: what was learned of whether receipts bear it out (adapters/judge.md).
//
// It stands beside the checks: it reads how the sentence is worded, and knows nothing of figures,
// times and names, which are theirs.
//
// Thread safety: pure function. Time: one pass of the encoder, some milliseconds.
#pragma once

#include <optional>

#include "embed/learned_reader.h"
#include "grounding/checks/sentence.h"
#include "grounding/claim.h"
#include "grounding/facts/facts.h"

namespace precedent {

// Held against the passages of the receipts that share most with it. None where no passage does, of
// a row of a table, and where it cannot be read: an error of the adapter is no reason not to check
// an answer.
// REQUIRES: sentence.alignment.
std::optional<Opinion> opinion_of(const Sentence& sentence, const Facts& facts,
                                  const LearnedReader& judge);

}  // namespace precedent
