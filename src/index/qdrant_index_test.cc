// What a crash, a reader in between and a dead server do to an index in Qdrant; and its answers
// against the plain oracle. The contract suite runs over it in knowledge_index_test.cc.
#include "index/qdrant_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "index/index_corpus.h"
#include "index/memory_index.h"
#include "index/qdrant_fake.h"
#include "index/random_corpus.h"
#include "net/curl_http_client.h"

namespace precedent {
namespace {

using testing::HasSubstr;

constexpr const char* kName = "kb-1f2e3d4c-3";

class QdrantIndexTest : public testing::Test {
 protected:
  std::unique_ptr<QdrantIndex> open() {
    auto opened = QdrantIndex::open(api_, kName);
    EXPECT_TRUE(opened) << opened.error().text();
    return opened ? *std::move(opened) : nullptr;
  }
  static QdrantConfig config() {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.exact = true;
    config.attempts = 1;
    // Several pages and batches, however little there is.
    config.page_points = 3;
    config.batch_bytes = 500;
    return config;
  }
  // Ids of the chunks with term 1.
  static std::vector<uint64_t> find(const KnowledgeIndex& index) {
    std::vector<uint64_t> ids;
    const auto hits = index.search_sparse({{1}, {1}}, {}, Level::kChunk, 100);
    EXPECT_TRUE(hits) << hits.error().text();
    if (!hits) return ids;
    for (const PointScore& hit : *hits) ids.push_back(hit.id);
    std::ranges::sort(ids);
    return ids;
  }

  std::shared_ptr<QdrantFake> fake_ = std::make_shared<QdrantFake>();
  std::shared_ptr<QdrantApi> api_ = std::make_shared<QdrantApi>(fake_, config());
  std::unique_ptr<QdrantIndex> index_ = *QdrantIndex::create(api_, kName, 8);
};

using testing::ElementsAre;

IndexUpdate first_update() {
  return {{}, {chunk(1, "a", {{1, 1}}), chunk(2, "b", {{1, 1}}), document(3, "b", {{1, 1}})}, "m"};
}
IndexUpdate second_update() {
  return {{"a"}, {chunk(2, "b", {{1, 2}, {5, 1}}), chunk(4, "c", {{1, 1}})}, "m"};
}

// Every request of an update fails once, in turn, as if the process had died there.
TEST_F(QdrantIndexTest, AnUpdateThatDiesAnywhereIsSeenWholeOrNotAtAll) {
  size_t died = 0;
  for (size_t step = 1;; ++step) {
    SCOPED_TRACE(fmt::format("request {}", step));
    index_ = *QdrantIndex::create(api_, kName, 8);
    ASSERT_TRUE(index_->apply(first_update(), 1));
    const size_t start = fake_->requests();
    fake_->before = [&](size_t n, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
      if (n < start + step) return std::nullopt;
      return fail(ErrorCode::kUnavailable, "the connection broke");
    };
    const auto applied = index_->apply(second_update(), 2);
    const bool finished = fake_->requests() < start + step;
    fake_->before = nullptr;
    const auto reader = open();
    if (reader->info().version == 1) {
      EXPECT_FALSE(applied);
      EXPECT_THAT(find(*reader), ElementsAre(1, 2));
      EXPECT_EQ(reader->info().chunks, 2u);
    } else {
      EXPECT_EQ(reader->info().version, 2u);
      EXPECT_THAT(find(*reader), ElementsAre(2, 4));
      EXPECT_EQ(reader->info().chunks, 2u);
    }
    if (!applied) ++died;
    // Whoever comes next repairs it, with another update than the one that died.
    const auto next = open();
    ASSERT_TRUE(next->apply({{"b"}, {chunk(9, "d", {{1, 1}})}, "m"}, 3));
    EXPECT_EQ(next->info().version, 3u);
    const bool second = reader->info().version == 2;
    EXPECT_THAT(find(*next), second ? ElementsAre(4, 9) : ElementsAre(1, 9));
    EXPECT_THAT(find(*open()), second ? ElementsAre(4, 9) : ElementsAre(1, 9));
    if (finished) break;
  }
  EXPECT_GT(died, 5u);
}

TEST_F(QdrantIndexTest, AQuestionIsOneRequestForItsThreeListsAndOneForTheHead) {
  IndexUpdate update{{}, {}, "m"};
  for (uint64_t id = 1; id <= 40; ++id) {
    update.add.push_back(chunk(id, "d", {{1, 1}}, 0, std::vector<float>(8, 1)));
    update.add.push_back(document(100 + id, "d", {{1, static_cast<float>(id)}}));
  }
  ASSERT_TRUE(index_->apply(update, 1));
  std::vector<std::string> asked;
  std::vector<size_t> lists;
  fake_->before = [&](size_t, const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
    asked.push_back(request.url.substr(request.url.rfind("/points") + 1));
    if (request.url.ends_with("/query/batch"))
      lists.push_back(nlohmann::json::parse(request.body).at("searches").size());
    return std::nullopt;
  };
  const auto found = index_->search_all({{1}, {1}}, std::vector<float>(8, 1), {}, 100);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->chunks.size(), 40u);
  EXPECT_THAT(asked, ElementsAre("points/query/batch", HasSubstr("points/")));
  EXPECT_THAT(lists, ElementsAre(5)) << "prose and code, at two levels, and vectors";

