// An investigation as a graph:
//
//   START → triage → hypothesise ─ a row each → investigate ─┐
//                        │                        ▲          │
//                   nothing fails           test  │          │
//                        ▼                        │          │
//                     evaluate ◄──────────────────┼──────────┘
//                      │  ▲ └─────────────────────┘
//               decide │  │ answered
//                      ▼  │
//                    conclude ─ done → remediate → END
//
// triage reads the evidence and finds what fails; hypothesise sends each row of the table of
// generators to investigate, several at once; evaluate scores all of them. Where the verdict is
// inconclusive and the order asks, conclude stops at the deciding question; its answer, "yes" or
// "no", is tested as any evidence is (verdict.h) and evaluated again. Each phase says what it does
// as a status. `precedent graph --investigation` draws the real object.
#pragma once

#include <filesystem>
#include <string>

#include "graph/state_graph.h"
#include "investigate/phases/case_desk.h"

namespace precedent {

// Without a checkpointer nothing is kept. Lifetime: what the desk borrows and the checkpointer
// outlive the graph.
Result<CompiledGraph<CaseState>> create_case_graph(const CaseDesk& desk,
                                                   Checkpointer* checkpointer);
Update case_input(const CaseOrder& order);

// From a frozen incident: nothing is kept, nobody is asked. Errors: kCancelled.
Result<Investigation> investigate(IncidentBrief brief, const std::filesystem::path& folder,
                                  const GatherOptions& options, const SourceContext& context);

// The same graph as a Mermaid diagram.
Result<std::string> draw_case_graph();

}  // namespace precedent
