// The door to graph/: a graph over a state of your own type.
//
//   StateGraph<State> graph(schema);
//   graph.add_node("support_bot", call_model);    // (const State&, const Context&, EventSink&)
//   graph.add_node("incident_tools", run_tools);  //   -> Result<Update>
//   graph.set_entry("support_bot");
//   graph.add_conditional_edges("support_bot", wants_tool,  // (const State&, EventSink&) -> Labels
//                               {{"continue", "incident_tools"}, {"end", std::string(kEnd)}});
//   graph.add_edge("incident_tools", "support_bot");
//   auto app = TRY(std::move(graph).compile(&checkpointer));
//   auto done = TRY(app.run(Update().add(messages, question), {.thread = "t1"}, events));
//
// A node that names several successors runs all of them in the next step, in parallel. Nodes must
// bear being called from several threads (several conversations, or tasks of one step), must not
// change the state but by what they return, and should call Context::check() where they wait.
//
// Thread safety: a StateGraph belongs to one thread; all members of a CompiledGraph may be called
// from any. Ownership: a CompiledGraph borrows its checkpointer, and owns nodes and routes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_model.h"
#include "graph/runner.h"
#include "graph/state_schema.h"

namespace precedent {

template <typename State>
struct RunResult {
  State state;
  RunReport report;
};

template <typename State>
class CompiledGraph {
 public:
  explicit CompiledGraph(std::unique_ptr<Runner> runner) : runner_(std::move(runner)) {}

  // Contracts: runner.h.
  Result<RunResult<State>> run(Update input, const RunOptions& options, EventSink& events) const {
    return typed(runner_->run(std::move(input), options, events));
  }
  Result<RunResult<State>> resume(const RunOptions& options, EventSink& events) const {
    return typed(runner_->resume({}, options, events));
  }
  // The answer to the only open question.
  Result<RunResult<State>> resume(std::string answer, const RunOptions& options,
                                  EventSink& events) const {
    return typed(runner_->resume({{"", std::move(answer)}}, options, events));
  }
  // Answers by task.
  Result<RunResult<State>> resume(const std::map<std::string, std::string>& answers,
                                  const RunOptions& options, EventSink& events) const {
    return typed(runner_->resume(answers, options, events));
  }
  Result<State> state(std::string_view thread, std::optional<CheckpointId> checkpoint = {}) const {
    const auto state = TRY(runner_->state(thread, checkpoint));
    return TypedState<State>::of(std::move(*state));
  }
  Result<size_t> prune(std::string_view thread, const PrunePolicy& policy) const {
    return runner_->prune(thread, policy);
  }
  std::string describe(const Checkpoint& checkpoint) const { return runner_->describe(checkpoint); }
  std::string to_mermaid() const { return runner_->graph().to_mermaid(); }
  Checkpointer* checkpointer() const { return runner_->checkpointer(); }

 private:
  static Result<RunResult<State>> typed(Result<Runner::Run> run) {
    if (!run) return std::unexpected(std::move(run).error());
    return RunResult<State>{TypedState<State>::of(std::move(*run->state)), std::move(run->report)};
  }

  std::unique_ptr<Runner> runner_;
};

template <typename State>
class StateGraph {
 public:
  using NodeOf = std::function<Result<Update>(const State&, const Context&, EventSink&)>;
  using RouteOf = std::function<Labels(const State&, EventSink&)>;
  using OutputOf = std::function<std::string(const State&, const RunReport&)>;

  explicit StateGraph(StateSchema<State> schema)
      : schema_(std::make_shared<const StateSchema<State>>(std::move(schema))) {}

  StateGraph& add_node(const std::string& name, NodeOf function) {
    Node& node = model_.nodes[name];
    if (node.function || name.empty() || name == kEnd)
      note("the node '" + name + "' is there already, or has a reserved name");
    node.function = [function = std::move(function)](const AnyState& state, const Context& context,
                                                     EventSink& events) {
      return function(TypedState<State>::of(state), context, events);
    };
    return *this;
  }
  StateGraph& add_edge(const std::string& from, std::string_view to) {
    from_node(from).edges.emplace_back(to);
    return *this;
  }
  // The labels are what the drawing shows.
  StateGraph& add_conditional_edges(const std::string& from, RouteOf route,
                                    std::map<std::string, std::string> targets) {
    Branch branch{{}, std::move(targets)};
    branch.route = [route = std::move(route)](const AnyState& state, EventSink& events) {
      return route(TypedState<State>::of(state), events);
    };
    from_node(from).branches.push_back(std::move(branch));
    return *this;
  }
  // The nodes that updates of `from` may send tasks to (Update::send).
  StateGraph& add_sends(const std::string& from, const std::vector<std::string>& targets) {
    auto& sends = from_node(from).sends;
    sends.insert(sends.end(), targets.begin(), targets.end());
    return *this;
  }
  // Several entries run in parallel.
  StateGraph& set_entry(const std::string& name) {
    model_.entries.push_back(name);
    return *this;
  }
  // What kComplete carries, as compact JSON; without it: thread-independent facts of the run.
  StateGraph& set_output(OutputOf output) {
    output_ = [output = std::move(output)](const AnyState& state, const RunReport& report) {
      return output(TypedState<State>::of(state), report);
    };
    return *this;
  }

  // Errors: kInvalidArgument naming the node, edge or field (GraphModel::check).
  Result<CompiledGraph<State>> compile(Checkpointer* checkpointer) && {
    if (!problem_.empty()) return fail(ErrorCode::kInvalidArgument, "graph: " + problem_);
    TRY(schema_->check());
    TRY(model_.check());
    return CompiledGraph<State>(
        std::make_unique<Runner>(std::move(model_), std::make_unique<TypedState<State>>(schema_),
                                 checkpointer, std::move(output_)));
  }

 private:
  Node& from_node(const std::string& name) {
    const auto node = model_.nodes.find(name);
    if (node != model_.nodes.end()) return node->second;
    note("an edge begins at '" + name + "', which is no node yet; add the node first");
    return nowhere_;
  }
  void note(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  std::shared_ptr<const StateSchema<State>> schema_;
  GraphModel model_;
  OutputFunction output_ = [](const AnyState&, const RunReport& report) {
    return "{\"steps\":" + std::to_string(report.steps) + "}";
  };
  std::string problem_;  // the first one
  Node nowhere_;
};

}  // namespace precedent