  // All chunks tie: which of them a server gives is arbitrary, so the tied lists alone are asked
  // for once more, whole.
  asked.clear();
  lists.clear();
  const auto few = index_->search_all({{1}, {1}}, std::vector<float>(8, 1), {}, 2);
  EXPECT_EQ(few->chunks[0].id, 1u);
  EXPECT_EQ(few->dense[1].id, 2u);
  EXPECT_EQ(few->documents[0].id, 140u);
  EXPECT_THAT(lists, ElementsAre(5, 3));
}

// A reader asks between any two requests of a writer.
TEST_F(QdrantIndexTest, AReaderSeesOneVersionAtEveryStepOfAnUpdate) {
  ASSERT_TRUE(index_->apply(first_update(), 1));
  const auto old = open();
  size_t asked = 0;
  bool asking = false;
  fake_->before = [&](size_t, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
    if (std::exchange(asking, true)) return std::nullopt;
    EXPECT_THAT(find(*old), ElementsAre(1, 2));
    const auto fresh = open();
    EXPECT_THAT(find(*fresh), fresh->info().version == 1 ? ElementsAre(1, 2) : ElementsAre(2, 4));
    ++asked;
    asking = false;
    return std::nullopt;
  };
  ASSERT_TRUE(index_->apply(second_update(), 2));
  fake_->before = nullptr;
  EXPECT_GT(asked, 5u);
  EXPECT_THAT(find(*index_), ElementsAre(2, 4));
  // Two versions later its points are deleted: it takes the newest, rather than half of its own.
  EXPECT_THAT(find(*old), ElementsAre(1, 2));
  ASSERT_TRUE(index_->apply({{"c"}, {}, "m"}, 3));
  EXPECT_THAT(find(*old), ElementsAre(2));
  EXPECT_EQ(old->info().version, 3u);
}

TEST_F(QdrantIndexTest, RemovedPointsAreDeletedAfterTheNextUpdate) {
  ASSERT_TRUE(index_->apply(first_update(), 1));
  const size_t before = fake_->points_in(kName);
  ASSERT_TRUE(index_->apply({{"a", "b"}, {}, "m"}, 2));
  EXPECT_EQ(fake_->points_in(kName), before + 1);  // what changed of the terms
  ASSERT_TRUE(index_->apply({}, 3));
  EXPECT_EQ(fake_->points_in(kName), before - 3 + 2);
}

TEST_F(QdrantIndexTest, RefreshTakesOverWhatAnotherProcessWrote) {
  const auto reader = open();
  ASSERT_TRUE(index_->apply(first_update(), 1));
  EXPECT_EQ(reader->info().version, 0u);
  EXPECT_TRUE(*reader->refresh());
  EXPECT_FALSE(*reader->refresh());
  EXPECT_THAT(find(*reader), ElementsAre(1, 2));
}

// The server gives any of them; the fake those with the highest ids.
TEST_F(QdrantIndexTest, OfManyPointsThatTieTheLowestIdsAreFound) {
  IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "m"};
  for (uint64_t id = 1; id <= 100; ++id)
    update.add.push_back(chunk(id, "a", {{1, 1}}, 0, {id == 90 ? 2.0f : 1.0f}));
  ASSERT_TRUE(index_->apply(update, 1));
  const auto sparse = *index_->search_sparse({{1}, {1}}, {}, Level::kChunk, 3);
  const auto dense = *index_->search_dense(std::vector<float>{1}, {}, 3);
  const auto id = [](uint64_t wanted) { return testing::Field(&PointScore::id, wanted); };
  EXPECT_THAT(sparse, ElementsAre(id(1), id(2), id(3)));
  EXPECT_THAT(dense, ElementsAre(id(90), id(1), id(2)));
}

