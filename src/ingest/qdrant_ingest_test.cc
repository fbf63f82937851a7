// Ingest into a Qdrant that dies at any request: the next ingest makes index and store agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "index/qdrant_fake.h"
#include "index/qdrant_index.h"
#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

class QdrantIngestTest : public testing::Test {
 protected:
  QdrantIngestTest() {
    lab_.other = &catalog_;
    lab_.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  }
  static QdrantConfig config() {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    return config;
  }

  IngestLab lab_;
  const LetterEmbedder letters_;
  std::shared_ptr<QdrantFake> fake_ = std::make_shared<QdrantFake>();
  QdrantIndexCatalog catalog_{std::make_shared<QdrantApi>(fake_, config())};
};

TEST_F(QdrantIngestTest, WhatIsIngestedIsFound) {
  ASSERT_TRUE(lab_.run({}, &letters_));
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
  lab_.documents = {note("a", "another"), note("c", "four")};
  IngestOptions pruning;
  pruning.prune = true;
  ASSERT_TRUE(lab_.run(pruning, &letters_));
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
}

TEST_F(QdrantIngestTest, ARebuildLeavesOneCollection) {
  ASSERT_TRUE(lab_.run({}, &letters_));
  const LetterEmbedder other("letters-2");
  ASSERT_TRUE(lab_.run({}, &other));
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
  const CancelToken cancel;
  const auto listed = fake_->send({.url = "http://localhost:6333/collections"}, {cancel});
  EXPECT_EQ(listed->body.find("kb-"), listed->body.rfind("kb-")) << listed->body;
}

TEST_F(QdrantIngestTest, AServerThatDiesAnywhereIsCaughtUpWith) {
  ASSERT_TRUE(lab_.run({}, &letters_));
  size_t died = 0;
  for (size_t step = 1;; ++step) {
    SCOPED_TRACE(fmt::format("request {}", step));
    lab_.documents = {note("a", fmt::format("text {}", step)), note("b", "three")};
    const size_t start = fake_->requests();
    fake_->before = [&](size_t n, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
      if (n < start + step) return std::nullopt;
      return fail(ErrorCode::kUnavailable, "the connection broke");
    };
    const auto ingested = lab_.run({}, &letters_);
    const bool finished = fake_->requests() < start + step;
    fake_->before = nullptr;
    if (!ingested) {
      ++died;
      EXPECT_EQ(ingested.error().code, ErrorCode::kUnavailable);
    }
    ASSERT_TRUE(lab_.run({}, &letters_));
    EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
    if (finished) break;
  }
  EXPECT_GT(died, 5u);
}

}  // namespace
}  // namespace precedent
