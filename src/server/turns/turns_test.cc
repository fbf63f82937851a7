#include "server/turns/turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace precedent {
namespace {

using namespace std::chrono_literals;

// All that there is to read now.
std::string read_now(HttpStream& stream) {
  std::string all, piece;
  while (stream.next(piece) == HttpStream::State::kPiece) {
    all += piece;
    piece.clear();
  }
  return all;
}

void wait_for(const std::shared_ptr<ChatTurn>& turn) {
  while (!turn->finished()) std::this_thread::sleep_for(1ms);
}

TEST(Turns, ATurnIsReadFromTheBeginningOrFromAnyOfItsEvents) {
  TurnPool pool({});
  Turns turns(pool);
  const auto turn = turns.start("t-1", [](ChatTurn& own) {
    own.say("status", R"({"text":"a"})");
    own.say("complete", "{}");
  });
  ASSERT_TRUE(turn);
  wait_for(*turn);
  const std::string first = "id: " + (*turn)->id + ".1\nevent: status\ndata: {\"text\":\"a\"}\n\n";
  const std::string second = "id: " + (*turn)->id + ".2\nevent: complete\ndata: {}\n\n";
  EXPECT_EQ(read_now(*(*turn)->read()), first + second);
  EXPECT_EQ(read_now(*(*turn)->read((*turn)->id + ".1")), second);
  EXPECT_EQ(read_now(*(*turn)->read((*turn)->id + ".2")), "");
  EXPECT_EQ(read_now(*(*turn)->read("turn-of-another.1")), first + second);
  EXPECT_EQ(read_now(*(*turn)->read((*turn)->id + ".999999999999999999999999")), first + second);
  EXPECT_EQ(turns.last_of("t-1"), *turn);
  EXPECT_EQ(turns.last_of("t-2"), nullptr);
}

TEST(Turns, AReaderIsWokenByEachEventAndByTheEnd) {
  TurnPool pool({});
  Turns turns(pool);
  std::promise<void> go;
  const auto turn = turns.start("t-1", [&](ChatTurn& own) {
    go.get_future().wait();
    own.say("status", "{}");
  });
  const auto stream = (*turn)->read();
  std::string piece;
  EXPECT_EQ(stream->next(piece), HttpStream::State::kWaiting);
  std::atomic<int> woken{0};
  stream->wake_with([&] { ++woken; });
  go.set_value();
  wait_for(*turn);
  while (woken < 2) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(stream->next(piece), HttpStream::State::kPiece);
  EXPECT_EQ(stream->next(piece), HttpStream::State::kDone);
}

TEST(Turns, OneTurnAtATimeInAChat) {
  TurnPool pool({});
  Turns turns(pool);
  std::promise<void> go;
  const auto first = turns.start("t-1", [&](ChatTurn&) { go.get_future().wait(); });
  const auto second = turns.start("t-1", [](ChatTurn&) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_NE(second.error().message.find((*first)->id), std::string::npos);
  go.set_value();
  wait_for(*first);
  EXPECT_TRUE(turns.start("t-1", [](ChatTurn&) {}));
}

TEST(Turns, WhoHasSeenTheLastEventMayAskTheNextQuestion) {
  TurnPool pool({});
  Turns turns(pool);
  std::promise<void> go;
  auto wait = go.get_future().share();
  const auto first = turns.start("t-1", [wait](ChatTurn& own) {
    own.say_last("complete", "{}");
    wait.wait();  // what the worker has yet to put away
  });
  wait_for(*first);
  EXPECT_TRUE(turns.start("t-1", [](ChatTurn&) {}));
  go.set_value();
}

TEST(Turns, TooManyThatWaitAreRefused) {
  TurnPool pool({.workers = 1, .queue = 1});
  Turns turns(pool);
  std::promise<void> go;
  auto wait = go.get_future().share();
  ASSERT_TRUE(turns.start("t-1", [wait](ChatTurn&) { wait.wait(); }));
  while (pool.running() == 0) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(turns.start("t-2", [](ChatTurn&) {}));
  const auto third = turns.start("t-3", [](ChatTurn&) {});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(pool.waiting(), 1U);
  go.set_value();
}

TEST(Turns, ThreadsAreStartedForTurnsThatWaitAndForNoOthers) {
  TurnPool pool({.workers = 3});
  Turns turns(pool);
  EXPECT_EQ(pool.threads(), 0U);
  std::promise<void> go;
  auto wait = go.get_future().share();
  for (const auto* chat : {"t-1", "t-2", "t-3", "t-4"})
    ASSERT_TRUE(turns.start(chat, [wait](ChatTurn&) { wait.wait(); }));
  while (pool.running() < 3) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(pool.threads(), 3U);
  EXPECT_EQ(pool.waiting(), 1U);
  go.set_value();
}

TEST(Turns, WhatWorkersCanTakeDoesNotCountAsWaiting) {
  TurnPool pool({.workers = 8, .queue = 0});
  Turns turns(pool);
  std::promise<void> go;
  auto wait = go.get_future().share();
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(turns.start(fmt::format("t-{}", i), [wait](ChatTurn&) { wait.wait(); }));
  EXPECT_FALSE(turns.start("t-8", [](ChatTurn&) {}));
  go.set_value();
}

TEST(Turns, IdleThreadsEndAndTheNextTurnHasANewOne) {
  TurnPool pool({.workers = 1, .idle_time = 1ms});
  Turns turns(pool);
  for (int i = 0; i < 20; ++i) {
    wait_for(*turns.start("t-1", [](ChatTurn&) {}));
    while (pool.threads() > 0) std::this_thread::sleep_for(1ms);
  }
}

TEST(Turns, OldTurnsAreForgotten) {
  TurnPool pool({.workers = 1});
  Turns turns(pool, 2);
  for (const auto* chat : {"t-1", "t-2", "t-3"}) wait_for(*turns.start(chat, [](ChatTurn&) {}));
  while (pool.running() > 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(turns.last_of("t-1"), nullptr);
  EXPECT_NE(turns.last_of("t-3"), nullptr);
}

TEST(Turns, ATurnWithinAnotherIsCancelledWithIt) {
  TurnPool pool({});
  Turns turns(pool);
  Result<void> twice;
  const auto outer = turns.start("outer", [&](ChatTurn& own) {
    const auto ran = turns.run_within(own, "t-1", [&](ChatTurn& inner) {
      twice = turns.run_within(own, "t-1", [](ChatTurn&) {});
      while (!inner.cancel.cancelled()) std::this_thread::sleep_for(1ms);
    });
    EXPECT_TRUE(ran);
  });
  std::shared_ptr<ChatTurn> inner;
  while (inner == nullptr) inner = turns.last_of("t-1");
  EXPECT_FALSE(turns.idle());
  inner->cancel.cancel();
  wait_for(*outer);
  EXPECT_TRUE(inner->finished());
  EXPECT_TRUE((*outer)->cancel.cancelled());
  EXPECT_EQ(twice.error().code, ErrorCode::kConflict);
}

TEST(Turns, DrainingLetsATurnEndAndThenCancelsIt) {
  TurnPool pool({});
  Turns turns(pool);
  const auto patient = turns.start("t-1", [](ChatTurn& own) {
    while (!own.cancel.cancelled()) std::this_thread::sleep_for(1ms);
    own.say("error", "{}");
  });
  pool.drain(20ms);
  EXPECT_TRUE((*patient)->finished());
  EXPECT_EQ(turns.start("t-2", [](ChatTurn&) {}).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace precedent
