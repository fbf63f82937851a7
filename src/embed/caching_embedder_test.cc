#include "embed/caching_embedder.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "embed/embedder_contract.h"
#include "embed/fake_embedder.h"

namespace precedent {
namespace {

// Counts the texts that reach it.
class CountingEmbedder final : public Embedder {
 public:
  std::string_view model_id() const override { return model_id_; }
  size_t dimensions() const override { return fake_.dimensions(); }
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override {
    seen_ += texts.size();
    if (broken_) return fail(ErrorCode::kUnavailable, "broken");
    return fake_.embed(texts);
  }

  std::string model_id_ = "counting";
  bool broken_ = false;
  mutable size_t seen_ = 0;

 private:
  FakeEmbedder fake_{16};
};

TEST(FakeEmbedder, FulfilsTheContract) { expect_embedder_contract(FakeEmbedder(), 1e-5f); }

TEST(FakeEmbedder, SharedWordsMakeTextsClose) {
  const Embeddings v =
      embed_or_fail(FakeEmbedder(), {"payment gateway timeout", "gateway timeout", "cat pictures"});
  EXPECT_GT(dot(v.row(0), v.row(1)), dot(v.row(0), v.row(2)) + 0.3f);
}

TEST(CachingEmbedder, FulfilsTheContract) {
  const FakeEmbedder behind;
  MemoryVectorCache cache;
  expect_embedder_contract(CachingEmbedder(behind, cache), 1e-5f);
}

TEST(CachingEmbedder, AsksOnlyForWhatIsNew) {
  CountingEmbedder behind;
  MemoryVectorCache cache;
  const CachingEmbedder embedder(behind, cache);
  const Embeddings first = embed_or_fail(embedder, {"a", "b", "a", "a"});
  EXPECT_EQ(behind.seen_, 2u);
  EXPECT_EQ(cache.size(), 2u);
  const Embeddings second = embed_or_fail(embedder, {"c", "b", "a"});
  EXPECT_EQ(behind.seen_, 3u);
  EXPECT_TRUE(std::ranges::equal(second.row(1), first.row(1)));
  EXPECT_TRUE(std::ranges::equal(second.row(2), first.row(0)));
}

TEST(CachingEmbedder, ModelsDoNotShareVectors) {
  CountingEmbedder behind;
  MemoryVectorCache cache;
  embed_or_fail(CachingEmbedder(behind, cache), {"a"});
  behind.model_id_ = "another";
  embed_or_fail(CachingEmbedder(behind, cache), {"a"});
  EXPECT_EQ(behind.seen_, 2u);
}

TEST(CachingEmbedder, AVectorOfAnotherWidthCountsAsMissing) {
  CountingEmbedder behind;
  MemoryVectorCache cache;
  const CachingEmbedder embedder(behind, cache);
  const Embeddings right = embed_or_fail(embedder, {"a"});
  const std::string hash[] = {content_hash("a")};
  EXPECT_FALSE(cache.put("counting", hash, Embeddings{.dimensions = 3, .values = {}}));
  ASSERT_TRUE(cache.put("counting", hash, Embeddings{.dimensions = 3, .values = {1, 0, 0}}));
  EXPECT_EQ(embed_or_fail(embedder, {"a"}).values, right.values);
}

TEST(CachingEmbedder, PassesErrorsOnAndKeepsNothing) {
  CountingEmbedder behind;
  behind.broken_ = true;
  MemoryVectorCache cache;
  const std::string_view texts[] = {"a"};
  const auto result = CachingEmbedder(behind, cache).embed(texts);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(cache.size(), 0u);
}

}  // namespace
}  // namespace precedent
