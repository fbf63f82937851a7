// What the plan made each call for, from the plan to the receipts: nothing is planned again in
// order to know which part of a question a receipt serves.
//
// Thread safety: pure functions over values.
#pragma once

#include <vector>

#include "agent/plan/plan.h"
#include "agent/understand/reading.h"

namespace precedent {

// Of the calls that were made as planned, and of receipts whose call is planned once more.
std::vector<KeptCall> reasons_of(const std::vector<PlannedCall>& planned,
                                 const std::vector<ToolCall>& made,
                                 const std::vector<Receipt>& receipts);

// A part of a message that asks several things, with the receipts that serve it. What a model
// called for itself serves every part.
Reading part_of(const Reading& reading, size_t part);

// The calls of the receipts, as they were planned.
std::vector<PlannedCall> planned_calls(const std::vector<Receipt>& receipts);

}  // namespace precedent
