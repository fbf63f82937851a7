// A store whose Nth write fails, for every N until a turn ends whole: what the run does, and that
// nothing that was kept is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/failing_checkpointer.h"
#include "graph/graph_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kTurn = "hi a w1 w2 join";
// More writes than a turn has.
constexpr int kMany = 20;

class WriteFailureTest : public ::testing::TestWithParam<Durability> {
 protected:
  // a -> w1, w2 -> join -> end: the two leave a pending write behind.
  CompiledGraph<LabState> graph() {
    const auto says = [this](const LabState&, const Context& context,
                             EventSink&) -> Result<Update> {
      return fields.say(std::string(context.node));
    };
    StateGraph<LabState> graph(fields.schema);
    for (const char* node : {"a", "w1", "w2", "join"}) graph.add_node(node, says);
    graph.set_entry("a").add_edge("a", "w1").add_edge("a", "w2").add_edge("w1", "join");
    graph.add_edge("w2", "join").add_edge("join", kEnd);
    return std::move(graph).compile(&store).value();
  }
  RunOptions options(WriteFailure on_failure) {
    RunOptions options;
    options.thread = "t";
    options.durability = GetParam();
    options.on_write_failure = on_failure;
    options.clock = &clock;
    return options;
  }
  std::string kept() {
    const auto state = graph().state("t");
    return state ? texts_of(*state) : "";
  }

  LabFields fields;
  FailingCheckpointer store;
  RecordingSink events;
  FixedClock clock{TimePoint(std::chrono::seconds(1'000'000))};
};

TEST_P(WriteFailureTest, ARunThatMayGoOnEndsWholeAndSaysThatItIsNotKept) {
  bool whole = false;
  for (int n = 0; n < kMany && !whole; ++n) {
    [[maybe_unused]] const auto removed = store.remove("t");
    store.recover();
    const auto app = graph();
    store.fail_after(n);
    const auto done = app.run(fields.say("hi"), options(WriteFailure::kGoOn), events);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(texts_of(done->state), kTurn);
    EXPECT_EQ(events.events.back().type, Event::Type::kComplete);
    whole = !done->report.unkept;
    if (!whole) {
      EXPECT_THAT(done->report.unkept->message, HasSubstr("disk is full"));
    }
    // What was kept is a beginning of the turn, and the report says where it stands.
    EXPECT_THAT(kTurn, StartsWith(kept()));
    EXPECT_EQ(kept() == kTurn, whole);
    const auto head = store.head("t").value();
    EXPECT_EQ(done->report.checkpoint, head ? std::optional(head->checkpoint) : std::nullopt);
    // Once there is room again: the next turn begins behind what was kept, in this process as well.
    store.recover();
    const std::string before = kept();
    const auto next = app.run(fields.say("hi"), options(WriteFailure::kGoOn), events);
    ASSERT_TRUE(next) << next.error().text();
    EXPECT_FALSE(next->report.unkept);
    EXPECT_EQ(texts_of(next->state), (before.empty() ? "" : before + " ") + kTurn);
    EXPECT_EQ(kept(), texts_of(next->state));
  }
  EXPECT_TRUE(whole);
}

TEST_P(WriteFailureTest, WhatWasKeptOfATurnCanBeFinishedLater) {
  for (int n = 1; n < kMany; ++n) {
    [[maybe_unused]] const auto removed = store.remove("t");
    store.recover();
    store.fail_after(n);
    const auto done = graph().run(fields.say("hi"), options(WriteFailure::kGoOn), events);
    ASSERT_TRUE(done) << done.error().text();
    if (!done->report.unkept) return;
    store.recover();
    if (!done->report.checkpoint) continue;
    ASSERT_TRUE(graph().resume(options(WriteFailure::kGoOn), events));
    EXPECT_EQ(kept(), kTurn) << n;
  }
  FAIL() << "no turn was kept whole";
}

TEST_P(WriteFailureTest, ARunThatMayNotGoOnFails) {
  store.fail_after(0);
  const auto done = graph().run(fields.say("hi"), options(WriteFailure::kStop), events);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(events.events.back().type, Event::Type::kError);
}

TEST_P(WriteFailureTest, WhoLostTheThreadToSomebodyElseAlwaysStops) {
  store.fail_after(0, ErrorCode::kConflict);
  const auto done = graph().run(fields.say("hi"), options(WriteFailure::kGoOn), events);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, WriteFailureTest,
                         ::testing::Values(Durability::kSync, Durability::kAsync,
                                           Durability::kExit));

}  // namespace
}  // namespace precedent
