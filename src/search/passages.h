// Ranking passages: which sentence, table row or command answers the question. The same hybrid
// scoring as for documents, one floor lower: words weighted by how rare they are among the
// passages, and meaning. Of the best, what was learned of whether a line answers a question
// (adapters/select.md): it says whether anything here does, and changes no order.
//
// Thread safety: rank_passages() may be called from several threads.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "search/searcher.h"

namespace precedent {

struct Passage {
  std::string text;     // what would be quoted
  std::string context;  // title, headings, table header: says what the text is about, counts less
  float prior = 0;      // 0–1: how relevant its document is
  float bonus =
      0;  // 0–1: it has the form that the question asks for (a number, a command, a cause)
  std::string title = "";  // of its document
};

struct PassageWeights {
  float lexical = 0.45f;
  float dense = 0.55f;
  float prior = 0.20f;
  float bonus = 0.20f;
  float verbatim = 0.50f;  // of a whole message that the question holds word for word
  float context = 0.35f;   // of a word that only the context has, against one in the text
};

struct PassageScore {
  size_t passage = 0;
  float score = 0;               // the weighted sum, comparable within one call
  float coverage = 0;            // 0–1: share of the question's weight that text and context hold
  float verbatim = 0;            // 0–1: how much of the question stands in it (verbatim.h)
  std::optional<float> cosine;   // where it was embedded
  std::optional<float> answers;  // how likely it answers, where it was read with the question
};

// Best first. Only the `max_embedded` passages that look best by words and prior are embedded, and
// the kMaxRead best in the end are read, which costs a pass of the encoder each: more of them tell
// questions with an answer from others no better (adapters/select.md).
inline constexpr size_t kMaxRead = 3;
Result<std::vector<PassageScore>> rank_passages(std::string_view question,
                                                const std::vector<Passage>& passages,
                                                const Searcher& search,
                                                const PassageWeights& weights = {},
                                                size_t max_embedded = 16);

}  // namespace precedent
