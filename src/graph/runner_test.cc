// The loop over MemoryCheckpointer: turns, fan-out, interrupts, stops, limits, forks, conflicts.
#include "graph/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <thread>

#include "graph/graph_lab.h"
#include "graph/memory_checkpointer.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Type = Event::Type;

constexpr int kAtOnce = 4;

struct RunnerTest : ::testing::Test {
  LabFields fields;
  MemoryCheckpointer store;
  RecordingSink events;
  FixedClock clock{TimePoint(std::chrono::seconds(1'000'000))};

  RunOptions options(std::string thread = "t") {
    RunOptions options;
    options.thread = std::move(thread);
    options.clock = &clock;
    return options;
  }
  StateGraph<LabState>::NodeOf says(std::string text) {
    return [this, text](const LabState&, const Context&, EventSink&) -> Result<Update> {
      return fields.say(text);
    };
  }
  CompiledGraph<LabState> compile(StateGraph<LabState> graph) {
    auto compiled = std::move(graph).compile(&store);
    EXPECT_TRUE(compiled) << compiled.error().text();
    return std::move(*compiled);
  }
  // a -> b -> end
  CompiledGraph<LabState> line() {
    StateGraph<LabState> graph(fields.schema);
    graph.add_node("a", says("a")).add_node("b", says("b")).set_entry("a");
    graph.add_edge("a", "b").add_edge("b", kEnd);
    return compile(std::move(graph));
  }
  // a -> w1, w2, w3, w4 -> join
  StateGraph<LabState> fan(StateGraph<LabState>::NodeOf work) {
    StateGraph<LabState> graph(fields.schema);
    graph.add_node("a", says("a")).add_node("join", says("join")).set_entry("a");
    for (int i = 1; i <= kAtOnce; ++i) {
      const std::string name = "w" + std::to_string(i);
      graph.add_node(name, work).add_edge("a", name).add_edge(name, "join");
    }
    graph.add_edge("join", kEnd);
    return graph;
  }
  std::vector<Type> types() const {
    std::vector<Type> types;
    for (const Event& event : events.events) types.push_back(event.type);
    return types;
  }
  void expect_one_end(Type type) {
    const auto is_end = [](Type t) {
      return t == Type::kComplete || t == Type::kError || t == Type::kInterrupt;
    };
    ASSERT_FALSE(events.events.empty());
    EXPECT_EQ(std::ranges::count_if(types(), is_end), 1);
    EXPECT_EQ(events.events.back().type, type);
  }
};

TEST_F(RunnerTest, ATurnAppliesTheInputAndRunsToTheEnd) {
  const auto app = line();
  const auto done = app.run(fields.say("hi"), options(), events);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(texts_of(done->state), "hi a b");
  EXPECT_EQ(done->report.steps, 2);
  expect_one_end(Type::kComplete);
  EXPECT_EQ(events.events.back().data, R"({"steps":2})");
}

TEST_F(RunnerTest, TheNextTurnGoesOnWhereTheThreadStands) {
  ASSERT_TRUE(line().run(fields.say("hi"), options(), events));
  const auto app = line();  // another process: no cache
  for (int turn = 0; turn < 2; ++turn) ASSERT_TRUE(app.run(fields.say("more"), options(), events));
  EXPECT_EQ(texts_of(*app.state("t")), "hi a b more a b more a b");
}

TEST_F(RunnerTest, WhatAnotherProcessAddedIsReadBeforeATurn) {
  const auto one = line();
  const auto two = line();
  ASSERT_TRUE(one.run(fields.say("1"), options(), events));
  ASSERT_TRUE(two.run(fields.say("2"), options(), events));
  const auto done = one.run(fields.say("3"), options(), events);
  ASSERT_TRUE(done);
  EXPECT_EQ(texts_of(done->state), "1 a b 2 a b 3 a b");
}

