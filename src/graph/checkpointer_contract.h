// The contract of `Checkpointer` as tests: every implementation passes the same suite.
//
//   INSTANTIATE_TEST_SUITE_P(Memory, CheckpointerContract, testing::Values(CheckpointerMaker([] {
//   …  })));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "graph/checkpointer.h"

namespace precedent {

// One store for the length of a test.
class CheckpointerHarness {
 public:
  virtual ~CheckpointerHarness() = default;
  virtual Checkpointer& store() = 0;
  // Closes and opens it again, where the implementation keeps anything.
  virtual void reopen() {}
};
using CheckpointerMaker = std::function<std::unique_ptr<CheckpointerHarness>()>;

class CheckpointerContract : public testing::TestWithParam<CheckpointerMaker> {
 protected:
  using Ids = std::vector<CheckpointId>;

  Checkpointer& store() { return harness_->store(); }
  void reopen() { harness_->reopen(); }

  static Step step(int number, std::string text = "x") {
    return {number == 0 ? StepSource::kInput : StepSource::kLoop,
            number,
            TimePoint(std::chrono::seconds(1000 + number)),
            {{{"node", ""}, {{1, std::move(text)}}}},
            {{"next", "arg"}},
            {{"k", "v"}}};
  }
  // Appends `n` steps, one at a time; their ids.
  Ids grow(const std::string& thread, int n) {
    Ids ids;
    const auto head = store().head(thread);
    EXPECT_TRUE(head) << head.error().text();
    std::optional<CheckpointId> parent;
    if (*head) parent = (*head)->checkpoint;
    for (int i = 0; i < n; ++i) {
      const auto id = store().put(thread, parent, std::vector{step(i, thread + std::to_string(i))});
      EXPECT_TRUE(id) << id.error().text();
      parent = id.value_or(0);
      ids.push_back(*parent);
    }
    return ids;
  }
  static Ids ids_of(const Result<std::vector<Checkpoint>>& found) {
    EXPECT_TRUE(found) << found.error().text();
    Ids ids;
    for (const Checkpoint& checkpoint : found.value_or(std::vector<Checkpoint>{}))
      ids.push_back(checkpoint.id);
    return ids;
  }
  Ids path(const std::string& thread, std::optional<CheckpointId> after = {}) {
    const auto head = store().head(thread);
    if (!head || !*head) return {};
    return ids_of(store().path(thread, (*head)->checkpoint, after));
  }
  Ids history(const std::string& thread) { return ids_of(store().history(thread, {}, 100)); }
  static Ids reversed(Ids ids) { return {ids.rbegin(), ids.rend()}; }
  static ErrorCode code_of(const auto& result) {
    return result ? ErrorCode::kInternal : result.error().code;
  }
  static TimePoint now() { return TimePoint(std::chrono::seconds(5000)); }

 private:
  std::unique_ptr<CheckpointerHarness> harness_ = GetParam()();
};

TEST_P(CheckpointerContract, AThreadThatWasNeverWrittenIsNowhere) {
  EXPECT_EQ(store().head("t").value(), std::nullopt);
  EXPECT_EQ(code_of(store().history("t", {}, 10)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().checkpoint("t", 1)), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().remove("t")), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().fork("t", 1, "u", now())), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().copy("t", "u", now())), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().put_pending("t", 1, {})), ErrorCode::kConflict);
  EXPECT_THAT(store().threads(10).value(), testing::IsEmpty());
}

