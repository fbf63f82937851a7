// repo_search: where in the indexed repositories is the code that a question is about?
//
//   where is the retry policy of the payment client   words and meaning, by file and passage
//   StartEdge, src/build_log.cc                       a symbol or a path, as named
//   "failed to recompact"                             in quotation marks: these very characters
//   re:retry_(count|limit)\s*=                        a regular expression (RE2: linear time)
//
// A result is a piece of one file as it was indexed: its lines are those of the excerpt, at the
// commit. Thread safety: as Tool.
#pragma once

#include "tools/tool.h"

namespace precedent {

// Whether a passage that the call returned holds lines that it was asked for.
bool holds_asked_lines(const CodeItem& item, const Receipt& receipt);

class RepoSearch final : public Tool {
 public:
  RepoSearch();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

}  // namespace precedent
