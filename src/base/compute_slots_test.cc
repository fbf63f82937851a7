#include "base/compute_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace precedent {
namespace {

TEST(ComputeSlots, AsManyComputeAtOnceAsThereAreSlots) {
  ComputeSlots slots(2);
  std::atomic<int> computing = 0, most = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round) {
          const ComputeSlot slot(slots);
          const int now = ++computing;
          for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
          }
          std::this_thread::yield();
          --computing;
        }
      });
    }
  }
  EXPECT_LE(most, 2);
  EXPECT_EQ(slots.free(), 2U);
}

TEST(ComputeSlots, WhoWaitsGivesTheSlotToOthersAndHasItBack) {
  ComputeSlots slots(1);
  const ComputeSlot own(slots);
  {
    const WithoutComputeSlot waiting;
    const WithoutComputeSlot again;                         // there is nothing left to give
    std::jthread([&] { const ComputeSlot other(slots); });  // ends, or this test hangs
    EXPECT_EQ(slots.free(), 1U);
  }
  EXPECT_EQ(slots.free(), 0U);
}

TEST(ComputeSlots, WithoutASlotThereIsNothingToGiveBack) {
  ComputeSlots slots(1);
  {
    const WithoutComputeSlot waiting;
  }
  EXPECT_EQ(slots.free(), 1U);
}

}  // namespace
}  // namespace precedent
