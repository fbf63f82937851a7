#include "investigate/case_graph.h"

#include "base/foreign_json.h"
#include "investigate/phases/phases.h"
#include "investigate/report/report.h"

namespace precedent {

Update case_input(const CaseOrder& order) { return Update().add(case_fields().order, order); }

Result<CompiledGraph<CaseState>> create_case_graph(const CaseDesk& desk,
                                                   Checkpointer* checkpointer) {
  StateGraph<CaseState> graph(case_fields().schema);
  const auto add = [&](const std::string& name, auto phase) {
    graph.add_node(
        name, [desk, phase](const CaseState& state, const Context& context, EventSink& events) {
          return phase(desk, state, context, events);
        });
  };
  add("triage", triage);
  add("hypothesise", hypothesise);
  add("investigate", investigate_row);
  add("evaluate", evaluate);
  add("conclude", conclude_case);
  add("remediate", remediate);
  graph.set_entry("triage");
  graph.add_edge("triage", "hypothesise");
  graph.add_sends("hypothesise", {"investigate"});
  graph.add_conditional_edges("hypothesise", after_hypothesise, {{"nothing fails", "evaluate"}});
  graph.add_edge("investigate", "evaluate");
  graph.add_conditional_edges("evaluate", after_evaluate,
                              {{"test", "investigate"}, {"decide", "conclude"}});
  graph.add_conditional_edges("conclude", after_conclude,
                              {{"answered", "evaluate"}, {"done", "remediate"}});
  graph.add_edge("remediate", kEnd);
  graph.set_output([](const CaseState& state, const RunReport&) {
    return dump_json(to_json(investigation_of(state)));
  });
  return std::move(graph).compile(checkpointer);
}

Result<std::string> draw_case_graph() {
  // Nothing of it is ever run.
  return TRY(create_case_graph({}, nullptr)).to_mermaid();
}

Result<Investigation> investigate(IncidentBrief brief, const std::filesystem::path& folder,
                                  const GatherOptions& options, const SourceContext& context) {
  const auto graph = TRY(create_case_graph({}, nullptr));
  RunOptions run;
  run.cancel = &context.cancel;
  run.deadline = context.deadline;
  NullSink nobody;
  const auto done = TRY(
      graph.run(case_input({std::move(brief), folder.string(), options, false, {}}), run, nobody));
  return investigation_of(done.state);
}

}  // namespace precedent
