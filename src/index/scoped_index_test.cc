#include "index/scoped_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/memory_index.h"
#include "index/random_corpus.h"
#include "knowledge/case_fold.h"

namespace precedent {
namespace {

using ::testing::IsEmpty;

constexpr CorpusShape kShape{.vocabulary = 50,
                             .terms_in_chunk = 8,
                             .terms_in_query = 5,
                             .dimensions = 8,
                             .clusters = 5,
                             .values = 4};

// The scope of the test below, in plain words.
bool is_in(const Payload& payload) {
  const auto is = [](const std::string& name) {
    return case_fold(name) == "service-1" || case_fold(name) == "app-2";
  };
  return (payload.kind == kAllKinds[0] || payload.kind == kAllKinds[2]) &&
         (is(payload.application) || std::ranges::any_of(payload.services, is));
}

// Whatever is asked, nothing outside of the scope comes back, and what comes is what the whole
// index finds of it.
TEST(ScopedIndex, ShowsOfEverySearchWhatIsInTheScope) {
  RandomCorpus corpus(kShape, 7);
  MemoryIndex whole;
  IndexUpdate update{.model_id = "m"};
  for (uint64_t i = 0; i < 100; ++i)
    std::ranges::move(corpus.document("doc-" + std::to_string(i), 2, 1 + 3 * i),
                      std::back_inserter(update.add));
  ASSERT_TRUE(whole.apply(update, 1));
  const Scope scope{.kinds = {kAllKinds[0], kAllKinds[2]}, .services = {"SERVICE-1", "app-2"}};
  const ScopedIndex scoped(whole, scope);
  constexpr size_t kAll = 10'000;
  size_t seen = 0;
  for (int i = 0; i < 40; ++i) {
    Filter filter = corpus.filter();
    filter.systems.clear();
    for (const Level level : {Level::kChunk, Level::kDocument}) {
      const SparseVector query = corpus.sparse_query();
      const auto found = *scoped.search_sparse(query, filter, level, kAll);
      std::vector<PointScore> expected;
      const auto all = *whole.search_sparse(query, filter, level, kAll);
      for (const PointScore& hit : all) {
        const std::vector<uint64_t> ids = {hit.id};
        const Payload payload = whole.payloads(ids)->front();
        if (is_in(payload)) expected.push_back(hit);
      }
      EXPECT_EQ(found, expected);
      seen += found.size();
    }
    const SparseVector query = corpus.sparse_query();
    const auto at_once = *scoped.search_all(query, corpus.vector(), filter, kAll);
    EXPECT_EQ(at_once.documents, *scoped.search_sparse(query, filter, Level::kDocument, kAll));
    for (const PointScore& hit : at_once.dense)
      EXPECT_TRUE(is_in(whole.payloads(std::vector<uint64_t>{hit.id})->front()));
    const auto listed = *scoped.list(filter, KnowledgeIndex::Order::kTitle, kAll);
    for (const Payload& payload : listed) EXPECT_TRUE(is_in(payload)) << payload.doc_id;
  }
  EXPECT_GT(seen, 20U);
}

TEST(ScopedIndex, NeitherCountsNorNamesNorOpensWhatIsOutside) {
  MemoryIndex whole;
  const auto point = [](uint64_t id, std::string doc, Kind kind, std::string service) {
    Point made{.id = id};
    made.payload.doc_id = std::move(doc);
    made.payload.kind = kind;
    made.payload.services = {std::move(service)};
    made.dense = {1, 0};
    return made;
  };
  IndexUpdate update{.add = {point(1, "open", Kind::kRunbook, "ledger"),
                             point(3, "secret", Kind::kRunbook, "payroll"),
                             point(5, "incident", Kind::kIncident, "ledger")},
                     .model_id = "m"};
  for (size_t i = 0; i < 3; ++i) {
    Point document{.id = update.add[i].id + 1, .payload = update.add[i].payload};
    document.payload.level = Level::kDocument;
    update.add.push_back(document);
  }
  ASSERT_TRUE(whole.apply(update, 1));
  ScopedIndex scoped(whole, {.kinds = {Kind::kRunbook}, .services = {"Ledger"}});
  EXPECT_EQ(*scoped.count_documents({}), 1U);
  EXPECT_EQ(scoped.info().documents, 1U);
  EXPECT_EQ(*scoped.facet(Facet::kService, {}), (std::vector<FacetCount>{{"ledger", 1}}));
  const std::vector<uint64_t> all = {1, 3, 5};
  const auto payloads = *scoped.payloads(all);
  ASSERT_EQ(payloads.size(), 1U);
  EXPECT_EQ(payloads[0].doc_id, "open");
  EXPECT_THAT(*scoped.chunks_of("secret"), IsEmpty());
  EXPECT_EQ(scoped.chunks_of("open")->size(), 1U);
  const std::vector<float> query = {1, 0};
  EXPECT_EQ(scoped.search_dense(query, {}, 10)->size(), 1U);
  EXPECT_THAT(*scoped.search_dense(query, {.kinds = {Kind::kIncident}}, 10), IsEmpty());
  EXPECT_EQ(*scoped.count_documents({.systems = {"LEDGER", "payroll"}}), 1U);
  EXPECT_EQ(*scoped.count_documents({.systems = {"payroll"}}), 0U);
  EXPECT_EQ(scoped.apply({}, 2).error().code, ErrorCode::kPermission);
}

TEST(ScopedIndex, ShowsPathsBelowTheirSource) {
  RandomCorpus corpus(kShape, 7);
  MemoryIndex whole;
  IndexUpdate update{.model_id = "m"};
  const std::vector<std::pair<std::string, std::string>> paths = {
      {"/home/ann/docs/a/x.md", "a/x.md"},
      {"/home/ann/docs/deep/x.md", "x.md"},
      {"/home/ann/docs-old/x.md", "x.md"},
      {"docs/x.md", "docs/x.md"},
      {"https://wiki.example/x", "https://wiki.example/x"}};
  for (uint64_t i = 0; i < paths.size(); ++i)
    for (Point& point : corpus.document("doc-" + std::to_string(i), 1, 1 + 2 * i)) {
      point.payload.path = paths[i].first;
      update.add.push_back(std::move(point));
    }
  ASSERT_TRUE(whole.apply(update, 1));
  const ScopedIndex shown(whole, {}, {"/home/ann/docs", "/home/ann/docs/deep"});
  for (uint64_t i = 0; i < paths.size(); ++i) {
    const std::string id = "doc-" + std::to_string(i);
    EXPECT_EQ(shown.chunks_of(id)->front().second.path, paths[i].second);
    EXPECT_EQ(shown.list({.ids = {id}}, KnowledgeIndex::Order::kNewest, 1)->front().path,
              paths[i].second);
    const std::vector<uint64_t> points = {1 + 2 * i};
    EXPECT_EQ(shown.payloads(points)->front().path, paths[i].second);
  }
  EXPECT_EQ(shown.info().chunks, whole.info().chunks);
}

}  // namespace
}  // namespace precedent