// More updates than changes of terms are kept for: the whole table takes their place.
TEST_F(QdrantIndexTest, TermsAreCountedRightThroughManyUpdates) {
  MemoryIndex oracle;
  const auto reader = open();
  for (uint64_t i = 1; i <= 150; ++i) {
    const IndexUpdate update = {
        {i % 3 == 0 ? fmt::format("d{}", i - 1) : "none"},
        {chunk(i, fmt::format("d{}", i), {{1, 1}, {uint32_t(i % 7 + 2), 1}})},
        "m"};
    ASSERT_TRUE(index_->apply(update, i));
    ASSERT_TRUE(oracle.apply(update, i));
    if (i % 40 == 0) {
      ASSERT_TRUE(reader->refresh());
    }
  }
  ASSERT_TRUE(reader->refresh());
  EXPECT_LT(fake_->points_in(kName), 100 + 70u);
  for (const uint32_t term : {1u, 2u, 5u}) {
    const auto wanted = *oracle.search_sparse({{term}, {1}}, {}, Level::kChunk, 5);
    EXPECT_EQ(*open()->search_sparse({{term}, {1}}, {}, Level::kChunk, 5), wanted);
    EXPECT_EQ(*reader->search_sparse({{term}, {1}}, {}, Level::kChunk, 5), wanted);
  }
}

// Against the oracle: random documents come and go, and everything is asked.
TEST_F(QdrantIndexTest, ItAnswersAsThePlainOracleDoes) {
  RandomCorpus corpus({.vocabulary = 300, .terms_in_chunk = 20, .dimensions = 8, .clusters = 5}, 7);
  MemoryIndex oracle;
  std::vector<std::string> documents;
  uint64_t next_id = 1;
  for (uint64_t round = 1; round <= 12; ++round) {
    IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "m"};
    if (!documents.empty()) update.remove_documents = {documents[corpus.below(documents.size())]};
    for (uint64_t n = 0; n < 4; ++n) {
      documents.push_back(fmt::format("Doc-{}", next_id));
      auto points = corpus.document(documents.back(), corpus.below(5), next_id);
      if (corpus.below(4) == 0) {
        for (Point& point : points) point.payload.kind = Kind::kCode;
      }
      next_id += points.size();
      std::move(points.begin(), points.end(), std::back_inserter(update.add));
    }
    ASSERT_TRUE(index_->apply(update, round));
    ASSERT_TRUE(oracle.apply(update, round));
    for (int asked = 0; asked < 10; ++asked) {
      Filter filter = corpus.filter();
      if (corpus.below(5) == 0) filter.kinds = {Kind::kCode};
      SCOPED_TRACE(to_string(filter));
      const SparseVector query = corpus.sparse_query();
      const size_t limit = corpus.below(12);
      for (const Level level : {Level::kChunk, Level::kDocument})
        EXPECT_EQ(*index_->search_sparse(query, filter, level, limit),
                  *oracle.search_sparse(query, filter, level, limit));
      const auto vector = corpus.vector();
      EXPECT_EQ(*index_->search_dense(vector, filter, limit),
                *oracle.search_dense(vector, filter, limit));
      EXPECT_EQ(*index_->list(filter, KnowledgeIndex::Order::kTitle, limit),
                *oracle.list(filter, KnowledgeIndex::Order::kTitle, limit));
      EXPECT_EQ(*index_->count_documents(filter), *oracle.count_documents(filter));
      EXPECT_EQ(*index_->facet(Facet::kTag, filter), *oracle.facet(Facet::kTag, filter));
    }
  }
  EXPECT_EQ(index_->info().documents, oracle.info().documents);
}

