// The contract of `KnowledgeIndex` as tests: every implementation passes the same suite.
//
//   INSTANTIATE_TEST_SUITE_P(Memory, KnowledgeIndexContract, testing::Values(IndexMaker([] { …
//   })));
//
// index_corpus.h makes the points.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "index/index_corpus.h"
#include "index/knowledge_index.h"

namespace precedent {

// One index for the length of a test.
class IndexHarness {
 public:
  virtual ~IndexHarness() = default;
  virtual KnowledgeIndex& index() = 0;
  // Closes and opens it again, where the implementation keeps anything.
  virtual void reopen() {}
};
using IndexMaker = std::function<std::unique_ptr<IndexHarness>()>;

class KnowledgeIndexContract : public testing::TestWithParam<IndexMaker> {
 protected:
  KnowledgeIndex& index() { return harness_->index(); }
  void reopen() { harness_->reopen(); }

  void add(std::vector<Point> points, std::vector<std::string> remove = {}) {
    const auto applied = index().apply({std::move(remove), std::move(points), "model"}, ++version_);
    ASSERT_TRUE(applied) << applied.error().text();
  }
  // Ids of the hits for term 1, to be compared with matchers.
  std::vector<uint64_t> find(const Filter& filter, Level level = Level::kChunk,
                             size_t limit = 100) {
    return ids_of(index().search_sparse({{1}, {1}}, filter, level, limit));
  }
  static Filter where(const std::function<void(Filter&)>& set) {
    Filter filter;
    set(filter);
    return filter;
  }
  static std::vector<uint64_t> ids_of(const Result<std::vector<PointScore>>& hits) {
    EXPECT_TRUE(hits) << hits.error().text();
    std::vector<uint64_t> ids;
    for (const PointScore& hit : *hits) ids.push_back(hit.id);
    return ids;
  }
  static ErrorCode code_of(const auto& result) {
    return result ? ErrorCode::kInternal : result.error().code;
  }

 private:
  std::unique_ptr<IndexHarness> harness_ = GetParam()();
  uint64_t version_ = 0;
};

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST_P(KnowledgeIndexContract, AnEmptyIndexAnswersEverythingWithNothing) {
  EXPECT_EQ(index().info().version, 0u);
  EXPECT_EQ(index().info().chunks, 0u);
  EXPECT_THAT(find({}), IsEmpty());
  EXPECT_THAT(*index().search_dense(std::vector<float>{1, 2}, {}, 5), IsEmpty());
  EXPECT_THAT(*index().list({}, KnowledgeIndex::Order::kNewest, 5), IsEmpty());
  EXPECT_THAT(*index().facet(Facet::kKind, {}), IsEmpty());
  EXPECT_THAT(*index().chunks_of("a"), IsEmpty());
  EXPECT_EQ(*index().count_documents({}), 0u);
}

TEST_P(KnowledgeIndexContract, InfoCountsWhatIsThere) {
  add({chunk(1, "a", {{1, 1}}), chunk(2, "a", {{1, 1}}), document(3, "a", {{1, 1}})});
  reopen();
  const IndexInfo info = index().info();
  EXPECT_EQ(info.version, 1u);
  EXPECT_EQ(info.chunks, 2u);
  EXPECT_EQ(info.documents, 1u);
  EXPECT_EQ(info.dimensions, 0u);
  EXPECT_EQ(info.model_id, "");
}

TEST_P(KnowledgeIndexContract, AnUpdateWithoutPointsStillSetsTheVersion) {
  ASSERT_TRUE(index().apply({}, 41));
  reopen();
  EXPECT_EQ(index().info().version, 41u);
}

TEST_P(KnowledgeIndexContract, SparseScoreIsQueryWeightTimesIdfTimesPointWeight) {
  add({chunk(1, "a", {{7, 0.5f}}), chunk(2, "b", {{8, 1}}), chunk(3, "c", {{8, 2}}),
       document(4, "a", {{7, 1}})});
  const auto hits = *index().search_sparse({{7}, {3}}, {}, Level::kChunk, 10);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_EQ(hits[0].id, 1u);
  EXPECT_NEAR(hits[0].score, 3 * 0.5 * std::log(1 + (3 - 1 + 0.5) / (1 + 0.5)), 1e-5);
}

TEST_P(KnowledgeIndexContract, DocumentFrequenciesForgetRemovedPoints) {
  add({chunk(1, "a", {{7, 1}}), chunk(2, "b", {{7, 1}}), chunk(3, "c", {{8, 1}})});
  add({}, {"b"});
  const auto hits = *index().search_sparse({{7}, {1}}, {}, Level::kChunk, 10);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].score, std::log(1 + (2 - 1 + 0.5) / (1 + 0.5)), 1e-5);
}

