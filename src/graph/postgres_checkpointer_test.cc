// SqlCheckpointer over PostgreSQL: the contract, and a server that goes in the middle of a turn.
#include "db/postgres_lab.h"
#include "graph/checkpointer_contract.h"
#include "graph/graph_lab.h"
#include "graph/sql_checkpointer.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<SqlCheckpointer> open_at(const db::PostgresLab& lab) {
  auto store = SqlCheckpointer::open(lab.database());
  EXPECT_TRUE(store) << store.error().text() << lab.problem();
  return store ? std::move(*store) : nullptr;
}

struct PostgresHarness final : CheckpointerHarness {
  Checkpointer& store() override { return *checkpointer; }
  void reopen() override { checkpointer = open_at(lab); }
  db::PostgresLab lab;
  std::unique_ptr<SqlCheckpointer> checkpointer = open_at(lab);
};

INSTANTIATE_TEST_SUITE_P(Postgres, CheckpointerContract, testing::Values(CheckpointerMaker([] {
                           return std::make_unique<PostgresHarness>();
                         })));

TEST(PostgresCheckpointer, AServerGoneInTheMiddleOfATurnIsAClearErrorAndLosesNothing) {
  const db::PostgresLab lab;
  const auto store = open_at(lab);
  ASSERT_NE(store, nullptr);
  const LabFields fields;
  int calls = 0;
  bool cut = true;
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", [&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    ++calls;
    return fields.say("a");
  });
  graph.add_node("b", [&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    if (cut) {
      EXPECT_TRUE(lab.go_away());
    }
    return fields.say("b");
  });
  graph.add_edge("a", "b").add_edge("b", kEnd).set_entry("a");
  const auto app = std::move(graph).compile(store.get());
  ASSERT_TRUE(app);
  RecordingSink events;
  const auto run = app->run(fields.say("hi"), {.thread = "t"}, events);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kUnavailable) << run.error().text();
  EXPECT_THAT(run.error().message, HasSubstr("try again; what was committed is kept"));
  EXPECT_EQ(events.events.back().type, Event::Type::kError);
  cut = false;
  ASSERT_TRUE(lab.come_back());
  const auto done = app->resume({.thread = "t"}, events);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(texts_of(done->state), "hi a b");
  EXPECT_EQ(calls, 1) << "what was kept is not run again";
}

TEST(PostgresCheckpointer, AServerThatWasStartedAgainMeanwhileGoesUnnoticed) {
  const db::PostgresLab lab;
  const auto store = open_at(lab);
  ASSERT_NE(store, nullptr);
  const LabFields fields;
  StateGraph<LabState> graph(fields.schema);
  graph.add_node("a", [&](const LabState&, const Context&, EventSink&) -> Result<Update> {
    EXPECT_TRUE(lab.end_sessions());
    return fields.say("a");
  });
  graph.add_edge("a", kEnd).set_entry("a");
  const auto app = std::move(graph).compile(store.get());
  ASSERT_TRUE(app);
  NullSink events;
  for (const char* said : {"hi a", "hi a hi a"}) {
    // Between two turns, and within one.
    EXPECT_TRUE(lab.end_sessions());
    const auto run = app->run(fields.say("hi"), {.thread = "t"}, events);
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_EQ(texts_of(run->state), said);
    EXPECT_EQ(texts_of(*app->state("t")), said);
  }
}

}  // namespace
}  // namespace precedent
