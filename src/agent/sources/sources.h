// Sources: what the rooms that read, plan and compose get of what was opened.
//
// Ownership: nothing but the names; everything else outlives a turn. Cheap to copy. Thread safety:
// as its parts; all of them may be used by several conversations at once.
#pragma once

#include <memory>

#include "agent/language/type_opinion.h"
#include "text/wordpiece.h"
#include "tools/tool.h"

namespace precedent {

struct SystemNames;

struct Sources {
  const Searcher& search;
  const KnowledgeStore& store;
  const Toolset& tools;
  // The second opinion on the type of a question; null: it is read by rules alone.
  const TypeOpinion* intents = nullptr;
  // The vocabulary of the embedding model; null: there is none.
  const WordPieceTokenizer* words = nullptr;
  // What the tools reach beside the knowledge base.
  LiveSources live = {};
  // Of the systems behind `live`, remembered between readings; null: read each time.
  std::shared_ptr<SystemNames> names = nullptr;
};

}  // namespace precedent