TEST_F(RunnerTest, WithoutAThreadNothingIsKept) {
  const auto done = line().run(fields.say("hi"), options(""), events);
  ASSERT_TRUE(done);
  EXPECT_EQ(texts_of(done->state), "hi a b");
  EXPECT_THAT(*store.threads(10, 0, {}), IsEmpty());
}

TEST_F(RunnerTest, EveryDurabilityKeepsTheWholeTurn) {
  for (const Durability durability : {Durability::kSync, Durability::kAsync, Durability::kExit}) {
    const std::string thread = "t" + std::to_string(static_cast<int>(durability));
    RunOptions o = options(thread);
    o.durability = durability;
    const auto done = line().run(fields.say("hi"), o, events);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(texts_of(*line().state(thread)), "hi a b") << thread;
    EXPECT_EQ(store.history(thread, {}, 10)->size(), 3u) << thread;
    EXPECT_EQ(done->report.checkpoint, (*store.head(thread))->checkpoint);
  }
}

TEST_F(RunnerTest, ParallelNodesMergeInTheOrderOfTheirNamesWhoeverEndsFirst) {
  std::latch all_running(kAtOnce);
  std::atomic<int> turn{kAtOnce};
  // They end in the reverse order of their names.
  const auto app =
      compile(fan([&](const LabState&, const Context& context, EventSink&) -> Result<Update> {
        all_running.arrive_and_wait();
        const int mine = context.node.back() - '0';
        while (turn != mine) std::this_thread::yield();
        --turn;
        return fields.say(std::string(context.node));
      }));
  const auto done = app.run(fields.say("hi"), options(), events);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(texts_of(done->state), "hi a w1 w2 w3 w4 join");
}

TEST_F(RunnerTest, NoMoreTasksRunAtOnceThanAllowed) {
  std::atomic<int> running{0}, most{0};
  const auto app = compile(fan([&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    const int now = ++running;
    int seen = most;
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --running;
    return Update{};
  }));
  RunOptions o = options();
  o.max_parallel = 2;
  ASSERT_TRUE(app.run(fields.say("hi"), o, events));
  EXPECT_LE(most, 2);
}

TEST_F(RunnerTest, SentTasksCarryTheirArgumentAndMergeInTheOrderOfSending) {
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("split", [](const LabState&, const Context&, EventSink&) -> Result<Update> {
    return Update().send("work", "z").send("work", "a").send("work", "m");
  });
  graph.add_node(
      "work", [this](const LabState&, const Context& context, EventSink&) -> Result<Update> {
        return fields.say(std::string(context.argument) + "/" + std::string(context.task));
      });
  graph.add_sends("split", {"work"}).add_edge("work", kEnd).set_entry("split");
  const auto done = compile(std::move(graph)).run(Update(), options(), events);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(texts_of(done->state), "z/work a/work#2 m/work#3");
}

TEST_F(RunnerTest, ARouteDecidesByTheStateAndMaySaySo) {
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", says("a")).set_entry("a");
  graph.add_conditional_edges("a",
                              [](const LabState& state, EventSink& sink) -> Labels {
                                sink.status("Deciding...");
                                return state.notes.size() < 3 ? "again" : "end";
                              },
                              {{"again", "a"}, {"end", std::string(kEnd)}});
  const auto done = compile(std::move(graph)).run(Update(), options(), events);
  ASSERT_TRUE(done);
  EXPECT_EQ(texts_of(done->state), "a a a");
  EXPECT_THAT(types(), ElementsAre(Type::kStatus, Type::kStatus, Type::kStatus, Type::kComplete));
}

TEST_F(RunnerTest, ARunWithoutAnEndStopsAtTheStepLimitAndCanGoOn) {
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", says("a")).add_edge("a", "a").set_entry("a");
  const auto app = compile(std::move(graph));
  RunOptions o = options();
  o.max_steps = 3;
  const auto done = app.run(Update(), o, events);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(done.error().message, HasSubstr("took 3 steps"));
  expect_one_end(Type::kError);
  EXPECT_FALSE(app.resume(o, events));
  EXPECT_EQ(texts_of(*app.state("t")), "a a a a a a");
}

