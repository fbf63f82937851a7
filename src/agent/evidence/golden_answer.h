// A verified example as the answer: the step between intent and plan.
//
// Thread safety: pure but for the search and the store.
#pragma once

#include "agent/evidence/answer.h"
#include "agent/evidence/golden.h"

namespace precedent {

// Answers from a golden example where one may answer directly: text, receipt (tool
// "golden_examples"), sources and status are filled in, and the result is true. Otherwise only
// `explain` says why not. REQUIRES: answer.intent is set and there is no receipt yet.
Result<bool> answer_from_golden(Answer& answer, const Searcher& search, const KnowledgeStore& store,
                                TimePoint now);

// What the reader is told of an example that is near enough to answer but answers another question:
// a paragraph with that question and how to read its answer; "" if there is none, or the question
// is a follow-up. Errors: those of search and store.
Result<std::string> offer_of_golden(const Intent& intent, const Searcher& search,
                                    const KnowledgeStore& store);

}  // namespace precedent