TEST_F(QdrantIndexTest, ADeadServerIsUnavailableAndNamed) {
  ASSERT_TRUE(index_->apply(first_update(), 1));
  fake_->before = [](size_t, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
    return fail(ErrorCode::kTimeout, "nothing came for 10 s");
  };
  const auto hits = index_->search_sparse({{1}, {1}}, {}, Level::kChunk, 5);
  ASSERT_FALSE(hits);
  EXPECT_EQ(hits.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(
      hits.error().text(),
      HasSubstr("Qdrant at localhost:6333, which PRECEDENT_QDRANT_URL names: nothing came"));
  EXPECT_EQ(index_->info().version, 1u);
}

TEST_F(QdrantIndexTest, WhatIsNoIndexIsNeitherOpenedNorDropped) {
  EXPECT_EQ(QdrantIndex::open(api_, "nothing").error().code, ErrorCode::kNotFound);
  QdrantCollection foreign(api_, "theirs");
  ASSERT_TRUE(foreign.create(4));
  EXPECT_EQ(QdrantIndex::open(api_, "theirs").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(foreign.upsert(std::vector<std::string>{R"({"id":1,"vector":{}})"}));
  EXPECT_EQ(QdrantIndex::drop(api_, "theirs").error().code, ErrorCode::kConflict);
  EXPECT_EQ(QdrantIndex::create(api_, "theirs").error().code, ErrorCode::kConflict);
  EXPECT_EQ(fake_->points_in("theirs"), 1u);
  EXPECT_TRUE(QdrantIndex::drop(api_, "nothing"));
  EXPECT_TRUE(QdrantIndex::drop(api_, kName));
  EXPECT_EQ(QdrantIndex::open(api_, kName).error().code, ErrorCode::kNotFound);
}

TEST_F(QdrantIndexTest, AHeadThatSomebodyChangedIsDamage) {
  ASSERT_TRUE(index_->apply(first_update(), 1));
  QdrantCollection collection(api_, kName);
  ASSERT_TRUE(collection.set_payload({{"term_sum", 99}}, std::vector{qdrant_id(0, 0)}));
  const auto opened = QdrantIndex::open(api_, kName);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(opened.error().text(), HasSubstr("do not add up"));
}

TEST_F(QdrantIndexTest, MoreDimensionsThanTheCollectionHasAreRefused) {
  const auto applied =
      index_->apply({{}, {chunk(1, "a", {}, 0, std::vector<float>(9, 0.1f))}, "m"}, 1);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::kConflict);
  EXPECT_EQ(index_->info().version, 0u);
}

void expect_near(const Result<std::vector<PointScore>>& found,
                 const Result<std::vector<PointScore>>& wanted) {
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_EQ(found->size(), wanted->size());
  for (size_t i = 0; i < found->size(); ++i)
    EXPECT_NEAR((*found)[i].score, (*wanted)[i].score, 1e-5);
}

// A real engine, where there is one: its scores are the oracle's.
void expect_parity(size_t chunks) {
  const auto config = qdrant_config_of_environment();
  ASSERT_TRUE(config) << config.error().text();
  if (!*config) GTEST_SKIP() << "no real Qdrant: PRECEDENT_QDRANT_URL is not set";
  QdrantConfig exact = **config;
  exact.exact = true;
  const auto api = std::make_shared<QdrantApi>(std::make_shared<CurlHttpClient>(), exact);
  const std::string name = fmt::format("precedent-parity-{}", ::getpid());
  const auto index = QdrantIndex::create(api, name);
  ASSERT_TRUE(index) << index.error().text();
  RandomCorpus corpus({.vocabulary = 20'000}, 3);
  MemoryIndex oracle;
  uint64_t next_id = 1, version = 0;
  while (oracle.info().chunks < chunks) {
    IndexUpdate update{.remove_documents = {}, .add = {}, .model_id = "m"};
    if (version > 0) update.remove_documents = {"Doc-1", fmt::format("Doc-{}", next_id - 5)};
    while (update.add.size() < chunks / 4) {
      auto points = corpus.document(fmt::format("Doc-{}", next_id), 4, next_id);
      next_id += points.size();
      std::move(points.begin(), points.end(), std::back_inserter(update.add));
    }
    const auto applied = (*index)->apply(update, ++version);
    ASSERT_TRUE(applied) << applied.error().text();
    ASSERT_TRUE(oracle.apply(update, version));
  }
  for (int asked = 0; asked < 30; ++asked) {
    const Filter filter = corpus.filter();
    SCOPED_TRACE(to_string(filter));
    const SparseVector query = corpus.sparse_query();
    for (const Level level : {Level::kChunk, Level::kDocument})
      expect_near((*index)->search_sparse(query, filter, level, 50),
                  oracle.search_sparse(query, filter, level, 50));
    const auto vector = corpus.vector();
    expect_near((*index)->search_dense(vector, filter, 50),
                oracle.search_dense(vector, filter, 50));
    const auto at_once = (*index)->search_all(query, vector, filter, 50);
    ASSERT_TRUE(at_once) << at_once.error().text();
    EXPECT_EQ(at_once->chunks, *(*index)->search_sparse(query, filter, Level::kChunk, 50));
    EXPECT_EQ(at_once->dense, *(*index)->search_dense(vector, filter, 50));
    EXPECT_EQ(*(*index)->count_documents(filter), *oracle.count_documents(filter));
    EXPECT_EQ(*(*index)->facet(Facet::kService, filter), *oracle.facet(Facet::kService, filter));
  }
  EXPECT_TRUE(QdrantIndex::drop(api, name));
}

TEST(QdrantServer, ScoresOfTwoThousandChunksAreThoseOfTheOracle) { expect_parity(2'000); }
TEST(QdrantServer, ScoresOfTenThousandChunksAreThoseOfTheOracle) { expect_parity(10'000); }

}  // namespace
}  // namespace precedent