// --- Interrupts

TEST_F(RunnerTest, StopsBeforeAndAfterNodesAreGoneOnFromOnce) {
  const auto app = line();
  RunOptions o = options();
  o.interrupt_before = {"a"};
  o.interrupt_after = {"a"};
  const auto before = app.run(fields.say("hi"), o, events);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->report.outcome, Outcome::kInterrupted);
  EXPECT_THAT(before->report.questions, ElementsAre(OpenQuestion{"", "a", R"({"before":"a"})"}));
  EXPECT_EQ(texts_of(before->state), "hi");
  expect_one_end(Type::kInterrupt);
  EXPECT_EQ(events.events.back().data,
            R"({"questions":[{"node":"a","question":{"before":"a"},"task":""}]})");
  const auto after = line().resume(o, events);  // as another process
  ASSERT_TRUE(after);
  EXPECT_THAT(after->report.questions, ElementsAre(OpenQuestion{"", "a", R"({"after":"a"})"}));
  EXPECT_EQ(texts_of(after->state), "hi a");
  const auto done = app.resume(o, events);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->report.outcome, Outcome::kComplete);
  EXPECT_EQ(texts_of(done->state), "hi a b");
}

TEST_F(RunnerTest, AStopAtANodeThatDoesNotExistIsRefused) {
  RunOptions o = options();
  o.interrupt_before = {"c"};
  const auto run = line().run(Update(), o, events);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("cannot stop at 'c'"));
}

TEST_F(RunnerTest, ANodeAsksAndIsCalledAgainWithTheAnswers) {
  int calls = 0;
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("ask", [&](const LabState&, const Context& context, EventSink&) -> Result<Update> {
    ++calls;
    if (context.answers.empty()) return Update::ask(R"({"sure":true})");
    if (context.answers.size() == 1) return Update::ask("which one?");
    return fields.say(context.answers[0] + "," + context.answers[1]);
  });
  graph.add_edge("ask", kEnd).set_entry("ask");
  const auto app = compile(std::move(graph));
  const auto first = app.run(fields.say("hi"), options(), events);
  ASSERT_TRUE(first);
  EXPECT_THAT(first->report.questions, ElementsAre(OpenQuestion{"ask", "ask", R"({"sure":true})"}));
  const auto same =
      app.resume(options(), events);  // no answer: the same question, nobody is called
  ASSERT_TRUE(same);
  EXPECT_EQ(same->report.questions, first->report.questions);
  EXPECT_EQ(calls, 1);
  const auto second = app.resume("yes", options(), events);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->report.questions[0].question, "which one?");
  EXPECT_EQ(events.events.back().data,
            R"({"questions":[{"node":"ask","question":"which one?","task":"ask"}]})");
  const auto done = app.resume("the other", options(), events);
  ASSERT_TRUE(done);
  EXPECT_EQ(texts_of(done->state), "hi yes,the other");
  EXPECT_FALSE(app.resume("again", options(), events)) << "nothing was asked";
}

TEST_F(RunnerTest, OfParallelQuestionsEachIsAnsweredByItsTaskAndTheFinishedAreNotRunAgain) {
  std::atomic<int> finished{0};
  const auto app =
      compile(fan([&](const LabState&, const Context& context, EventSink&) -> Result<Update> {
        const bool asks = context.node == "w2" || context.node == "w4";
        if (asks && context.answers.empty()) return Update::ask("\"?\"");
        if (!asks) ++finished;
        return fields.say(std::string(context.node) + (asks ? "=" + context.answers[0] : ""));
      }));
  const auto first = app.run(fields.say("hi"), options(), events);
  ASSERT_TRUE(first);
  ASSERT_EQ(first->report.questions.size(), 2u);
  const auto vague = app.resume("yes", options(), events);
  ASSERT_FALSE(vague);
  EXPECT_EQ(vague.error().code, ErrorCode::kInvalidArgument);
  const auto half = app.resume({{"w4", "four"}}, options(), events);
  ASSERT_TRUE(half);
  EXPECT_THAT(half->report.questions, ElementsAre(OpenQuestion{"w2", "w2", "\"?\""}));
  const auto done = app.resume("two", options(), events);
  ASSERT_TRUE(done);
  EXPECT_EQ(texts_of(done->state), "hi a w1 w2=two w3 w4=four join");
  EXPECT_EQ(finished, 2);
}

