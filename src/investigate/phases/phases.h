// The phases of an investigation, as nodes of case_graph.h: what each makes of the state.
//
// Thread safety: pure but for what the desk does. Errors: kCancelled, and those of the desk.
#pragma once

#include "graph/graph_model.h"
#include "investigate/phases/case_desk.h"

namespace precedent {

Result<Update> triage(const CaseDesk& desk, const CaseState& state, const Context& context,
                      EventSink& events);
Result<Update> hypothesise(const CaseDesk& desk, const CaseState& state, const Context& context,
                           EventSink& events);
// Its argument is a row of the table; without one it tests the last answer.
Result<Update> investigate_row(const CaseDesk& desk, const CaseState& state, const Context& context,
                               EventSink& events);
Result<Update> evaluate(const CaseDesk& desk, const CaseState& state, const Context& context,
                        EventSink& events);
Result<Update> conclude_case(const CaseDesk& desk, const CaseState& state, const Context& context,
                             EventSink& events);
Result<Update> remediate(const CaseDesk& desk, const CaseState& state, const Context& context,
                         EventSink& events);

// Where the case goes on.
Labels after_hypothesise(const CaseState& state, EventSink& events);
Labels after_evaluate(const CaseState& state, EventSink& events);
Labels after_conclude(const CaseState& state, EventSink& events);

}  // namespace precedent
