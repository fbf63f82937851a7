// The contract suite over the implementations, and the embedded index against the oracle.
#include <gtest/gtest.h>

#include "files/temporary_folder.h"
#include "index/embedded_index.h"
#include "index/index_contract.h"
#include "index/memory_index.h"

namespace precedent {
namespace {

class MemoryHarness final : public IndexHarness {
 public:
  KnowledgeIndex& index() override { return index_; }

 private:
  MemoryIndex index_;
};

class EmbeddedHarness final : public IndexHarness {
 public:
  EmbeddedHarness() { reopen(); }
  KnowledgeIndex& index() override { return *index_; }
  void reopen() override {
    auto opened = EmbeddedIndex::open(folder_.path() / "index");
    EXPECT_TRUE(opened) << opened.error().text();
    index_ = *std::move(opened);
  }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<EmbeddedIndex> index_;
};

INSTANTIATE_TEST_SUITE_P(Memory, KnowledgeIndexContract, testing::Values(IndexMaker([] {
                           return std::make_unique<MemoryHarness>();
                         })));
INSTANTIATE_TEST_SUITE_P(Embedded, KnowledgeIndexContract, testing::Values(IndexMaker([] {
                           return std::make_unique<EmbeddedHarness>();
                         })));

}  // namespace
}  // namespace precedent
