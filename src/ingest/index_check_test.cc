// An index compared with its store, mended, and taken to another place, from embedded to Qdrant and
// back: interrupted at any request it goes on where it stopped.
#include "ingest/publish/index_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/qdrant_fake.h"
#include "index/qdrant_index.h"
#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class IndexCheckTest : public testing::Test {
 protected:
  IndexCheckTest() {
    for (int i = 0; i < 12; ++i)
      lab_.documents.push_back(note(fmt::format("d{:02}", i), fmt::format("text {}\n\nmore", i)));
    EXPECT_TRUE(lab_.run({}, &letters_));
  }
  static QdrantConfig config() {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    config.exact = true;
    config.grace = std::chrono::milliseconds(0);
    return config;
  }
  KnowledgeStore store() {
    return *KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadWrite);
  }
  Result<std::shared_ptr<KnowledgeIndex>> migrate(IndexCatalog& target) {
    KnowledgeStore opened = store();
    IngestOptions options;
    // As many updates as possible.
    options.batch_bytes = options.publish_bytes = 1;
    options.threads = 1;
    return fill_index(options, {opened, embedded_, &letters_, words, paragraphs, {}}, target,
                      nullptr, cancel_);
  }
  IndexCheck checked(const KnowledgeIndex& index) {
    const KnowledgeStore opened = store();
    auto check = check_index(opened, **opened.active_build(), index);
    EXPECT_TRUE(check) << check.error().text();
    return check ? *check : IndexCheck();
  }
  std::string collection() { return (*store().active_build())->collection; }

  IngestLab lab_;
  const LetterEmbedder letters_;
  const CancelToken cancel_;
  EmbeddedIndexCatalog embedded_{lab_.folder};
  std::shared_ptr<QdrantFake> fake_ = std::make_shared<QdrantFake>();
  QdrantIndexCatalog qdrant_{std::make_shared<QdrantApi>(fake_, config())};
};

TEST_F(IndexCheckTest, AnIndexThatHoldsWhatTheStoreSaysIsGood) {
  const auto index = *embedded_.open(collection());
  const IndexCheck check = checked(*index);
  EXPECT_TRUE(check.good());
  EXPECT_EQ(check.sampled, 12U);
}

TEST_F(IndexCheckTest, WhatDiffersIsNamed) {
  const auto index = *embedded_.open(collection());
  const uint64_t version = index->info().version;
  auto chunk = index->chunks_of("d05")->front();
  chunk.second.text = "something else";
  const auto document = index->list({.ids = {"d05"}}, KnowledgeIndex::Order::kTitle, 1)->front();
  ASSERT_TRUE(index->apply(
      {{"d03", "d05"},
       {{chunk.first, {{1}, {1}}, {}, chunk.second}, {chunk.first - 1, {{1}, {1}}, {}, document}}},
      version));
  const IndexCheck check = checked(*index);
  EXPECT_FALSE(check.good());
  EXPECT_THAT(check.differences,
              ElementsAre("of runbook the store has 12, the index 11",
                          "of chunks the store has 24, the index 21", "d03 is not in the index",
                          "d05 has other chunks in the index"));
}

TEST_F(IndexCheckTest, AnIndexThatLagsBehindIsNotDamaged) {
  const auto index = *embedded_.open(collection());
  StoreUpdate update;
  update.remove = {"d01"};
  ASSERT_TRUE(store().apply(update));
  const IndexCheck check = checked(*index);
  EXPECT_TRUE(check.lags());
  EXPECT_FALSE(check.good());
  EXPECT_THAT(check.differences, IsEmpty());
}

TEST_F(IndexCheckTest, ARepairBuildsADamagedIndexAnew) {
  const std::string before = collection();
  const auto index = *embedded_.open(before);
  ASSERT_TRUE(index->apply({{"d03"}, {}}, index->info().version));
  KnowledgeStore opened = store();
  const IngestParts parts{opened, embedded_, &letters_, words, paragraphs, {}};
  EXPECT_EQ(*repair_index({}, parts, false, nullptr, cancel_), "");
  EXPECT_THAT(*repair_index({}, parts, true, nullptr, cancel_), HasSubstr("rebuilt"));
  EXPECT_NE(collection(), before);
  EXPECT_TRUE(checked(**embedded_.open(collection())).good());
}

