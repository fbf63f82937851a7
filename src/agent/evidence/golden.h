// Golden examples at the time of a question: which verified answers belong to it, and whether one
// of them may be the answer.
//
//   question → one search over the kind `golden` → checked against the store → at most two
//
// The similarity is that of the two questions: the cosine of their vectors, 0–1; without vectors
// the share of words that they have in common, which is said. From kGuidingSimilarity on an example
// guides form and content; from kDirectSimilarity on it may answer by itself, if both questions are
// the same word for word (agent/frozen/same_question.h) and do not depend on the time
// (why_not_direct).
//
// The store decides what is served, at every question: an index that lags behind, or holds what was
// deactivated since, changes nothing. Errors: those of search and store. Thread safety: pure but
// for the search.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/understand/intent.h"
#include "base/error.h"
#include "search/searcher.h"
#include "store/knowledge_store.h"
#include "tools/receipt.h"

namespace precedent {

// DESIGN of the product: two examples at 0.6 shape an answer, 0.85 may be the answer.
inline constexpr float kGuidingSimilarity = 0.60f;
inline constexpr float kDirectSimilarity = 0.85f;
inline constexpr size_t kMaxGuidingExamples = 2;

// Reviewed, active, and at least kGuidingSimilarity near; the best kMaxGuidingExamples, best first.
Result<std::vector<GoldenItem>> find_golden(const FrozenText& question, const Searcher& search,
                                            const KnowledgeStore& store);

// What makes the answer depend on when it is asked: the question's `time_word`
// (agent/frozen/time_word.h) or what it asks for ("how many"); nothing if nothing does.
std::optional<std::string> time_dependence(const std::string& time_word, const Asks& asks);

// Why the example may not be the answer to this question, as a sentence for --explain; "" if it
// may.
std::string why_not_direct(const GoldenItem& item, const Intent& intent, const Synonyms& synonyms,
                           TimePoint now);

// "## Verified knowledge" and the examples with their similarity, for a system prompt; "" for none.
std::string verified_knowledge_section(std::span<const GoldenItem> items);

// Terms in common as a share of all terms of both (Dice), 0–1: the similarity where there are no
// vectors.
float lexical_similarity(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace precedent
