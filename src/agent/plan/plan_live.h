// The part of a plan that asks the systems in operation and the code: which metrics, which changes,
// where in the repository.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <vector>

#include "agent/plan/plan.h"
#include "agent/sources/sources.h"
#include "agent/understand/reading.h"

namespace precedent {

// The calls that the policy's demands ask for, as far as their tools are there.
std::vector<PlannedCall> plan_live(const Reading& reading, const Sources& sources,
                                   const Policy& policy);
// Those, and what the knowledge base is asked; at most as many as the policy allows.
std::vector<PlannedCall> whole_plan(const Reading& reading, const Sources& sources,
                                    const Policy& policy);

// A second look, once the first results are there: code that the changes touched, and one refined
// query for each call that failed or found nothing. Nothing that was called before.
std::vector<PlannedCall> plan_again(const Reading& reading, const Sources& sources,
                                    const Policy& policy);

// A demand that cannot be met, as a sentence with the remedy.
std::string not_configured(const Demand& demand);

}  // namespace precedent
