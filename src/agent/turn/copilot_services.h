// What the nodes of the copilot borrow: opened once, shared by all conversations.
//
// Ownership: nothing but the names; everything else outlives the graph. Thread safety: as its
// parts; all of them may be used by several conversations at once.
#pragma once

#include <functional>
#include <memory>

#include "agent/guard/guardrails.h"
#include "agent/model/prompts.h"
#include "agent/sources/sources.h"
#include "agent/understand/policy.h"
#include "embed/learned_reader.h"
#include "llm/limit_model.h"
#include "observe/tracer.h"
#include "text/wordpiece.h"
#include "tools/tool.h"

namespace precedent {

struct CopilotServices {
  const Searcher& search;
  const KnowledgeStore& store;
  const Toolset& tools;
  const Guardrails& guardrails;
  const PromptLibrary& prompts;
  // What must be looked at before an answer may leave.
  const Policy& policy;
  // The second opinion on the type of a question; null: it is read by rules alone.
  const TypeOpinion* intents = nullptr;
  // What was learned of whether receipts bear a claim out; null: the checks alone decide.
  const LearnedReader* judge = nullptr;
  // What was learned of how questions restrict lists of records; null: their words alone do.
  const LearnedReader* conditions = nullptr;
  // The vocabulary of the embedding model; null: there is none.
  const WordPieceTokenizer* words = nullptr;
  // What the tools reach beside the knowledge base.
  LiveSources live = {};
  // Of the systems behind `live`, remembered between readings; null: read each time.
  std::shared_ptr<SystemNames> names = nullptr;
  // Null: the offline reasoner answers.
  ChatModel* model = nullptr;
  // Search and store are what a scope leaves of a knowledge base.
  bool scoped = false;
  // What one question may cost.
  RunLimits run_limits = {};
  // What a model may be sent at once, in tokens by estimate.
  int64_t context_tokens = 100'000;
  Limits limits = {};
  // Null: nothing is traced. Else those turns that ask for it.
  Tracer* tracer = nullptr;

  Sources sources() const { return {search, store, tools, intents, words, live, names}; }
};

}  // namespace precedent
