// ModelPlanner: what a model is asked about a question before any tool is called: which type it is
// of, where the rules are unsure, and which steps a plan lacks. It adds to what the rules decide
// and takes nothing away.
//
// Thread safety: one thread. Lifetime: everything given outlives it.
#pragma once

#include <string>
#include <vector>

#include "agent/model/prompts.h"
#include "agent/plan/plan.h"
#include "agent/understand/reading.h"
#include "llm/chat_model.h"

namespace precedent {

class ModelPlanner {
 public:
  ModelPlanner(ChatModel& model, const PromptLibrary& prompts, const CancelToken& cancel)
      : model_(model), prompts_(prompts), cancel_(cancel) {}

  // Errors: the model's; kInvalidArgument for an answer that is no type.
  Result<QuestionType> classify(const std::string& question) const;
  // At most four steps beyond `planned`, of tools in `tools` with arguments that fit. What does not
  // fit is left out. Errors: the model's.
  Result<std::vector<PlannedCall>> further_steps(const Reading& reading,
                                                 const std::vector<PlannedCall>& planned,
                                                 const Toolset& tools) const;

 private:
  Result<std::string> ask(const std::string& prompt, const ToolDescription& form) const;

  ChatModel& model_;
  const PromptLibrary& prompts_;
  const CancelToken& cancel_;
};

// "1. metrics_query {"query":…}: what it does now (rule …)", a line each.
std::string plan_text(const std::vector<PlannedCall>& planned);

}  // namespace precedent
