// ModelStep: what a language model adds to the report of an investigation, asked once, about the
// finished report (investigate/model/ask_model.h).
//
// Thread safety: a step may be called from several threads.
#pragma once

#include <functional>
#include <memory>

#include "agent/model/prompts.h"
#include "base/cancel.h"
#include "investigate/verdict/investigation.h"
#include "llm/limit_model.h"

namespace precedent {

// Adds to a report what a model makes of it. Empty: there is no model.
using ModelStep = std::function<void(Investigation&, const CancelToken&)>;

// `model`: null for none. Each report has the limits of a run of its own. Lifetime: `prompts`
// outlives the step.
ModelStep model_step(std::shared_ptr<ChatModel> model, const RunLimits& limits,
                     const PromptLibrary& prompts);

}  // namespace precedent