TEST_F(IndexCheckTest, AMigratedIndexAnswersAsBefore) {
  const auto made = migrate(qdrant_);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(checked(**made).good());
  lab_.other = &qdrant_;
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
  const KnowledgeStore opened = store();
  const auto other = *embedded_.open(collection());
  const auto queries = compare_queries(opened, **made, other.get(), words, 12);
  ASSERT_TRUE(queries) << queries.error().text();
  EXPECT_EQ(queries->asked, 24U);
  EXPECT_THAT(queries->differences, IsEmpty());
}

TEST_F(IndexCheckTest, QueriesThatFindSomethingElseAreNamed) {
  const auto made = *migrate(qdrant_);
  const auto other = *embedded_.open(collection());
  ASSERT_TRUE(other->apply({{"d00", "d01", "d02", "d03", "d04", "d05"}, {}}, 99));
  const KnowledgeStore opened = store();
  const auto queries = *compare_queries(opened, *made, other.get(), words, 12);
  EXPECT_GT(queries.differences.size(), 6U);
}

TEST_F(IndexCheckTest, BackFromQdrantWhatChangedMeanwhileComesAlong) {
  ASSERT_TRUE(migrate(qdrant_));
  lab_.other = &qdrant_;
  lab_.documents[0] = note("d00", "another text");
  lab_.documents.pop_back();
  IngestOptions pruning;
  pruning.prune = true;
  ASSERT_TRUE(lab_.run(pruning, &letters_));
  const auto back = migrate(embedded_);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(checked(**back).good());
  lab_.other = nullptr;
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
}

TEST_F(IndexCheckTest, AMigrationThatIsCutOffAnywhereGoesOn) {
  std::vector<size_t> writes;  // of points, in each second run
  size_t written = 0;
  for (size_t step = 1;; ++step) {
    SCOPED_TRACE(fmt::format("request {}", step));
    ASSERT_TRUE(qdrant_.drop(collection()));
    const size_t last = fake_->requests() + step;
    fake_->before = [last](size_t n, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
      if (n < last) return std::nullopt;
      return fail(ErrorCode::kUnavailable, "the connection broke");
    };
    const auto first = migrate(qdrant_);
    written = 0;
    fake_->before = [&](size_t, const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
      written += request.method == "PUT" && request.url.contains("/points") ? 1U : 0U;
      return std::nullopt;
    };
    const auto second = migrate(qdrant_);
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_TRUE(checked(**second).good());
    fake_->before = nullptr;
    if (first) break;
    writes.push_back(written);
  }
  ASSERT_GT(writes.size(), 20U);
  // What was there is not written again.
  EXPECT_GT(writes.front(), 12U);
  EXPECT_LT(writes.back(), 6U);
}

TEST_F(IndexCheckTest, AHalfMigrationForgetsWhatTheStoreForgot) {
  size_t writes = 0;
  fake_->before = [&](size_t, const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
    if (request.method != "PUT" || !request.url.contains("/points") || ++writes < 20)
      return std::nullopt;
    return fail(ErrorCode::kUnavailable, "the connection broke");
  };
  ASSERT_FALSE(migrate(qdrant_));
  fake_->before = nullptr;
  lab_.documents[1] = note("d01", "another text");
  lab_.documents.erase(lab_.documents.begin());
  IngestOptions pruning;
  pruning.prune = true;
  ASSERT_TRUE(lab_.run(pruning, &letters_));
  const auto made = migrate(qdrant_);
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_TRUE(checked(**made).good());
  lab_.other = &qdrant_;
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
}

TEST_F(IndexCheckTest, NothingIngestedIsNothingToMigrate) {
  IngestLab empty;
  auto opened = *KnowledgeStore::open(store_file(empty.folder), KnowledgeStore::Access::kReadWrite);
  const auto made = fill_index({}, {opened, embedded_, &letters_, words, paragraphs, {}}, qdrant_,
                               nullptr, cancel_);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(made.error().text(), HasSubstr("precedent ingest"));
}

}  // namespace
}  // namespace precedent
