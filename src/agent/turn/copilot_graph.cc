#include "agent/turn/copilot_graph.h"

#include "agent/turn/nodes.h"

namespace precedent {

namespace {

// `node` makes of a function over services, state, context and events one over the last three.
template <typename MakeNode>
Result<CompiledGraph<CopilotState>> build(MakeNode node, Checkpointer* checkpointer) {
  StateGraph<CopilotState> graph(copilot_fields().schema);
  graph.add_node("guardrail_check", node(guardrail_check));
  graph.add_node("support_bot", node(support_bot));
  graph.add_node("incident_tools", node(incident_tools));
  graph.add_node("title_generation", node(title_generation));

  graph.set_entry("guardrail_check");
  graph.add_conditional_edges("guardrail_check", may_be_answered,
                              {{"allowed", "support_bot"}, {"answered", std::string(kEnd)}});
  graph.add_conditional_edges("support_bot", wants_tool,
                              {{"continue", "incident_tools"},
                               {"title_generation", "title_generation"},
                               {"end", std::string(kEnd)}});
  graph.add_edge("incident_tools", "support_bot");
  graph.add_edge("title_generation", kEnd);
  return std::move(graph).compile(checkpointer);
}

}  // namespace

Result<CompiledGraph<CopilotState>> create_agent_graph(const CopilotServices& services,
                                                       Checkpointer* checkpointer) {
  return build(
      [services](auto function) {
        return [services, function](const CopilotState& state, const Context& context,
                                    EventSink& events) {
          return function(services, state, context, events);
        };
      },
      checkpointer);
}

Result<std::string> draw_agent_graph() {
  // The shape without the services: nothing of it is ever run.
  const auto graph = TRY(build(
      [](auto) {
        return [](const CopilotState&, const Context&, EventSink&) -> Result<Update> {
          return Update();
        };
      },
      nullptr));
  return graph.to_mermaid();
}

}  // namespace precedent