// --- Errors, cancellation, deadline

TEST_F(RunnerTest, AFailedTaskEndsTheRunAndOnResumeOnlyItRunsAgain) {
  std::atomic<int> calls{0};
  std::atomic<bool> broken{true};
  const auto app =
      compile(fan([&](const LabState&, const Context& context, EventSink&) -> Result<Update> {
        ++calls;
        if (context.node == "w3" && broken)
          return fail(ErrorCode::kUnavailable, "the service is down");
        return fields.say(std::string(context.node));
      }));
  const auto failed = app.run(fields.say("hi"), options(), events);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().text(), HasSubstr("node 'w3': the service is down"));
  expect_one_end(Type::kError);
  EXPECT_EQ(events.events.back().data, R"({"code":"unavailable"})");
  broken = false;
  const auto done = app.resume(options(), events);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(texts_of(done->state), "hi a w1 w2 w3 w4 join");
  EXPECT_EQ(calls, kAtOnce + 1);
}

TEST_F(RunnerTest, AnExceptionInANodeIsAnErrorOfTheRun) {
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", [](const LabState&, const Context&, EventSink&) -> Result<Update> {
    throw std::runtime_error("boom");
  });
  graph.add_edge("a", kEnd).set_entry("a");
  const auto run = compile(std::move(graph)).run(Update(), options(), events);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kInternal);
  EXPECT_THAT(run.error().text(), HasSubstr("boom"));
}

TEST_F(RunnerTest, CancelledInsideANodeItEndsThereAndGoesOnLater) {
  CancelToken cancel;
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", says("a")).set_entry("a").add_edge("a", "slow");
  graph.add_node("slow",
                 [&](const LabState&, const Context& context, EventSink&) -> Result<Update> {
                   if (context.cancel != nullptr) cancel.cancel();
                   TRY(context.check());
                   return fields.say("slow");
                 });
  graph.add_edge("slow", kEnd);
  const auto app = compile(std::move(graph));
  RunOptions o = options();
  o.cancel = &cancel;
  const auto run = app.run(fields.say("hi"), o, events);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(texts_of(*app.state("t")), "hi a");
  const auto between = app.resume(o, events);
  ASSERT_FALSE(between);
  EXPECT_EQ(between.error().code, ErrorCode::kCancelled);
  ASSERT_TRUE(app.resume(options(), events));
  EXPECT_EQ(texts_of(*app.state("t")), "hi a slow");
}

TEST_F(RunnerTest, ANodeThatWaitsForEverEndsWithTheDeadline) {
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("wait", [](const LabState&, const Context& context, EventSink&) -> Result<Update> {
    for (;;) TRY(context.check());
  });
  graph.add_edge("wait", kEnd).set_entry("wait");
  RunOptions o = options();
  o.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  const auto run = compile(std::move(graph)).run(Update(), o, events);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kTimeout);
}

// --- Events

// What the nodes of a run count together.
struct LabLocal final : RunLocal {
  std::atomic<int> calls{0};
};

TEST_F(RunnerTest, TheNodesOfARunShareWhatItIsGivenAndNoOtherRunDoes) {
  const auto count = [this](const LabState&, const Context& context, EventSink&) {
    if (auto* local = dynamic_cast<LabLocal*>(context.local)) ++local->calls;
    return Result<Update>(fields.say("x"));
  };
  const auto app = compile(fan(count));
  LabLocal local;
  RunOptions run = options();
  run.local = &local;
  ASSERT_TRUE(app.run(fields.say("q"), run, events));
  EXPECT_EQ(local.calls, kAtOnce);
  ASSERT_TRUE(app.run(fields.say("q"), options(), events));
  EXPECT_EQ(local.calls, kAtOnce);
}

