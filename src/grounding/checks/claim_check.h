// Claim checks: the table of all that the verifier holds against a sentence.
//
// A check is a pure function of a sentence and of what the receipts say. It knows no other check:
// the order of the table and the stages (verify.cc) are all that there is between them. To add one:
// a function in a file of this folder, and a row in table.cc (docs/how-to/add-a-check.md).
//
// Thread safety: pure functions; the table is constant.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "grounding/checks/judgement.h"
#include "grounding/checks/sentence.h"
#include "grounding/facts/facts.h"

namespace precedent {

// When the verifier asks a check; in this order.
enum class CheckStage : uint8_t {
  kCode,        // of a line of code, and of nothing else
  kCitations,   // what stands in brackets
  kReferences,  // ids and paths of any sentence
  kLiteral,     // a receipt says it word for word: proves it
  kLists,       // a whole list of alerts or changes: proves or refutes it
  kMissing,     // what it says that the receipts do not tell
  kNames,       // quotations, names
  kFigures,     // quantities and times; once more over all receipts if what it cites has not all of
                // them
  kBindings,    // what belongs together
  kWords,       // enough of its words; what fails here may still be general knowledge
  kAssertions,  // what it says of the system in its own words, without what it quotes
  kOutcomes,    // short sentences whose words are all in the receipts
  kPolarity,    // what is denied
};

using CheckFunction = Judgement(const Sentence&, const Facts&);

struct ClaimCheck {
  std::string_view name;  // unique; named in the verdict
  CheckStage stage;
  bool (*applies)(const Sentence&);
  CheckFunction* judge;
  std::string_view does;       // one line
  std::string_view falsehood;  // that it catches, as an example
};

// In the order in which they are asked; the first that says something decides.
std::span<const ClaimCheck> claim_checks();

}  // namespace precedent