TEST_P(KnowledgeIndexContract, LevelsAreSearchedApart) {
  add({chunk(1, "a", {{1, 1}}), document(2, "a", {{1, 1}})});
  EXPECT_THAT(find({}, Level::kChunk), ElementsAre(1));
  EXPECT_THAT(find({}, Level::kDocument), ElementsAre(2));
}

TEST_P(KnowledgeIndexContract, TiesBreakByAscendingIdAlsoAtTheLimit) {
  add({chunk(9, "a", {{1, 1}}), chunk(4, "b", {{1, 1}}), chunk(7, "c", {{1, 2}})});
  add({chunk(2, "d", {{1, 1}})});
  EXPECT_THAT(find({}), ElementsAre(7, 2, 4, 9));
  EXPECT_THAT(find({}, Level::kChunk, 2), ElementsAre(7, 2));
  EXPECT_THAT(find({}, Level::kChunk, 0), IsEmpty());
}

TEST_P(KnowledgeIndexContract, ThreeListsAtOnceAreThoseOfThreeCalls) {
  std::vector<Point> points;
  for (uint64_t id = 1; id <= 60; ++id) {
    const std::string doc_id = "d" + std::to_string(id);
    const auto weight = static_cast<float>(1 + id % 3);  // so that many tie
    points.push_back(chunk(id, doc_id, {{1, weight}, {2, 1}}, 0, {weight, 1}));
    points.push_back(document(100 + id, doc_id, {{1, weight}}));
  }
  for (Point& point : points)
    point.payload.kind = point.id % 4 == 0 ? Kind::kRunbook : Kind::kIncident;
  add(std::move(points));
  const SparseVector query{{1, 2}, {1, 0.5f}};
  const std::vector<float> vector{0, 1};
  for (const Filter& filter : {Filter(), where([](Filter& f) { f.kinds = {Kind::kRunbook}; })}) {
    for (const size_t limit : {size_t{0}, size_t{1}, size_t{5}, size_t{25}, size_t{500}}) {
      const auto at_once = index().search_all(query, vector, filter, limit);
      ASSERT_TRUE(at_once) << at_once.error().text();
      EXPECT_EQ(at_once->documents, *index().search_sparse(query, filter, Level::kDocument, limit));
      EXPECT_EQ(at_once->chunks, *index().search_sparse(query, filter, Level::kChunk, limit));
      EXPECT_EQ(at_once->dense, *index().search_dense(vector, filter, limit));
    }
  }
  const auto words = index().search_all(query, {}, {}, 5),
             meaning = index().search_all({}, vector, {}, 5);
  EXPECT_EQ(words->chunks.size(), 5u);
  EXPECT_THAT(words->dense, IsEmpty());
  EXPECT_THAT(meaning->documents, IsEmpty());
  EXPECT_THAT(meaning->chunks, IsEmpty());
  EXPECT_EQ(meaning->dense.size(), 5u);
  EXPECT_EQ(code_of(index().search_all(query, std::vector<float>{1, 0, 0}, {}, 1)),
            ErrorCode::kInvalidArgument);
}

TEST_P(KnowledgeIndexContract, APointWithTheSameIdIsReplaced) {
  add({chunk(1, "a", {{1, 1}}), chunk(2, "a", {{1, 1}})});
  Point changed = chunk(1, "b", {{2, 1}});
  changed.payload.text = "changed";
  add({changed});
  reopen();
  EXPECT_THAT(find({}), ElementsAre(2));
  EXPECT_EQ(*index().payloads(std::vector<uint64_t>{1}), std::vector{changed.payload});
  EXPECT_EQ(index().info().chunks, 2u);
}

