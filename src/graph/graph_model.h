// A graph as data: nodes, edges, branches, and what may be wrong with them.
//
// Built by state_graph.h, read by next_tasks.h and runner.h. Thread safety: plain values; the
// functions in it are called from several threads.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "chat/event.h"
#include "graph/any_state.h"
#include "graph/context.h"
#include "graph/task.h"

namespace precedent {

// What a route returns: one label, or several to go several ways at once.
struct Labels {
  std::vector<std::string> names;
  // Implicit, so that a route can return a literal.
  // NOLINTBEGIN(google-explicit-constructor)
  Labels(const char* name) : names{name} {}
  Labels(std::string name) : names{std::move(name)} {}
  Labels(std::vector<std::string> several) : names(std::move(several)) {}
  // NOLINTEND(google-explicit-constructor)
};

using NodeFunction = std::function<Result<Update>(const AnyState&, const Context&, EventSink&)>;
// A route decides; it may say what it decided (a status), and must depend on the state alone.
using RouteFunction = std::function<Labels(const AnyState&, EventSink&)>;

struct Branch {
  RouteFunction route;
  std::map<std::string, std::string> targets;  // by label
};

struct Node {
  NodeFunction function;
  std::vector<std::string> edges = {};
  std::vector<Branch> branches = {};
  std::vector<std::string> sends = {};  // where its updates may send tasks
};

struct GraphModel {
  std::map<std::string, Node> nodes;
  std::vector<std::string> entries;

  // Errors: kInvalidArgument naming the node or edge: no entry, an unknown target, a node that
  // cannot be reached, a node without a way out.
  Result<void> check() const;

  // A flow chart in Mermaid's language: solid arrows for edges, dotted ones with their label for
  // branches, thick ones for sends.
  std::string to_mermaid() const;
};

}  // namespace precedent