TEST(RunSink, NothingIsSaidAfterTheEnd) {
  for (const Type end : {Type::kComplete, Type::kInterrupt, Type::kError}) {
    RecordingSink events;
    RunSink sink({}, events);
    sink.title("in time");
    sink.emit({.type = end});
    sink.title("too late");
    ASSERT_EQ(events.events.size(), 2u);
    EXPECT_EQ(events.events.back().type, end);
  }
}

TEST_F(RunnerTest, EachModeShowsItsEvents) {
  StateGraph<LabState> graph(fields.schema);
  graph.set_entry("a").add_node(
      "a", [this](const LabState&, const Context&, EventSink& sink) -> Result<Update> {
        sink.status("Working...");
        sink.token("to");
        return fields.say("a");
      });
  graph.add_edge("a", kEnd);
  const auto app = compile(std::move(graph));
  const auto only = [](std::initializer_list<bool StreamModes::*> shown) {
    StreamModes modes{.messages = false, .custom = false};
    for (bool StreamModes::* mode : shown) modes.*mode = true;
    return modes;
  };
  const struct {
    std::string name;
    StreamModes modes;
    std::vector<Type> expected;
  } cases[] = {
      {"custom", only({&StreamModes::custom}), {Type::kStatus, Type::kComplete}},
      {"messages", only({&StreamModes::messages}), {Type::kToken, Type::kComplete}},
      {"updates", only({&StreamModes::updates}), {Type::kUpdates, Type::kComplete}},
      {"values", only({&StreamModes::values}), {Type::kValues, Type::kComplete}},
      {"debug",
       only({&StreamModes::debug}),
       {Type::kCheckpoint, Type::kTask, Type::kTask, Type::kCheckpoint, Type::kComplete}},
      {"custom, values",
       only({&StreamModes::custom, &StreamModes::values}),
       {Type::kStatus, Type::kValues, Type::kComplete}},
  };
  for (const auto& [mode, modes, expected] : cases) {
    RecordingSink sink;
    RunOptions o = options("");
    o.modes = modes;
    ASSERT_TRUE(app.run(fields.say("hi"), o, sink));
    std::vector<Type> found;
    for (const Event& event : sink.events) found.push_back(event.type);
    EXPECT_EQ(found, expected) << mode;
    if (mode == "updates") {
      EXPECT_EQ(sink.events[0].data, R"({"notes":[{"id":"","text":"a"}]})");
    }
    if (mode == "values") {
      EXPECT_THAT(sink.events[0].data, HasSubstr(R"({"id":"m2","text":"a"})"));
    }
    EXPECT_EQ(sink.events[0].node.empty(), mode == "values" || mode == "debug") << mode;
  }
}

// --- Time travel

TEST_F(RunnerTest, AForkGoesItsOwnWayFromAnyCheckpointAndSharesThePast) {
  const auto app = line();
  ASSERT_TRUE(app.run(fields.say("hi"), options(), events));
  ASSERT_TRUE(app.run(fields.say("more"), options(), events));
  const auto history = *store.history("t", {}, 10);
  ASSERT_EQ(history.size(), 6u);
  const Checkpoint& after_first_a = history[4];
  EXPECT_EQ(texts_of(*app.state("t", after_first_a.id)), "hi a");
  ASSERT_TRUE(store.fork("t", after_first_a.id, "replay", clock.now()));
  const auto replayed = app.resume(options("replay"), events);
  ASSERT_TRUE(replayed);
  EXPECT_EQ(texts_of(replayed->state), "hi a b");
  ASSERT_TRUE(app.run(fields.say("else"), options("replay"), events));
  EXPECT_EQ(texts_of(*app.state("replay")), "hi a b else a b");
  EXPECT_EQ(texts_of(*app.state("t")), "hi a b more a b");
}