TEST_P(KnowledgeIndexContract, RemovalComesBeforeAddition) {
  add({chunk(1, "a", {{1, 1}}), document(2, "a", {{1, 1}})});
  add({chunk(3, "a", {{1, 1}})}, {"a", "never there"});
  EXPECT_THAT(find({}), ElementsAre(3));
  EXPECT_THAT(find({}, Level::kDocument), IsEmpty());
  EXPECT_EQ(*index().count_documents({}), 0u);
}

TEST_P(KnowledgeIndexContract, RemovalIsByExactId) {
  add({chunk(1, "INC-1", {{1, 1}})});
  add({}, {"inc-1", "INC-"});
  EXPECT_THAT(find({}), ElementsAre(1));
}

TEST_P(KnowledgeIndexContract, PayloadsComeBackAsTheyWentInAndInTheOrderAsked) {
  Point full = chunk(5, "INC-2025-01-20-005", {{1, 1}});
  full.payload = full_payload();
  Point bare = document(6, "x", {});
  add({full, bare});
  reopen();
  EXPECT_EQ(*index().payloads(std::vector<uint64_t>{6, 99, 5}),
            (std::vector{bare.payload, full.payload}));
}

TEST_P(KnowledgeIndexContract, ChunksComeByOrdinalWhateverTheUpdate) {
  add({chunk(1, "a", {}, 2), chunk(2, "a", {}, 0), document(3, "a", {}), chunk(4, "b", {}, 0)});
  add({chunk(5, "a", {}, 1)});
  std::vector<uint64_t> ids;
  const auto chunks = index().chunks_of("a");
  for (const auto& [id, payload] : *chunks) ids.push_back(id);
  EXPECT_THAT(ids, ElementsAre(2, 5, 1));
  EXPECT_THAT(*index().chunks_of("A"), IsEmpty());
}

// One field set on document "a", another value on "b", none on "c"; chunks 1, 2, 3.
struct FilterCase {
  const char* name;
  std::function<void(Payload&, const std::string&)> set;
  std::function<void(Filter&, std::vector<std::string>)> want;
};

TEST_P(KnowledgeIndexContract, EachTextFieldFiltersByFoldedWholeValues) {
  const std::vector<FilterCase> cases = {
      {"application", [](Payload& p, const auto& v) { p.application = v; },
       [](Filter& f, auto v) { f.applications = v; }},
      {"severity", [](Payload& p, const auto& v) { p.severity = v; },
       [](Filter& f, auto v) { f.severities = v; }},
      {"status", [](Payload& p, const auto& v) { p.status = v; },
       [](Filter& f, auto v) { f.statuses = v; }},
      {"service", [](Payload& p, const auto& v) { p.services = {"other", v}; },
       [](Filter& f, auto v) { f.services = v; }},
      {"tag", [](Payload& p, const auto& v) { p.tags = {v, "other"}; },
       [](Filter& f, auto v) { f.tags = v; }},
      {"id", [](Payload& p, const auto& v) { p.doc_id = v; }, [](Filter& f, auto v) { f.ids = v; }},
  };
  uint64_t id = 0;
  for (const FilterCase& field : cases) {
    SCOPED_TRACE(field.name);
    Point a = chunk(++id, "a", {{1, 1}}), b = chunk(++id, "b", {{1, 1}}),
          c = chunk(++id, "c", {{1, 1}});
    field.set(a.payload, "Straße Core");
    field.set(b.payload, "PayU Core");
    add({a, b, c}, {"a", "b", "c", "Straße Core", "PayU Core"});
    const auto found = [&](std::vector<std::string> values) {
      Filter filter;
      field.want(filter, std::move(values));
      return find(filter);
    };
    EXPECT_THAT(found({"payu core"}), ElementsAre(b.id));
    EXPECT_THAT(found({"STRASSE CORE"}), ElementsAre(a.id));
    EXPECT_THAT(found({"PAYU CORE", "straße core"}), ElementsAre(a.id, b.id));
    EXPECT_THAT(found({"payu"}), IsEmpty());
    EXPECT_THAT(found({""}), IsEmpty());
    add({}, {"a", "b", "c", "Straße Core", "PayU Core"});
  }
}

