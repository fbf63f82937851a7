// What a graph runs and what comes of it: tasks, writes, updates.
//
// A write is one value for one field of the state, encoded (field_codec.h): the same bytes are
// applied now, stored, and applied again by whoever replays them, so that a state can never differ
// from what its checkpoints say. Thread safety: plain values.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/field_codec.h"

namespace precedent {

// The target of an edge that ends a run.
inline constexpr std::string_view kEnd = "__end__";

// One call of a node in one step. Several tasks of a step may call the same node, each with an
// argument of its own (Update::send).
struct Task {
  std::string node = {};
  std::string argument = {};
  auto operator<=>(const Task&) const = default;
};

// A field of a state, as its schema names it (state_schema.h); T is the type of its writes.
template <typename T>
struct FieldOf {
  uint32_t tag = 0;
};

struct Write {
  uint32_t tag = 0;
  std::string value = {};
  bool operator==(const Write&) const = default;
};

// What a node returns.
struct Update {
  std::vector<Write> writes = {};
  std::vector<Task> sends = {};
  // Instead of an update: a question for a person (JSON). What was written is dropped; the node is
  // called again with the answer in Context::answers.
  std::optional<std::string> question = {};

  template <typename T>
  Update& add(FieldOf<T> field, const T& value) {
    writes.push_back({field.tag, encode_value(value)});
    return *this;
  }
  // Another task for the next step, beside those that the edges give.
  Update& send(std::string node, std::string argument) {
    sends.push_back({std::move(node), std::move(argument)});
    return *this;
  }
  static Update ask(std::string question) { return {{}, {}, std::move(question)}; }
  bool operator==(const Update&) const = default;
};

// What one task of a step wrote.
struct TaskWrites {
  Task task = {};
  std::vector<Write> writes = {};
  bool operator==(const TaskWrites&) const = default;
};

// The names of the tasks of one step: their nodes', with "#2", "#3" … where a node is called more
// than once. REQUIRES: tasks of the same node are neighbours.
std::vector<std::string> task_ids(const std::vector<Task>& tasks);

}  // namespace precedent
