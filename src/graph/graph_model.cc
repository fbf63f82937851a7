#include "graph/graph_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string_view>

namespace precedent {
namespace {

constexpr std::string_view kStart = "__start__";

std::vector<std::string> targets_of(const Node& node) {
  std::vector<std::string> targets = node.edges;
  for (const Branch& branch : node.branches) {
    for (const auto& [label, target] : branch.targets) targets.push_back(target);
  }
  targets.insert(targets.end(), node.sends.begin(), node.sends.end());
  return targets;
}

std::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::kInvalidArgument, "graph: " + std::move(message));
}

Result<void> check_target(const GraphModel& graph, std::string_view from, const std::string& to) {
  if (to == kEnd || graph.nodes.contains(to)) return {};
  return invalid(fmt::format(
      "the edge from '{}' leads to '{}', which is no node; add it, or correct the name", from, to));
}

std::set<std::string> reachable(const GraphModel& graph) {
  std::set<std::string> seen;
  std::vector<std::string> open = graph.entries;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (name == kEnd || !seen.insert(name).second) continue;
    for (std::string& target : targets_of(graph.nodes.at(name))) open.push_back(std::move(target));
  }
  return seen;
}

}  // namespace

Result<void> GraphModel::check() const {
  if (entries.empty()) return invalid("there is no entry; call set_entry with the first node");
  for (const std::string& entry : entries) TRY(check_target(*this, "the entry", entry));
  for (const auto& [name, node] : nodes) {
    const auto targets = targets_of(node);
    if (targets.empty()) {
      return invalid(
          fmt::format("'{}' leads nowhere; add an edge to its successor or to kEnd", name));
    }
    for (const std::string& target : targets) TRY(check_target(*this, name, target));
    for (const std::string& target : node.sends) {
      if (target == kEnd) return invalid(fmt::format("'{}' cannot send a task to kEnd", name));
    }
  }
  const auto seen = reachable(*this);
  for (const auto& [name, node] : nodes) {
    if (!seen.contains(name)) {
      return invalid(fmt::format("no edge leads to '{}'; add one, or remove the node", name));
    }
  }
  return {};
}

std::string GraphModel::to_mermaid() const {
  std::string out = "flowchart TD\n";
  const auto line = [&](std::string_view text) { out.append("  ").append(text).append("\n"); };
  line(fmt::format("{}([start])", kStart));
  for (const auto& [name, node] : nodes) line(fmt::format("{0}[{0}]", name));
  line(fmt::format("{}([end])", kEnd));
  for (const std::string& entry : entries) line(fmt::format("{} --> {}", kStart, entry));
  for (const auto& [name, node] : nodes) {
    for (const std::string& target : node.edges) line(fmt::format("{} --> {}", name, target));
    for (const Branch& branch : node.branches) {
      for (const auto& [label, target] : branch.targets)
        line(fmt::format("{} -. {} .-> {}", name, label, target));
    }
    for (const std::string& target : node.sends) line(fmt::format("{} ==> {}", name, target));
  }
  return out;
}

}  // namespace precedent