TEST_P(KnowledgeIndexContract, KindsAndFieldsCombineAsAllOfAny) {
  Point a = chunk(1, "a", {{1, 1}}), b = chunk(2, "b", {{1, 1}}), c = chunk(3, "c", {{1, 1}});
  a.payload.kind = Kind::kIncident;
  b.payload.kind = Kind::kRunbook;
  c.payload.kind = Kind::kIncident;
  a.payload.services = {"x"};
  b.payload.services = {"x", "y"};
  add({a, b, c});
  EXPECT_THAT(find(where([&](Filter& f) { f.kinds = {Kind::kIncident}; })), ElementsAre(1, 3));
  EXPECT_THAT(find(where([&](Filter& f) { f.kinds = {Kind::kIncident, Kind::kRunbook}; })),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(find(where([&](Filter& f) {
                f.kinds = {Kind::kIncident};
                f.services = {"y", "x"};
              })),
              ElementsAre(1));
  EXPECT_THAT(find(where([&](Filter& f) { f.kinds = {Kind::kGolden}; })), IsEmpty());
}

TEST_P(KnowledgeIndexContract, ASystemIsAServiceOrTheApplication) {
  Point a = chunk(1, "a", {{1, 1}}), b = chunk(2, "b", {{1, 1}}), c = chunk(3, "c", {{1, 1}});
  a.payload.services = {"other", "Ledger"};
  b.payload.application = "ledger";
  c.payload.services = {"payments"};
  add({a, b, c});
  EXPECT_THAT(find(where([&](Filter& f) { f.systems = {"LEDGER"}; })), ElementsAre(1, 2));
  EXPECT_THAT(find(where([&](Filter& f) {
                f.systems = {"ledger"};
                f.services = {"other"};
              })),
              ElementsAre(1));
  EXPECT_THAT(find(where([&](Filter& f) { f.systems = {"unknown"}; })), IsEmpty());
}

TEST_P(KnowledgeIndexContract, DateRangesAreHalfOpenAndLeaveTheUndatedOut) {
  const auto at = [](int64_t s) { return TimePoint(std::chrono::seconds(s)); };
  Point a = chunk(1, "a", {{1, 1}}), b = chunk(2, "b", {{1, 1}}), c = chunk(3, "c", {{1, 1}});
  a.payload.opened_at = at(100);
  b.payload.opened_at = at(200);
  add({a, b, c});
  EXPECT_THAT(find(where([&](Filter& f) { f.opened = {at(100), at(200)}; })), ElementsAre(1));
  EXPECT_THAT(find(where([&](Filter& f) { f.opened = {at(101), {}}; })), ElementsAre(2));
  EXPECT_THAT(find(where([&](Filter& f) { f.opened = {{}, at(201)}; })), ElementsAre(1, 2));
  EXPECT_THAT(find(where([&](Filter& f) { f.opened = {at(-5), at(100)}; })), IsEmpty());
  EXPECT_THAT(find({}), ElementsAre(1, 2, 3));
}

TEST_P(KnowledgeIndexContract, DenseFindsTheHighestProductsAmongWhatMatches) {
  add({chunk(1, "a", {}, 0, {1, 0}), chunk(2, "a", {}, 1, {0.6f, 0.8f}),
       chunk(3, "b", {}, 0, {-1, 0}), chunk(4, "b", {}, 1)});
  reopen();
  EXPECT_EQ(index().info().dimensions, 2u);
  EXPECT_EQ(index().info().model_id, "model");
  const auto found = [&](const Filter& filter, size_t limit) {
    return ids_of(index().search_dense(std::vector<float>{1, 0}, filter, limit));
  };
  EXPECT_THAT(found({}, 10), ElementsAre(1, 2, 3));
  EXPECT_THAT(found({}, 1), ElementsAre(1));
  EXPECT_THAT(found(where([&](Filter& f) { f.ids = {"B"}; }), 10), ElementsAre(3));
  EXPECT_NEAR((*index().search_dense(std::vector<float>{1, 0}, {}, 2))[1].score, 0.6, 1e-6);
  EXPECT_EQ(code_of(index().search_dense(std::vector<float>{1, 0, 0}, {}, 1)),
            ErrorCode::kInvalidArgument);
  EXPECT_THAT(*index().vectors(std::vector<uint64_t>{2, 4, 77}),
              ElementsAre(ElementsAre(0.6f, 0.8f), IsEmpty(), IsEmpty()));
}

TEST_P(KnowledgeIndexContract, ARefusedUpdateChangesNothing) {
  add({chunk(1, "a", {{1, 1}}, 0, {1, 0})});
  const auto refused = [&](Point point, ErrorCode code, const std::string& model = "model") {
    const auto applied = index().apply({{}, {chunk(50, "z", {{1, 1}}), point}, model}, 99);
    EXPECT_EQ(code_of(applied), code);
  };
  refused(chunk(50, "y", {{1, 1}}), ErrorCode::kInvalidArgument);         // the id twice
  refused(chunk(2, "", {{1, 1}}), ErrorCode::kInvalidArgument);           // no document
  refused(chunk(2, "y", {{2, 1}, {1, 1}}), ErrorCode::kInvalidArgument);  // terms out of order
  refused(chunk(2, "y", {{1, 0}}), ErrorCode::kInvalidArgument);          // weight 0
  refused(chunk(2, "y", {}, 0, {1, NAN}), ErrorCode::kInvalidArgument);
  refused(chunk(2, "y", {}, 0, {1, 0, 0}), ErrorCode::kConflict);          // other dimensions
  refused(chunk(2, "y", {}, 0, {1, 0}), ErrorCode::kConflict, "another");  // another model
  EXPECT_THAT(find({}), ElementsAre(1));
  EXPECT_EQ(index().info().version, 1u);
}

TEST_P(KnowledgeIndexContract, AnotherModelMayReplaceAllVectorsAtOnce) {
  add({chunk(1, "a", {}, 0, {1, 0})});
  ASSERT_TRUE(index().apply({{"a"}, {chunk(2, "a", {}, 0, {0, 0, 1})}, "another"}, 2));
  EXPECT_EQ(index().info().model_id, "another");
  EXPECT_THAT(ids_of(index().search_dense(std::vector<float>{0, 0, 1}, {}, 5)), ElementsAre(2));
}

TEST_P(KnowledgeIndexContract, ListsAreOrderedByDateOrTitleThenTitleAndId) {
  const auto titled = [](uint64_t id, const char* doc_id, const char* title,
                         std::optional<int64_t> opened) {
    Point point = document(id, doc_id, {});
    point.payload.title = title;
    if (opened) point.payload.opened_at = TimePoint(std::chrono::seconds(*opened));
    return point;
  };
  add({titled(1, "a", "Zed", 5), titled(2, "b", "Abe", std::nullopt), titled(3, "d", "Moe", 9)});
  add({titled(4, "c", "Moe", 9), chunk(5, "d", {})});
  const auto listed = [&](KnowledgeIndex::Order order, size_t limit) {
    std::string ids;
    const auto payloads = index().list({}, order, limit);
    for (const Payload& payload : *payloads) ids += payload.doc_id;
    return ids;
  };
  EXPECT_EQ(listed(KnowledgeIndex::Order::kNewest, 9), "cdab");
  EXPECT_EQ(listed(KnowledgeIndex::Order::kTitle, 9), "bcda");
  EXPECT_EQ(listed(KnowledgeIndex::Order::kNewest, 2), "cd");
}

TEST_P(KnowledgeIndexContract, FacetsCountDocumentsAndJoinSpellings) {
  Point a = document(1, "a", {}), b = document(2, "b", {}), c = chunk(3, "b", {});
  a.payload.services = {"Checkout", "checkout", "ledger"};
  b.payload.services = c.payload.services = {"CHECKOUT", ""};
  a.payload.kind = Kind::kIncident;
  b.payload.kind = Kind::kKnownIssue;
  add({a});
  add({b, c});
  EXPECT_THAT(*index().facet(Facet::kService, {}),
              ElementsAre(FacetCount{"CHECKOUT", 2}, FacetCount{"ledger", 1}));
  EXPECT_THAT(*index().facet(Facet::kService, where([&](Filter& f) { f.ids = {"a"}; })),
              ElementsAre(FacetCount{"Checkout", 1}, FacetCount{"ledger", 1}));
  EXPECT_THAT(*index().facet(Facet::kKind, {}),
              ElementsAre(FacetCount{"incident", 1}, FacetCount{"known_issue", 1}));
  EXPECT_THAT(*index().facet(Facet::kStatus, {}), IsEmpty());
}

}  // namespace precedent
