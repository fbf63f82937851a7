#include "graph/next_tasks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

namespace precedent {
namespace {

Result<void> add_branch(const Branch& branch, const std::string& node, const AnyState& state,
                        EventSink& events, std::set<std::string>& targets) {
  for (const std::string& label : branch.route(state, events).names) {
    const auto target = branch.targets.find(label);
    if (target == branch.targets.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("graph: the route of '{}' chose '{}', which has no target; known: {}",
                              node, label, fmt::join(branch.targets | std::views::keys, ", ")));
    }
    targets.insert(target->second);
  }
  return {};
}

Result<void> add_sends(const Node& node, const FinishedTask& finished, std::vector<Task>& tasks) {
  for (const Task& sent : finished.sends) {
    if (std::ranges::find(node.sends, sent.node) == node.sends.end()) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "graph: '{}' sent a task to '{}' without saying so; declare it with add_sends",
              finished.task.node, sent.node));
    }
    tasks.push_back(sent);
  }
  return {};
}

}  // namespace

std::vector<std::string> task_ids(const std::vector<Task>& tasks) {
  std::vector<std::string> ids;
  size_t same = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    same = i > 0 && tasks[i].node == tasks[i - 1].node ? same + 1 : 1;
    ids.push_back(same == 1 ? tasks[i].node : fmt::format("{}#{}", tasks[i].node, same));
  }
  return ids;
}

std::vector<Task> entry_tasks(const GraphModel& graph) {
  const std::set<std::string> names(graph.entries.begin(), graph.entries.end());
  std::vector<Task> tasks;
  for (const std::string& name : names) tasks.push_back({name, ""});
  return tasks;
}

Result<std::vector<Task>> prepare_next_tasks(const GraphModel& graph, const AnyState& state,
                                             std::span<const FinishedTask> finished,
                                             EventSink& events) {
  std::set<std::string> targets;
  std::vector<Task> sent;
  std::string_view last;
  for (const FinishedTask& done : finished) {
    const auto node = graph.nodes.find(done.task.node);
    if (node == graph.nodes.end()) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "graph: there is no node '{}' any more; fork the thread at a checkpoint before it "
              "(`precedent threads history` lists them), or delete the thread",
              done.task.node));
    }
    TRY(add_sends(node->second, done, sent));
    // A node that ran as several tasks decides once: its route sees the state after all of them.
    if (done.task.node == last) continue;
    last = done.task.node;
    targets.insert(node->second.edges.begin(), node->second.edges.end());
    for (const Branch& branch : node->second.branches)
      TRY(add_branch(branch, node->first, state, events, targets));
  }
  targets.erase(std::string(kEnd));
  std::vector<Task> tasks;
  for (const std::string& name : targets) tasks.push_back({name, ""});
  tasks.insert(tasks.end(), std::make_move_iterator(sent.begin()),
               std::make_move_iterator(sent.end()));
  std::ranges::stable_sort(tasks, {}, &Task::node);
  return tasks;
}

Result<void> apply_writes(AnyState& state, std::span<const TaskWrites> tasks) {
  for (const TaskWrites& task : tasks) {
    for (const Write& write : task.writes) {
      if (auto applied = state.apply(write); !applied) {
        return std::unexpected(
            std::move(applied).error().within("writes of '" + task.task.node + "'"));
      }
    }
  }
  return {};
}

}  // namespace precedent
