#include "graph/memory_checkpointer.h"

#include "graph/checkpointer_contract.h"

namespace precedent {
namespace {

struct MemoryHarness final : CheckpointerHarness {
  Checkpointer& store() override { return memory; }
  MemoryCheckpointer memory;
};

INSTANTIATE_TEST_SUITE_P(Memory, CheckpointerContract, testing::Values(CheckpointerMaker([] {
                           return std::make_unique<MemoryHarness>();
                         })));

}  // namespace
}  // namespace precedent
