#include "graph/memory_checkpointer.h"

#include "graph/checkpointer_contract.h"
#include "graph/prefixed_checkpointer.h"

namespace precedent {
namespace {

struct MemoryHarness final : CheckpointerHarness {
  Checkpointer& store() override { return memory; }
  MemoryCheckpointer memory;
};

INSTANTIATE_TEST_SUITE_P(Memory, CheckpointerContract, testing::Values(CheckpointerMaker([] {
                           return std::make_unique<MemoryHarness>();
                         })));

// Beside the threads of somebody else, under the same names.
struct PrefixedHarness final : CheckpointerHarness {
  Checkpointer& store() override { return mine; }
  MemoryCheckpointer memory;
  PrefixedCheckpointer mine{memory, "ann:"};
};

INSTANTIATE_TEST_SUITE_P(Prefixed, CheckpointerContract, testing::Values(CheckpointerMaker([] {
                           return std::make_unique<PrefixedHarness>();
                         })));

TEST(PrefixedCheckpointer, ThreadsOfOthersAreNotThere) {
  MemoryCheckpointer memory;
  PrefixedCheckpointer ann(memory, "ann:"), bob(memory, "bob:");
  const std::vector<Step> first(1);
  const CheckpointId kept = ann.put("t", std::nullopt, first).value();
  EXPECT_EQ(bob.head("t").value(), std::nullopt);
  EXPECT_THAT(bob.threads(10, 0, {}).value(), testing::IsEmpty());
  EXPECT_EQ(bob.history("t", {}, 10).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(bob.fork("t", kept, "mine", {}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(bob.remove("t").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(bob.put("t", std::nullopt, first));
  EXPECT_EQ(ann.head("t").value()->checkpoint, kept);
  EXPECT_EQ(ann.threads(10, 0, {}).value().front().name, "t");
  EXPECT_EQ(memory.threads(10, 0, {}).value().size(), 2U);
}

}  // namespace
}  // namespace precedent
