// The part of a plan that asks the systems in operation and the code: which metrics, which changes,
// where in the repository.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/copilot_services.h"
#include "agent/plan.h"
#include "agent/reading.h"

namespace precedent {

// The calls that the policy's demands ask for, as far as their tools are there.
std::vector<PlannedCall> plan_live(const Reading& reading, const CopilotServices& services);
// Those, and what the knowledge base is asked; at most as many as the policy allows.
std::vector<PlannedCall> whole_plan(const Reading& reading, const CopilotServices& services);

// A second look, once the first results are there: code that the changes touched, and one refined
// query for each call that failed or found nothing. Nothing that was called before.
std::vector<PlannedCall> plan_again(const Reading& reading, const CopilotServices& services);

// A part of a message with those of the receipts that its own calls gave.
Reading with_own_receipts(const Reading& part, const std::vector<Receipt>& receipts,
                          const CopilotServices& services);

// The ids of the calls of each round begin so: unique within a conversation, and told from those that
// a model made.
std::string call_prefix(const Reading& reading, bool again);
// The id of the call `number` of a round; `by_model`: one that a model added to the plan.
std::string call_id(const Reading& reading, bool again, size_t number, bool by_model = false);
// Whether the program itself made a call of this id: retrieved text has not steered it. What a model
// calls never has such an id (make_ids_unique in model_answer.cc).
bool is_programs_call(std::string_view id);
// Whether calls of that round were made.
bool was_called(const Reading& reading, bool again);

// A demand that cannot be met, as a sentence with the remedy.
std::string not_configured(const Demand& demand);

}  // namespace precedent
