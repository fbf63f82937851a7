// Adds to a finished report what a language model makes of it: a short summary and, where no cause
// is proved, the order in which to look at what is still open.
//
// The model reads the report as data between marks (base/untrusted_text.h). It gets no tools, and
// verdict, causes, confidences and alternatives are not its to change. A sentence
// of it stands if one receipt of the report proves it (grounding/verify.h) and has each of its
// words, and if it gives no reason: what caused what is for the rule alone
// (investigate/verdict/verdict.h). The rest is left out and counted.
//
// Whatever goes wrong costs no report: `missing` says it in one line. Thread safety: pure but for
// the call. Lifetime: everything given outlives the call.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "agent/model/prompts.h"
#include "base/cancel.h"
#include "investigate/verdict/investigation.h"
#include "llm/chat_model.h"

namespace precedent {

// Somebody waits for the report, and it is complete without the model.
inline constexpr std::chrono::seconds kModelTime{45};
inline constexpr size_t kMaxSummaryWords = 120;

// The ids that a model may order; none where a cause is found or there is nothing to order.
std::vector<std::string> ids_to_order(const Investigation& investigation);

// The request about a report. Errors: those of rendering.
Result<ModelRequest> model_request(const Investigation& investigation,
                                   const PromptLibrary& prompts);

// What may stand in the report of what a model replied. Errors: kInvalidArgument for a reply of
// another form, for an id that it may not order or names twice, and for a summary that is too long.
Result<ModelSaid> read_model_reply(std::string_view reply, const Investigation& investigation,
                                   std::string name);

// Asks, and sets Investigation::model. Without receipts nothing could be proved: nobody is asked.
void add_model(ChatModel& model, const PromptLibrary& prompts, const CancelToken& cancel,
               Investigation& investigation);

}  // namespace precedent
