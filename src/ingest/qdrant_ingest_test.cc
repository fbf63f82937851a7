// Ingest into a Qdrant that dies at any request: the next ingest makes index and store agree.
#include <fmt/format.h>
#include <gmock/gmock.h>
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
  QdrantConfig config() const {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    config.grace = grace_;
    return config;
  }

  // Of retired collections: none, but where a test says so.
  std::chrono::milliseconds grace_{0};
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

TEST_F(QdrantIngestTest, ARetiredCollectionStaysWhileItMayBeRead) {
  class Movable final : public Clock {
   public:
    TimePoint now() const override { return time; }
    TimePoint time = *parse_time("2026-11-20T10:00:00Z");
  } clock;
  grace_ = std::chrono::minutes(10);
  QdrantIndexCatalog patient(std::make_shared<QdrantApi>(fake_, config()), &clock);
  lab_.other = &patient;
  const auto collection = [&] {
    return (*KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadOnly)
                 ->active_build())
        ->collection;
  };
  ASSERT_TRUE(lab_.run({}, &letters_));
  const std::string before = collection();
  const auto reader = *patient.open(before);
  const LetterEmbedder other("letters-2");
  ASSERT_TRUE(lab_.run({}, &other));
  ASSERT_NE(collection(), before);
  EXPECT_EQ(reader->list({}, KnowledgeIndex::Order::kTitle, 9)->size(), 2U);
  clock.time += std::chrono::minutes(9);
  ASSERT_TRUE(lab_.run({}, &other));
  EXPECT_GT(fake_->points_in(before), 0U);
  clock.time += std::chrono::minutes(1);
  ASSERT_TRUE(lab_.run({}, &other));
  EXPECT_EQ(fake_->points_in(before), 0U);
  EXPECT_EQ(*lab_.searchable(), lab_.expected(true));
}

TEST_F(QdrantIngestTest, TheAliasNamesWhatIsSearchedAndIsMovedBack) {
  const auto call = [&](std::string method, std::string path, std::string body = {}) {
    const CancelToken cancel;
    return fake_
        ->send({.method = std::move(method),
                .url = "http://localhost:6333" + std::move(path),
                .body = std::move(body)},
               {cancel})
        ->body;
  };
  std::vector<std::string> switched;
  fake_->before = [&](size_t, const HttpRequest& request) -> std::optional<Result<HttpResponse>> {
    if (request.url.ends_with("/collections/aliases")) switched.push_back(request.body);
    return std::nullopt;
  };
  ASSERT_TRUE(lab_.run({}, &letters_));
  const LetterEmbedder other("letters-2");
  ASSERT_TRUE(lab_.run({}, &other));
  const std::string active =
      (*KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadOnly)
            ->active_build())
          ->collection;
  const std::string alias = QdrantIndex::alias_of(active);
  EXPECT_THAT(call("GET", "/aliases"),
              testing::HasSubstr(
                  fmt::format(R"("alias_name":"{}","collection_name":"{}")", alias, active)));
  // From one to the other in one call: there is no moment without.
  ASSERT_EQ(switched.size(), 2U);
  EXPECT_THAT(switched[1], testing::HasSubstr("delete_alias"));
  EXPECT_THAT(switched[1], testing::HasSubstr("create_alias"));

  call("PUT", "/collections/foreign", R"({"vectors":{"a":{"size":1,"distance":"Dot"}}})");
  call("POST", "/collections/aliases",
       fmt::format(R"({{"actions":[{{"create_alias":{{"collection_name":"foreign",)"
                   R"("alias_name":"{}"}}}}]}})",
                   alias));
  const auto report = lab_.run({}, &other);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->repaired,
            fmt::format("the alias {} named foreign and was moved to {}", alias, active));
  EXPECT_THAT(call("GET", "/aliases"), testing::HasSubstr(active));
}

TEST_F(QdrantIngestTest, WhatBearsTheNameOfTheIndexAndIsAnotherIsLeftAlone) {
  ASSERT_TRUE(lab_.run({}, &letters_));
  const std::string active =
      (*KnowledgeStore::open(store_file(lab_.folder), KnowledgeStore::Access::kReadOnly)
            ->active_build())
          ->collection;
  auto api = std::make_shared<QdrantApi>(fake_, config());
  ASSERT_TRUE(QdrantIndex::create(api, "kb-00000000-7"));
  ASSERT_TRUE(QdrantIndex::drop(api, active));
  ASSERT_TRUE(QdrantCollection(api, "kb-00000000-7").take_alias(active, false));
  const auto ingested = lab_.run({}, &letters_);
  ASSERT_FALSE(ingested);
  EXPECT_EQ(ingested.error().code, ErrorCode::kConflict);
  EXPECT_THAT(
      ingested.error().text(),
      testing::HasSubstr(fmt::format("under the name {} is the index kb-00000000-7", active)));
  EXPECT_GT(fake_->points_in("kb-00000000-7"), 0U);
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