TEST_F(RunnerTest, APrunedThreadHasTheSameStateAndGoesOn) {
  const auto app = line();
  for (int turn = 0; turn < 3; ++turn) ASSERT_TRUE(app.run(fields.say("q"), options(), events));
  const LabState before = *app.state("t");
  EXPECT_EQ(*app.prune("t", {.keep_last = 4}), 5u);
  EXPECT_EQ(*app.state("t"), before);
  const auto history = *store.history("t", {}, 10);
  ASSERT_EQ(history.size(), 5u);
  EXPECT_EQ(history.back().step.source, StepSource::kBase);
  EXPECT_EQ(*app.prune("t", {.keep_last = 4}), 0u);
  EXPECT_EQ(*app.prune("t", {.keep_last = 1, .older_than = TimePoint{}}), 0u);
  ASSERT_TRUE(line().run(fields.say("q"), options(), events));
  EXPECT_EQ(texts_of(*app.state("t")), texts_of(before) + " q a b");
}

TEST_F(RunnerTest, OfTwoRunsOnOneThreadTheSecondIsToldToWaitAndLeavesNothing) {
  // The second begins while the first is in its node, with its input kept already.
  std::function<void()> meanwhile = [] {};
  StateGraph<LabState> graph(fields.schema);
  graph.set_entry("a");
  graph.add_node("a", [&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    meanwhile();
    return fields.say("a");
  });
  graph.add_edge("a", kEnd);
  const auto app = compile(std::move(graph));
  NullSink sink;
  Error refused[2];
  meanwhile = [&] {
    refused[0] = app.run(fields.say("by the second"), options(), sink).error();
    refused[1] = app.resume(options(), sink).error();
    meanwhile = [] {};
  };
  ASSERT_TRUE(app.run(fields.say("hi"), options(), events));
  for (const Error& error : refused) {
    EXPECT_EQ(error.code, ErrorCode::kConflict);
    EXPECT_THAT(error.message, HasSubstr("thread 't' is busy with another turn"));
  }
  EXPECT_EQ(texts_of(*app.state("t")), "hi a");
  ASSERT_TRUE(app.run(fields.say("again"), options(), sink));
  EXPECT_EQ(texts_of(*app.state("t")), "hi a again a");
}

// Who writes past the lease, as a store whose lock was lost: by comparing and swapping one wins.
TEST_F(RunnerTest, AHeadThatMovedDuringARunIsAConflictAndNothingIsMixed) {
  StateGraph<LabState> graph(fields.schema);
  graph.set_entry("a");
  graph.add_node("a", [&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    Step step;
    step.tasks = {{{"other"}, fields.say("by the other").writes}};
    EXPECT_TRUE(store.put("t", store.head("t").value()->checkpoint, std::span(&step, 1)));
    return fields.say("a");
  });
  graph.add_edge("a", kEnd);
  const auto app = compile(std::move(graph));
  const auto run = app.run(fields.say("hi"), options(), events);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kConflict);
  EXPECT_THAT(run.error().message, HasSubstr("thread 't' went on elsewhere after checkpoint 1"));
  EXPECT_EQ(texts_of(*app.state("t")), "hi by the other");
}

TEST_F(RunnerTest, ACheckpointIsDescribedForPeople) {
  const auto app = line();
  RunOptions o = options();
  o.metadata = {{"user", "ann"}};
  ASSERT_TRUE(app.run(fields.say("hi"), o, events));
  EXPECT_EQ(
      app.describe(store.history("t", {}, 10)->at(1)),
      R"({"at":"1970-01-12T13:46:40Z","id":2,"metadata":{"user":"ann"},"next":["b"],"parent":1,"source":"loop",)"
      R"("step":1,"tasks":[{"node":"a","writes":{"notes":[{"id":"","text":"a"}]}}],"thread":"t"})");
}

}  // namespace
}  // namespace precedent
