// What ranks code that does not rank prose: how a question's words meet identifiers, which files a
// change is looked for in, and what it means that a path or a symbol is named.
//
// Used by the Searcher where only code is searched. Thread safety: pure functions over values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/knowledge_index.h"
#include "search/fusion.h"
#include "search/path_role.h"

namespace precedent {

// Tuned values and how they were found: eval/README.md, "Code".
struct CodeWeights {
  FusionWeights fusion = {.document = 0.30f, .passage = 0.30f, .dense = 0.40f, .bonus = 0.30f};
  // A file is about what several of its passages are about: the scores of the best ones are added,
  // each with this part of the weight of the one before.
  size_t passages = 3;
  float next_passage = 0.5f;
};

// Names of things in a question: what is written as no word of prose is.
struct CodeNames {
  std::vector<std::string> paths;    // "src/build_log.cc", "util.h"
  std::vector<std::string> symbols;  // "Builder::StartEdge", "fish_git_prompt", "parseHeader"
};
CodeNames find_code_names(std::string_view question);

// 0–1: the path or one of the symbols that the payload's chunk defines is named.
float name_bonus(const Payload& payload, const CodeNames& names);

// Neighbouring words written as one, analysed: "work tree" may be called worktree or WorkTree.
std::vector<std::string> joined_words(std::string_view question);

// What a file's role multiplies its score by: people look for the code, unless they ask for tests
// or documents.
class RolePrior {
 public:
  explicit RolePrior(std::string_view question);
  float of(std::string_view path) const;

 private:
  bool tests_ = false, documents_ = false;
};

}  // namespace precedent
