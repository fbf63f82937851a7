// The two document tools: search_knowledge (documents, grouped by what they are for) and doc_search
// (sections).
//
// Thread safety: as Tool.
#pragma once

#include "tools/tool.h"

namespace precedent {

// Runbooks, post-mortems, architecture, known issues and the rest, one item a document.
class SearchKnowledge final : public Tool {
 public:
  SearchKnowledge();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

// Design documents, ADRs, runbooks and guides, one item a section.
class DocSearch final : public Tool {
 public:
  DocSearch();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

}  // namespace precedent
