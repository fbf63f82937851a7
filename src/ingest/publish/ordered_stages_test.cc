#include "ingest/publish/ordered_stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <random>
#include <stdexcept>

namespace precedent {
namespace {

using Stages = OrderedStages<int>;

Result<void> fine(int&) { return {}; }

Stages::Produce numbers(int n) {
  return [n](const Stages::Emit& emit) -> Result<void> {
    for (int i = 0; i < n; ++i) TRY(emit(int(i)));
    return {};
  };
}

// In a process of its own, whose user may start no thread. The limit does not hold for root.
int without_threads(const std::function<int()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    const rlimit none{0, 0};
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(100);
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) ::_exit(101);
    ::_exit(run());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(OrderedStages, WithoutAThreadThereIsAnErrorAndNoAbort) {
  EXPECT_EQ(without_threads([] {
              const auto done = Stages::run(numbers(3), fine, fine, 2, 4);
              return !done && done.error().code == ErrorCode::kResourceExhausted ? 0 : 1;
            }),
            0);
}

TEST(Helpers, ThatCannotStartLeaveTheWorkToTheCaller) {
  EXPECT_EQ(without_threads([] { return static_cast<int>(start_helpers(3, [] {}).size()); }), 0);
}

TEST(OrderedStages, ItemsComeOutInTheOrderTheyWentIn) {
  for (const size_t threads : {1, 2, 5}) {
    for (const size_t capacity : {1, 3, 100}) {
      std::vector<int> seen;
      std::atomic<unsigned> work = 1;
      const auto slow = [&](int& item) -> Result<void> {
        std::mt19937 random(static_cast<unsigned>(item));
        for (unsigned i = random() % 2000; i > 0; --i) ++work;
        item *= 2;
        return {};
      };
      const auto keep = [&](int& item) -> Result<void> {
        seen.push_back(item);
        return {};
      };
      ASSERT_TRUE(Stages::run(numbers(200), slow, keep, threads, capacity));
      ASSERT_EQ(seen.size(), 200u);
      for (int i = 0; i < 200; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], 2 * i);
    }
  }
}

TEST(OrderedStages, NothingToDoIsDone) { EXPECT_TRUE(Stages::run(numbers(0), fine, fine, 2, 2)); }

TEST(OrderedStages, NoMoreThanItsCapacityIsUnderWay) {
  std::atomic<int> produced = 0;
  int consumed = 0, most = 0;
  const auto produce = [&](const Stages::Emit& emit) -> Result<void> {
    for (int i = 0; i < 100; ++i) {
      TRY(emit(int(i)));
      ++produced;
    }
    return {};
  };
  const auto consume = [&](int&) -> Result<void> {
    most = std::max(most, produced.load() - consumed);
    ++consumed;
    return {};
  };
  ASSERT_TRUE(Stages::run(produce, fine, consume, 2, 4));
  EXPECT_LE(most, 5) << "four waiting and the one in hand";
}

TEST(OrderedStages, TheErrorOfAnyStageStopsAllAndIsReturned) {
  const auto broken = [](int& item) -> Result<void> {
    if (item == 7) return fail(ErrorCode::kUnavailable, "seven");
    return {};
  };
  const auto thrown = [](int& item) -> Result<void> {
    if (item == 7) throw std::runtime_error("seven");
    return {};
  };
  const auto produce = [](const Stages::Emit& emit) -> Result<void> {
    TRY(emit(1));
    return fail(ErrorCode::kUnavailable, "seven");
  };
  // The producer goes on for ever unless it is stopped.
  const auto endless = [](const Stages::Emit& emit) -> Result<void> {
    for (int i = 0;; ++i) TRY(emit(int(i)));
  };
  for (const auto& result :
       {Stages::run(endless, broken, fine, 2, 3), Stages::run(endless, fine, broken, 2, 3),
        Stages::run(produce, fine, fine, 2, 3)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "seven");
  }
  const auto result = Stages::run(endless, thrown, fine, 2, 3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInternal);
  EXPECT_THAT(result.error().message, ::testing::HasSubstr("seven"));
}

}  // namespace
}  // namespace precedent
