// Which section of what a search found tells somebody what to do: each of the likeliest is read
// with the question by what was learned (adapters/procedures.md), and weighed against the others
// and against none of them.
//
// Thread safety: pure functions over values; the reader from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agent/understand/intent.h"
#include "embed/learned_reader.h"
#include "tools/receipt.h"

namespace precedent {

// Whether what to do is wanted: it is asked, or there is trouble that nothing here can measure.
bool wants_to_act(const Intent& intent);
// Whether what to do may stand in such a section: documents about the past, decisions, architecture
// or ownership hold no steps to follow now. Of others, a short section is what to do if `acts`,
// however it is written.
bool may_tell_what_to_do(const KnowledgeItem& section, bool acts);

// A section of prose is shown whole up to here, in bytes.
inline constexpr size_t kMaxProse = 900;

struct ProcedureRating {
  std::string document;  // its id
  LineRange lines;       // of the section
  float probability = 0;
};

// A pass of the encoder each.
inline constexpr size_t kMaxProceduresRead = 8;

// Of the first kMaxProceduresRead sections of `sections` that may tell what to do, in their order.
// The probabilities add up to what is left by that of "none of them". Nothing where they cannot be
// read.
std::vector<ProcedureRating> rate_procedures(const FrozenText& question,
                                             const std::vector<KnowledgeItem>& sections,
                                             const LearnedReader& reader);

// What the reader is given of a section: its heading, and how it begins. Exposed for its test.
std::string beginning_of(const KnowledgeItem& section);

}  // namespace precedent
