// The copilot as a graph:
//
//   START → guardrail_check ─ allowed → support_bot ─ continue → incident_tools ┐
//                 │                       │    ▲                                │
//              answered                   │    └────────────────────────────────┘
//                 │                       ├ title_generation → END
//                 ▼                       └ end → END
//                END
//
// `precedent graph --mermaid` draws the real object.
#pragma once

#include "agent/state/copilot_state.h"
#include "agent/turn/copilot_services.h"
#include "graph/state_graph.h"

namespace precedent {

// Without a checkpointer nothing is kept. Lifetime: both outlive the graph.
Result<CompiledGraph<CopilotState>> create_agent_graph(const CopilotServices& services,
                                                       Checkpointer* checkpointer);

// The same graph as a Mermaid diagram.
Result<std::string> draw_agent_graph();

}  // namespace precedent