TEST_P(CheckpointerContract, StepsComeBackAsTheyWereAlsoAfterReopening) {
  const std::string bytes("\0\xff bytes \x01", 9);
  const auto first = store().put("täst '\"", {}, std::vector{step(0, bytes), step(1, "")});
  ASSERT_TRUE(first) << first.error().text();
  const auto second =
      store().put("täst '\"", *first, std::vector{step(2, std::string(100'000, 'x'))});
  ASSERT_TRUE(second);
  reopen();
  const auto path = store().path("täst '\"", *second);
  ASSERT_TRUE(path) << path.error().text();
  ASSERT_EQ(path->size(), 3u);
  EXPECT_EQ(path->at(0).step, step(0, bytes));
  EXPECT_EQ(path->at(0).parent, std::nullopt);
  EXPECT_EQ(path->at(1).step, step(1, ""));
  EXPECT_EQ(path->at(2).step, step(2, std::string(100'000, 'x')));
  EXPECT_EQ(path->at(2).parent, path->at(1).id);
  EXPECT_EQ(path->at(2).thread, "täst '\"");
  EXPECT_EQ(store().head("täst '\"").value()->checkpoint, *second);
}

TEST_P(CheckpointerContract, AThreadIsLeasedToOneAtATime) {
  auto first = store().lease("t");
  ASSERT_TRUE(first) << first.error().text();
  const auto second = store().lease("t");
  EXPECT_EQ(code_of(second), ErrorCode::kConflict);
  EXPECT_THAT(second.error().message, testing::HasSubstr("thread 't' is busy with another turn"));
  EXPECT_TRUE(store().lease("u"));
  // Who holds it reads and writes as ever.
  EXPECT_EQ(grow("t", 2).size(), 2u);
  first->reset();
  EXPECT_TRUE(store().lease("t"));
  EXPECT_TRUE(store().lease("t"));
}

TEST_P(CheckpointerContract, AStepOnAHeadThatMovedIsAConflictAndLeavesNothing) {
  const Ids ids = grow("t", 3);
  for (const std::optional<CheckpointId> parent :
       {std::optional(ids[1]), std::optional<CheckpointId>(),
        std::optional<CheckpointId>(ids[2] + 50)}) {
    const auto put = store().put("t", parent, std::vector{step(9), step(10)});
    EXPECT_EQ(code_of(put), ErrorCode::kConflict);
    EXPECT_THAT(put.error().message, testing::HasSubstr("thread 't'"));
  }
  EXPECT_EQ(code_of(store().put("unborn", ids[2], std::vector{step(9)})), ErrorCode::kConflict);
  EXPECT_EQ(code_of(store().put_pending("t", ids[1], {})), ErrorCode::kConflict);
  EXPECT_EQ(path("t"), ids);
  EXPECT_EQ(store().threads(10)->size(), 1u);
}

TEST_P(CheckpointerContract, OfManyWhoAppendAtOnceEachStepIsWonByOne) {
  constexpr int kWriters = 4;
  constexpr int kSteps = 25;
  grow("t", 1);
  std::latch start(kWriters);
  {
    std::vector<std::jthread> writers;
    for (int w = 0; w < kWriters; ++w) {
      writers.emplace_back([&] {
        start.arrive_and_wait();
        for (int i = 0; i < kSteps;) {
          const auto head = store().head("t");
          ASSERT_TRUE(head) << head.error().text();
          const auto put = store().put("t", (*head)->checkpoint, std::vector{step(1)});
          if (put) {
            ++i;
          } else {
            ASSERT_EQ(put.error().code, ErrorCode::kConflict) << put.error().text();
          }
        }
      });
    }
  }
  EXPECT_EQ(path("t").size(), 1u + kWriters * kSteps);
}

TEST_P(CheckpointerContract, APathCanBeginBehindWhatIsKnown) {
  const Ids ids = grow("t", 4);
  EXPECT_EQ(path("t", ids[1]), (Ids{ids[2], ids[3]}));
  EXPECT_EQ(path("t", ids[3] + 1), ids) << "not on the path: all of it";
  EXPECT_EQ(ids_of(store().path("t", ids[2])), (Ids{ids[0], ids[1], ids[2]}));
}

TEST_P(CheckpointerContract, PendingTasksAreKeptUntilTheStepAndReplacedByTask) {
  const Ids ids = grow("t", 1);
  const Pending finished{1, Pending::Kind::kFinished, {{1, "w"}}, {{"n", "a"}}, "", {}};
  Pending asked{0, Pending::Kind::kAsked, {}, {}, "?", {}};
  const Pending paused{Pending::kPausedTask, Pending::Kind::kPaused, {}, {}, "{}", {}};
  ASSERT_TRUE(store().put_pending("t", ids[0], finished));
  ASSERT_TRUE(store().put_pending("t", ids[0], asked));
  asked.question = "";
  asked.answers = {"yes"};
  ASSERT_TRUE(store().put_pending("t", ids[0], asked));
  ASSERT_TRUE(store().put_pending("t", ids[0], paused));
  reopen();
  EXPECT_THAT(store().head("t").value()->pending, testing::ElementsAre(paused, asked, finished));
  ASSERT_TRUE(store().put("t", ids[0], std::vector{step(1)}));
  EXPECT_THAT(store().head("t").value()->pending, testing::IsEmpty());
}

TEST_P(CheckpointerContract, HistoryIsNewestFirstInPages) {
  const Ids ids = grow("t", 5);
  EXPECT_EQ(history("t"), reversed(ids));
  EXPECT_EQ(ids_of(store().history("t", {}, 2)), (Ids{ids[4], ids[3]}));
  EXPECT_EQ(ids_of(store().history("t", ids[3], 2)), (Ids{ids[2], ids[1]}));
  EXPECT_EQ(ids_of(store().history("t", ids[0], 2)), Ids{});
  EXPECT_EQ(code_of(store().history("t", ids[4] + 1, 2)), ErrorCode::kNotFound);
  EXPECT_EQ(store().checkpoint("t", ids[2])->step, step(2, "t2"));
}

TEST_P(CheckpointerContract, AForkSharesThePastAndGoesItsOwnWay) {
  const Ids ids = grow("t", 3);
  ASSERT_TRUE(store().put_pending("t", ids[2], {.task = 0}));
  ASSERT_TRUE(store().fork("t", ids[1], "f", now()));
  EXPECT_EQ(code_of(store().fork("t", ids[1], "f", now())), ErrorCode::kConflict);
  EXPECT_EQ(path("f"), (Ids{ids[0], ids[1]}));
  EXPECT_EQ(code_of(store().fork("f", ids[2], "g", now())), ErrorCode::kNotFound)
      << "not of f's path";
  EXPECT_EQ(code_of(store().checkpoint("f", ids[2])), ErrorCode::kNotFound);
  const Ids more = grow("f", 1);
  EXPECT_EQ(path("f"), (Ids{ids[0], ids[1], more[0]}));
  EXPECT_EQ(path("t"), ids);
  ASSERT_TRUE(store().fork("t", ids[2], "g", now()));
  EXPECT_THAT(store().head("g").value()->pending, testing::IsEmpty());
  EXPECT_EQ(store().head("t").value()->pending.size(), 1u);
}

TEST_P(CheckpointerContract, ACopyStandsAtTheSameMomentWithWhatIsPending) {
  const Ids ids = grow("t", 2);
  const Pending pending{0, Pending::Kind::kAsked, {}, {}, "?", {}};
  ASSERT_TRUE(store().put_pending("t", ids[1], pending));
  ASSERT_TRUE(store().copy("t", "c", now()));
  EXPECT_EQ(code_of(store().copy("t", "c", now())), ErrorCode::kConflict);
  grow("t", 1);
  EXPECT_THAT(store().head("c").value()->pending, testing::ElementsAre(pending));
  EXPECT_EQ(path("c"), ids);
}

TEST_P(CheckpointerContract, AThreadGoesBackAndWhereItStoodIsKept) {
  const Ids ids = grow("t", 4);
  const Pending pending{0, Pending::Kind::kAsked, {}, {}, "?", {}};
  ASSERT_TRUE(store().put_pending("t", ids[3], pending));
  EXPECT_EQ(code_of(store().rewind("nobody", ids[1], "left", now())), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().rewind("t", ids[3] + 1, "left", now())), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().rewind("t", ids[1], "t", now())), ErrorCode::kConflict);
  EXPECT_EQ(path("t"), ids) << "nothing of what was refused is done";
  ASSERT_TRUE(store().rewind("t", ids[1], "left", now()));
  EXPECT_EQ(path("t"), (Ids{ids[0], ids[1]}));
  EXPECT_THAT(store().head("t").value()->pending, testing::IsEmpty());
  EXPECT_EQ(path("left"), ids);
  EXPECT_THAT(store().head("left").value()->pending, testing::ElementsAre(pending));
  const Ids more = grow("t", 1);
  reopen();
  EXPECT_EQ(path("t"), (Ids{ids[0], ids[1], more[0]}));
  // Whichever goes first, the other keeps what it reaches.
  ASSERT_TRUE(store().remove("left"));
  EXPECT_EQ(path("t"), (Ids{ids[0], ids[1], more[0]}));
  EXPECT_EQ(code_of(store().path("t", ids[3])), ErrorCode::kCorrupt) << "left's own are gone";
}

TEST_P(CheckpointerContract, RemovingAThreadKeepsWhatOthersReach) {
  const Ids ids = grow("t", 4);
  ASSERT_TRUE(store().fork("t", ids[1], "f", now()));
  const Ids own = grow("f", 2);
  ASSERT_TRUE(store().remove("t"));
  EXPECT_EQ(store().head("t").value(), std::nullopt);
  EXPECT_EQ(path("f"), (Ids{ids[0], ids[1], own[0], own[1]}));
  EXPECT_EQ(code_of(store().path("f", ids[3])), ErrorCode::kCorrupt) << "t's own are gone";
  // The name is free, and what was removed is never taken for what comes now.
  const Ids again = grow("t", 1);
  EXPECT_GT(again[0], ids[3]);
  ASSERT_TRUE(store().remove("f"));
  EXPECT_EQ(code_of(store().path("f", ids[0])), ErrorCode::kCorrupt);
  EXPECT_EQ(path("t"), again);
}

TEST_P(CheckpointerContract, ACopyOutlivesItsOriginalWhicheverGoesFirst) {
  const Ids ids = grow("t", 2);
  ASSERT_TRUE(store().copy("t", "c", now()));
  ASSERT_TRUE(store().copy("c", "d", now()));
  ASSERT_TRUE(store().remove("t"));
  ASSERT_TRUE(store().remove("d"));
  EXPECT_EQ(path("c"), ids);
  ASSERT_TRUE(store().remove("c"));
  EXPECT_EQ(code_of(store().path("c", ids[1])), ErrorCode::kCorrupt);
}

TEST_P(CheckpointerContract, FoldingPutsABaseInThePlaceOfThePast) {
  const Ids ids = grow("t", 6);
  Step base = step(2, "folded");
  base.source = StepSource::kBase;
  EXPECT_EQ(store().fold("t", ids[3], base).value(), 3u);
  reopen();
  const auto kept = store().path("t", ids[5]).value();
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(kept[0].step, base);
  EXPECT_EQ(kept[0].parent, std::nullopt);
  EXPECT_EQ(kept[1].parent, kept[0].id);
  EXPECT_EQ(kept[1].id, ids[3]);
  EXPECT_EQ(history("t").size(), 4u);
  EXPECT_EQ(code_of(store().checkpoint("t", ids[1])), ErrorCode::kNotFound);
  EXPECT_EQ(code_of(store().fold("t", ids[1], base)), ErrorCode::kNotFound);
  // Again, over a base; and the thread goes on.
  EXPECT_EQ(store().fold("t", ids[5], base).value(), 3u);
  const Ids more = grow("t", 1);
  EXPECT_EQ(path("t").size(), 3u);
  EXPECT_EQ(path("t").back(), more[0]);
  ASSERT_TRUE(store().remove("t"));
}

TEST_P(CheckpointerContract, APastThatAnotherThreadSharesIsNotFoldedAway) {
  const Ids ids = grow("t", 6);
  ASSERT_TRUE(store().fork("t", ids[3], "f", now()));
  Step base = step(2, "folded");
  base.source = StepSource::kBase;
  EXPECT_EQ(store().fold("t", ids[2], base).value(), 0u) << "f reaches it";
  EXPECT_EQ(path("t"), ids);
  EXPECT_EQ(store().fold("t", ids[5], base).value(), 1u) << "only what is t's own";
  EXPECT_EQ(path("f"), (Ids{ids[0], ids[1], ids[2], ids[3]}));
  EXPECT_EQ(path("t").size(), 2u);
  ASSERT_TRUE(store().remove("f"));
  EXPECT_EQ(code_of(store().path("f", ids[3])), ErrorCode::kCorrupt) << "nobody needs it any more";
  EXPECT_EQ(path("t").size(), 2u);
}

TEST_P(CheckpointerContract, ThreadsAreListedTheLastChangedFirst) {
  grow("a", 1);
  grow("b", 2);
  const Ids last = grow("a", 1);
  ASSERT_TRUE(store().fork("b", path("b")[0], "old", now()));
  const auto all = store().threads(10).value();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "a");
  EXPECT_EQ(all[0].head, last[0]);
  EXPECT_EQ(all[1].name, "b");
  EXPECT_EQ(all[1].step, 1);
  EXPECT_EQ(all[1].updated, step(1).at);
  EXPECT_EQ(all[1].created, step(0).at);
  EXPECT_EQ(all[2].name, "old");
  EXPECT_EQ(all[2].created, now());
  const auto page = store().threads(1, 1).value();
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0].name, "b");
  EXPECT_THAT(store().threads(5, 10).value(), testing::IsEmpty());
  const auto named = store().threads(10, 0, all.back().name).value();
  EXPECT_EQ(named, (std::vector{all.back()}));
  EXPECT_THAT(store().threads(10, 0, "none of them").value(), testing::IsEmpty());
}

}  // namespace precedent
