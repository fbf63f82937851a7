#include "graph/next_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// a -> b, a -> c; b ? yes -> d : no -> end; c -> d; a sends to w; w -> d; d -> end.
GraphModel diamond(std::string label) {
  GraphModel graph;
  const auto nothing = [](const AnyState&, const Context&, EventSink&) -> Result<Update> {
    return Update{};
  };
  for (const char* name : {"a", "b", "c", "d", "w"}) graph.nodes[name].function = nothing;
  graph.nodes["a"].edges = {"c", "b"};
  graph.nodes["a"].sends = {"w"};
  graph.nodes["b"].branches = {{[label](const AnyState&, EventSink&) { return Labels(label); },
                                {{"yes", "d"}, {"no", std::string(kEnd)}}}};
  graph.nodes["c"].edges = {"d"};
  graph.nodes["w"].edges = {"d"};
  graph.nodes["d"].edges = {std::string(kEnd)};
  graph.entries = {"a"};
  return graph;
}

TypedState<LabState> initial() {
  return TypedState<LabState>(std::make_shared<const StateSchema<LabState>>(LabFields().schema));
}

Result<std::vector<std::string>> next(const GraphModel& graph, std::vector<FinishedTask> finished) {
  NullSink events;
  return task_ids(TRY(prepare_next_tasks(graph, initial(), finished, events)));
}

TEST(PrepareNextTasks, FollowsEdgesBranchesAndSendsInAStableOrder) {
  struct Case {
    std::string name;
    std::string label;
    std::vector<FinishedTask> finished;
    std::vector<std::string> next;
  };
  const std::vector<Case> cases = {
      {"fan-out, by name", "yes", {{{"a", ""}, {}}}, {"b", "c"}},
      {"two ways to one node: it runs once", "yes", {{{"b", ""}, {}}, {{"c", ""}, {}}}, {"d"}},
      {"a branch to the end beside an edge", "no", {{{"b", ""}, {}}, {{"c", ""}, {}}}, {"d"}},
      {"the end", "no", {{{"b", ""}, {}}}, {}},
      {"sent tasks join the edges",
       "yes",
       {{{"a", ""}, {{"w", "2"}, {"w", "1"}}}},
       {"b", "c", "w", "w#2"}},
      {"several tasks of a node lead on once", "yes", {{{"w", "2"}, {}}, {{"w", "1"}, {}}}, {"d"}},
      {"nothing ran", "yes", {}, {}},
  };
  for (const Case& c : cases) {
    const auto found = next(diamond(c.label), c.finished);
    ASSERT_TRUE(found) << c.name << ": " << found.error().text();
    EXPECT_EQ(*found, c.next) << c.name;
  }
}

TEST(PrepareNextTasks, RefusesWhatTheGraphDoesNotKnowByName) {
  const auto label = next(diamond("maybe"), {{{"b", ""}, {}}});
  ASSERT_FALSE(label);
  EXPECT_THAT(label.error().message, HasSubstr("'maybe', which has no target; known: no, yes"));
  const auto send = next(diamond("yes"), {{{"c", ""}, {{"w", ""}}}});
  ASSERT_FALSE(send);
  EXPECT_THAT(send.error().message, HasSubstr("'c' sent a task to 'w'"));
  EXPECT_FALSE(next(diamond("yes"), {{{"gone", ""}, {}}}));
}

TEST(ApplyWrites, AppliesInTheOrderOfTasks) {
  const LabFields fields;
  auto state = initial();
  const std::vector<TaskWrites> tasks = {
      {{"a", ""}, fields.say("one").writes},
      {{"b", ""}, fields.say("two").add(fields.title, std::string("t")).writes}};
  ASSERT_TRUE(apply_writes(state, tasks));
  EXPECT_EQ(texts_of(TypedState<LabState>::of(state)), "one two");
  const std::vector<TaskWrites> bad = {{{"b", ""}, {{1, "\x7f"}}}};
  const auto applied = apply_writes(state, bad);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().text(), HasSubstr("writes of 'b': field 'notes'"));
}

TEST(GraphModel, NamesWhatIsWrong) {
  struct Case {
    std::string says;
    std::function<void(GraphModel&)> damage;
  };
  const std::vector<Case> cases = {
      {"there is no entry", [](GraphModel& g) { g.entries.clear(); }},
      {"the edge from 'the entry' leads to 'x'", [](GraphModel& g) { g.entries = {"x"}; }},
      {"the edge from 'c' leads to 'dd'", [](GraphModel& g) { g.nodes["c"].edges = {"dd"}; }},
      {"the edge from 'b' leads to 'dd'",
       [](GraphModel& g) { g.nodes["b"].branches[0].targets["no"] = "dd"; }},
      {"'d' leads nowhere", [](GraphModel& g) { g.nodes["d"].edges.clear(); }},
      {"no edge leads to 'w'", [](GraphModel& g) { g.nodes["a"].sends.clear(); }},
      {"'a' cannot send a task to kEnd",
       [](GraphModel& g) { g.nodes["a"].sends = {std::string(kEnd)}; }},
  };
  ASSERT_TRUE(diamond("yes").check());
  for (const Case& c : cases) {
    GraphModel graph = diamond("yes");
    c.damage(graph);
    const auto checked = graph.check();
    ASSERT_FALSE(checked) << c.says;
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(checked.error().message, HasSubstr(c.says));
  }
}

TEST(GraphModel, DrawsItself) {
  EXPECT_EQ(diamond("yes").to_mermaid(), R"(flowchart TD
  __start__([start])
  a[a]
  b[b]
  c[c]
  d[d]
  w[w]
  __end__([end])
  __start__ --> a
  a --> c
  a --> b
  a ==> w
  b -. no .-> __end__
  b -. yes .-> d
  c --> d
  d --> __end__
  w --> d
)");
}

}  // namespace
}  // namespace precedent
