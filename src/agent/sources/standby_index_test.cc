// A Qdrant that is gone, refuses or talks nonsense: what the store knows is answered, what only the
// index knows is an error that says so; and once it is back, everything is.
#include "agent/sources/standby_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/temporary_folder.h"
#include "index/qdrant_fake.h"
#include "index/qdrant_index.h"
#include "store/index_build.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kName = "kb-1f2e3d4c-1";

struct Absence {
  std::string name;
  Result<HttpResponse> answer;
  std::string said;
};

void PrintTo(const Absence& absence, std::ostream* out) { *out << absence.name; }

std::vector<Absence> absences() {
  return {
      {"gone", fail(ErrorCode::kUnavailable, "cannot connect"), "cannot connect"},
      {"hanging", fail(ErrorCode::kTimeout, "no answer within 5 s"), "no answer within 5 s"},
      {"broken", HttpResponse{500, {}, "panicked"}, "answered 500"},
      {"busy", HttpResponse{429, {{"Retry-After", "30"}}, R"({"status":{"error":"Too many"}})"},
       "answered 429"},
      {"babbling", HttpResponse{200, {}, R"({"result":{"payload")"},
       "something else than a result"},
      {"refusing", HttpResponse{401, {}, "Invalid API key or JWT"}, "PRECEDENT_QDRANT_API_KEY"},
  };
}

Document incident(std::string id, std::string application, std::string opened) {
  Document d;
  d.id = std::move(id);
  d.kind = Kind::kIncident;
  d.title = "About " + d.id;
  d.body = "It broke.";
  d.source = "/incidents";
  d.application = std::move(application);
  d.severity = "SEV1";
  d.opened_at = *parse_time(opened);
  return d;
}

class StandbyIndexTest : public testing::TestWithParam<Absence> {
 protected:
  StandbyIndexTest() {
    add({incident("INC-1", "Shop", "2026-11-01"), incident("INC-2", "shop", "2026-11-03"),
         incident("INC-3", "billing", "2026-11-02")});
    fake_->before = [this](size_t, const HttpRequest&) -> std::optional<Result<HttpResponse>> {
      ++asked_;
      return absent_ ? std::optional(GetParam().answer) : std::nullopt;
    };
  }
  static QdrantConfig config() {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    return config;
  }

  // To the store, and to the index unless it is absent.
  void add(std::vector<Document> documents) {
    StoreUpdate update;
    for (Document& each : documents) {
      NewDocument made;
      made.hash = each.id;
      made.chunks.push_back({{.ordinal = 0, .heading = {}, .text = each.body, .lines = {}}, "k"});
      made.document = std::move(each);
      update.put.push_back(std::move(made));
    }
    const auto committed = store_.apply(update);
    ASSERT_TRUE(committed) << committed.error().text();
    if (absent_) return;
    IndexUpdate points;
    for (size_t i = 0; i < update.put.size(); ++i) {
      const Document& d = update.put[i].document;
      Payload payload{.doc_id = d.id,
                      .kind = d.kind,
                      .level = Level::kDocument,
                      .chunk_count = 1,
                      .title = d.title,
                      .application = d.application,
                      .severity = d.severity,
                      .opened_at = d.opened_at};
      points.add.push_back({committed->points[i], {{1}, {1}}, {}, payload});
      payload.level = Level::kChunk;
      payload.text = d.body;
      points.add.push_back({committed->points[i] + 1, {{1}, {1}}, {}, payload});
    }
    ASSERT_TRUE(index_->apply(points, committed->version));
  }
  std::unique_ptr<StandbyIndex> standby() {
    auto made = StandbyIndex::create(store_, {.version = 1, .documents = 3},
                                     [this]() -> Result<std::unique_ptr<KnowledgeIndex>> {
                                       return TRY(QdrantIndex::open(api_, kName));
                                     });
    EXPECT_TRUE(made) << made.error().text();
    return made ? std::move(*made) : nullptr;
  }
  static std::vector<std::string> ids(const Result<std::vector<Payload>>& list) {
    std::vector<std::string> ids;
    EXPECT_TRUE(list) << list.error().text();
    if (list)
      for (const Payload& each : *list) ids.push_back(each.doc_id);
    return ids;
  }
  void expect_what_the_store_knows(const StandbyIndex& index) {
    EXPECT_THAT(ids(index.list({}, KnowledgeIndex::Order::kNewest, 2)),
                ElementsAre("INC-2", "INC-3"));
    EXPECT_THAT(ids(index.list({.applications = {"SHOP"}}, KnowledgeIndex::Order::kNewest, 9)),
                ElementsAre("INC-2", "INC-1"));
    EXPECT_EQ(*index.count_documents({.kinds = {Kind::kIncident}}), 3U);
    const auto applications = index.facet(Facet::kApplication, {});
    ASSERT_TRUE(applications) << applications.error().text();
    EXPECT_THAT(*applications, ElementsAre(FacetCount{"Shop", 2}, FacetCount{"billing", 1}));
    const auto chunks = index.chunks_of("INC-3");
    ASSERT_TRUE(chunks && chunks->size() == 1);
    EXPECT_EQ(chunks->front().second.text, "It broke.");
    EXPECT_EQ(index.info().documents, 3U);
  }

  const TemporaryFolder folder_;
  KnowledgeStore store_ =
      *KnowledgeStore::open(store_file(folder_.path()), KnowledgeStore::Access::kReadWrite);
  std::shared_ptr<QdrantFake> fake_ = std::make_shared<QdrantFake>();
  std::shared_ptr<QdrantApi> api_ = std::make_shared<QdrantApi>(fake_, config());
  std::unique_ptr<QdrantIndex> index_ = *QdrantIndex::create(api_, kName, 8);
  bool absent_ = false;
  size_t asked_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Absences, StandbyIndexTest, testing::ValuesIn(absences()),
                         [](const auto& absence) { return absence.param.name; });

TEST_P(StandbyIndexTest, WhatTheStoreKnowsIsAnsweredWhereTheIndexGoesAway) {
  const auto index = standby();
  expect_what_the_store_knows(*index);  // of the index
  absent_ = true;
  expect_what_the_store_knows(*index);
}

TEST_P(StandbyIndexTest, WhatTheStoreKnowsIsAnsweredWhereTheIndexWasNeverThere) {
  absent_ = true;
  const auto index = standby();
  ASSERT_NE(index, nullptr);
  expect_what_the_store_knows(*index);
}

TEST_P(StandbyIndexTest, ASearchSaysWhatIsMissing) {
  const auto index = standby();
  absent_ = true;
  const auto hits = index->search_sparse({{1}, {1}}, {}, Level::kChunk, 5);
  ASSERT_FALSE(hits);
  EXPECT_THAT(hits.error().text(), HasSubstr("Qdrant at localhost:6333"));
  EXPECT_THAT(hits.error().text(), HasSubstr(GetParam().said));
  const auto reached = index->indexed_documents();
  ASSERT_FALSE(reached);
  EXPECT_THAT(reached.error().text(), HasSubstr(GetParam().said));
}

TEST_P(StandbyIndexTest, AServerThatComesBackIsSearchedAgain) {
  absent_ = true;
  const auto index = standby();
  ASSERT_FALSE(index->search_sparse({{1}, {1}}, {}, Level::kChunk, 5));
  absent_ = false;
  const auto hits = index->search_sparse({{1}, {1}}, {}, Level::kChunk, 5);
  ASSERT_TRUE(hits) << hits.error().text();
  EXPECT_EQ(hits->size(), 3U);
  EXPECT_EQ(*index->indexed_documents(), 3U);
}

TEST_P(StandbyIndexTest, WhatTheStoreTookMeanwhileIsListed) {
  absent_ = true;
  const auto index = standby();
  EXPECT_EQ(*index->count_documents({}), 3U);
  add({incident("INC-4", "shop", "2026-11-04")});
  EXPECT_EQ(*index->count_documents({}), 4U);
}

TEST(StandbyIndexMisuse, AnIndexThatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  const auto store =
      *KnowledgeStore::open(store_file(folder.path()), KnowledgeStore::Access::kReadWrite);
  const auto made =
      StandbyIndex::create(store, {}, []() -> Result<std::unique_ptr<KnowledgeIndex>> {
        return fail(ErrorCode::kNotFound, "there is none");
      });
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace precedent
