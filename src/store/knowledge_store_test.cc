// What every knowledge store does, over SQLite and over PostgreSQL.
#include "store/knowledge_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "2025-01-31"
TimePoint day(std::string_view date) {
  int year = 0;
  unsigned month = 0, day_of_month = 0;
  EXPECT_EQ(std::sscanf(std::string(date).c_str(), "%d-%u-%u", &year, &month, &day_of_month), 3);
  return std::chrono::sys_days(std::chrono::year(year) / month / day_of_month);
}

Document incident(std::string id, std::string application = "PayU Core",
                  std::string_view date = "") {
  Document d;
  d.id = std::move(id);
  d.kind = Kind::kIncident;
  d.title = "title of " + d.id;
  d.body = "## Description\nbody of " + d.id;
  d.source = "/exports/incidents.json";
  d.application = std::move(application);
  if (!date.empty()) d.opened_at = day(date);
  return d;
}

Document full_document() {
  Document d = incident("INC-2025-01-20-005", "Größe & Co", "2025-01-20");
  d.path = "exports/incidents.json";
  d.services = {"checkout-api", "payment, \"core\""};
  d.symptoms = {"HTTP 403"};
  d.tags = {"payu", "日本語"};
  d.severity = "SEV1";
  d.status = "resolved";
  d.updated_at = day("2025-01-21");
  d.resolved_at = day("1969-12-31");
  d.attributes = {{"root_cause", "a \"quoted\"\nline"}, {"", "empty key"}};
  d.body_line = 7;
  return d;
}

NewDocument with_chunks(Document d, std::vector<std::string> texts) {
  NewDocument item;
  item.hash = content_hash(d);
  item.document = std::move(d);
  for (std::string& text : texts) {
    Chunk chunk;
    chunk.ordinal = static_cast<uint32_t>(item.chunks.size());
    chunk.heading = {"Outer", "Inner"};
    chunk.lines = {chunk.ordinal + 1, chunk.ordinal + 9};
    chunk.text = std::move(text);
    std::string key = content_hash(chunk.text);
    item.chunks.push_back({std::move(chunk), std::move(key)});
  }
  item.lengths = {2, 3, 4, 5, static_cast<uint32_t>(10 * item.chunks.size())};
  return item;
}

StoreUpdate put(std::vector<Document> documents) {
  StoreUpdate update;
  for (Document& d : documents) update.put.push_back(with_chunks(std::move(d), {"one", "two"}));
  return update;
}

std::vector<std::string> ids(const Result<std::vector<Document>>& documents) {
  std::vector<std::string> out;
  if (!documents) return {documents.error().text()};
  for (const Document& d : *documents) out.push_back(d.id);
  return out;
}

class KnowledgeStoreTest : public StoreContract {};
OVER_EVERY_STORE(KnowledgeStoreTest);

TEST_P(KnowledgeStoreTest, ADocumentComesBackWithEveryFieldAfterReopening) {
  const Document d = full_document();
  {
    ASSERT_TRUE(open().apply(put({d})));
  }
  KnowledgeStore store = open(Access::kReadOnly);
  const auto found = store.find(d.id);
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_TRUE(*found);
  EXPECT_EQ(**found, d);
  EXPECT_EQ(*store.find("INC-none"), std::nullopt);
}

TEST_P(KnowledgeStoreTest, ChunksComeBackInOrderWithTheirPoints) {
  KnowledgeStore store = open();
  StoreUpdate update;
  update.put = {with_chunks(incident("A"), {"a0", "a1", "a2"}), with_chunks(incident("B"), {})};
  const auto committed = store.apply(update);
  ASSERT_TRUE(committed) << committed.error().text();
  EXPECT_EQ(committed->version, 1u);
  ASSERT_THAT(committed->points, SizeIs(2));
  EXPECT_GT(committed->points[1], committed->points[0] + 3) << "the chunks' ids lie between";
  const auto stored = store.stored(std::vector<std::string>{"B", "no such", "A"});
  ASSERT_TRUE(stored);
  ASSERT_THAT(*stored, SizeIs(2));
  EXPECT_THAT((*stored)[0].chunks, IsEmpty());
  EXPECT_EQ((*stored)[1].point, committed->points[0]);
  EXPECT_EQ((*stored)[1].lengths, update.put[0].lengths);
  ASSERT_THAT((*stored)[1].chunks, SizeIs(3));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*stored)[1].chunks[i].chunk, update.put[0].chunks[i].chunk);
    EXPECT_EQ((*stored)[1].chunks[i].embedding_key, update.put[0].chunks[i].embedding_key);
  }
}

TEST_P(KnowledgeStoreTest, ReplacingADocumentRemovesItsOldChunksAndNeverReusesTheirPoints) {
  KnowledgeStore store = open();
  StoreUpdate update;
  update.put = {with_chunks(incident("A"), {"old0", "old1"})};
  const uint64_t old_point = store.apply(update)->points[0];
  update.put = {with_chunks(incident("A", "Other"), {"new"})};
  const uint64_t new_point = store.apply(update)->points[0];
  EXPECT_GT(new_point, old_point + 2);
  EXPECT_EQ(store.counts()->documents, 1u);
  EXPECT_EQ(store.counts()->chunks, 1u);
  EXPECT_EQ(store.stored(std::vector<std::string>{"A"})->at(0).chunks.at(0).chunk.text, "new");
  ASSERT_TRUE(store.apply({.remove = {"A"}, .put = {}, .model_id = {}, .vectors = {}}));
  EXPECT_GT(store.apply(put({incident("B")}))->points[0], new_point + 1)
      << "also after the highest is gone";
  EXPECT_THAT(*store.problems(), IsEmpty());
}

TEST_P(KnowledgeStoreTest, ChangesSinceAVersionTellWhatAnIndexThatLagsMustDo) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put({incident("A"), incident("B"), incident("C")})));
  const uint64_t seen = *store.version();
  EXPECT_THAT(store.changes_since(seen)->changed, IsEmpty());
  StoreUpdate update = put({incident("B", "changed"), incident("D")});
  update.remove = {"A", "never was"};
  ASSERT_TRUE(store.apply(update));
  ASSERT_TRUE(store.apply({.remove = {"C"}, .put = {}, .model_id = {}, .vectors = {}}));
  ASSERT_TRUE(store.apply(put({incident("C", "came back")})));
  const auto changes = store.changes_since(seen);
  EXPECT_EQ(changes->version, *store.version());
  EXPECT_THAT(changes->removed, ElementsAre("A"));
  EXPECT_THAT(changes->changed, ElementsAre("B", "D", "C"));
  EXPECT_THAT(store.changes_since(0)->changed, ElementsAre("B", "D", "C"));
}

TEST_P(KnowledgeStoreTest, AnUpdateThatFailsLeavesNothingOfItself) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put({incident("A")})));
  // A second connection that holds the write lock stands for any failure in the middle.
  StoreUpdate update = put({incident("B")});
  update.remove = {"A"};
  update.put.push_back(update.put[0]);  // B twice: the second replaces the first
  {
    const auto other = lab_->tables();
    auto held = db::SqlTransaction::begin(*other);
    const auto refused = open(Access::kReadOnly).apply(update);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kPermission);
  }
  EXPECT_TRUE(*store.find("A"));
  ASSERT_TRUE(store.apply(update));
  EXPECT_EQ(store.counts()->documents, 1u);
  EXPECT_THAT(*store.problems(), IsEmpty());
}

TEST_P(KnowledgeStoreTest, IncidentsAreOrderedAndLimitedByWhenTheyBegan) {
  KnowledgeStore store = open();
  ASSERT_TRUE(
      store.apply(put({incident("INC-2025-03-10-001"), incident("X1", "a", "2025-03-12"),
                       incident("X2"), incident("INC-2024-01-01-001", "a", "2025-03-11")})));
  EXPECT_THAT(ids(store.list(Kind::kIncident, 10)),
              ElementsAre("X1", "INC-2024-01-01-001", "INC-2025-03-10-001", "X2"));
  EXPECT_THAT(ids(store.list(Kind::kIncident, 2)), ElementsAre("X1", "INC-2024-01-01-001"))
      << "an opened_at beats the date in the id";
}

TEST_P(KnowledgeStoreTest, NamesAreCountedUnderFoldingAndShownAsWrittenLast) {
  KnowledgeStore store = open();
  Document a = incident("A", "PayU Core"), b = incident("B", "payu core"), c = incident("C", "");
  a.services = {"checkout-api", "ledger"};
  b.services = {"Checkout-API"};
  ASSERT_TRUE(store.apply(put({a, b, c})));
  EXPECT_THAT(*store.applications(), ElementsAre(NameCount{"payu core", 2}));
  EXPECT_THAT(*store.services(), ElementsAre(NameCount{"Checkout-API", 2}, NameCount{"ledger", 1}));
}

TEST_P(KnowledgeStoreTest, VectorsAreKeptByTextAndModel) {
  KnowledgeStore store = open();
  StoreUpdate update;
  update.put = {with_chunks(incident("A"), {"one"})};
  update.put[0].model_id = update.model_id = "m1";
  update.vectors = {{content_hash("one"), {0.25f, -1.0f, 3e-30f}}};
  ASSERT_TRUE(store.apply(update));
  const std::vector<std::string> keys = {content_hash("two"), content_hash("one")};
  EXPECT_THAT(*store.vectors("m1", keys),
              ElementsAre(IsEmpty(), ElementsAre(0.25f, -1.0f, 3e-30f)));
  EXPECT_THAT(*store.vectors("m2", keys), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(*store.without_vectors_of("m1"), IsEmpty());
  EXPECT_THAT(*store.without_vectors_of("m2"), ElementsAre("A"));

  const uint64_t before = *store.version();
  const std::vector<std::string> documents = {"A"};
  const std::vector<NewVector> vectors = {{content_hash("one"), {1.0f}}};
  ASSERT_TRUE(store.put_vectors(documents, "m2", vectors));
  EXPECT_THAT(*store.without_vectors_of("m2"), IsEmpty());
  EXPECT_THAT(store.changes_since(before)->changed, ElementsAre("A"))
      << "the index must learn of them";
  ASSERT_TRUE(store.cache_vectors("m2", std::vector<NewVector>{{content_hash("two"), {2.0f}},
                                                               {content_hash("three"), {3.0f}}}));
  EXPECT_EQ(*store.drop_unused_vectors("m2", {content_hash("two")}), 2u) << "m1's, and three";
  EXPECT_THAT(*store.vectors("m2", keys), ElementsAre(ElementsAre(2.0f), ElementsAre(1.0f)));
  EXPECT_EQ(*store.drop_unused_vectors("m2"), 1u);
  EXPECT_THAT(*store.vectors("m1", keys), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_THAT(*store.vectors("m2", keys), ElementsAre(IsEmpty(), ElementsAre(1.0f)));
}

TEST_P(KnowledgeStoreTest, ADocumentWithoutVectorsLacksThoseOfEveryModel) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put({incident("A")})));
  EXPECT_THAT(*store.without_vectors_of("m1"), ElementsAre("A"));
}

TEST_P(KnowledgeStoreTest, PagingThroughEverythingGivesEveryDocumentOnce) {
  KnowledgeStore store = open();
  std::vector<Document> documents;
  for (int i = 0; i < 23; ++i) documents.push_back(incident("I" + std::to_string(i)));
  ASSERT_TRUE(store.apply(put(documents)));
  for (const auto& [limit, max_bytes] :
       {std::pair<size_t, size_t>{5, 1 << 20}, {100, 60}, {100, 1}, {1000, 1 << 30}}) {
    std::vector<std::string> seen;
    for (uint64_t point = 0;;) {
      const auto page = store.stored_after(point, limit, max_bytes);
      ASSERT_TRUE(page);
      if (page->empty()) break;
      for (const StoredDocument& s : *page) seen.push_back(s.document.id);
      point = page->back().point;
    }
    EXPECT_EQ(seen.size(), 23u) << limit << " " << max_bytes;
    EXPECT_EQ(seen.front(), "I0");
    EXPECT_EQ(seen.back(), "I22");
  }
}

TEST_P(KnowledgeStoreTest, CorpusLengthsFollowEveryChange) {
  KnowledgeStore store = open();
  ASSERT_TRUE(
      store.apply(put({incident("A"), incident("B")})));  // two chunks each, lengths {2,3,4,5,20}
  const CorpusLengths both = {{4, 8, 10, 12, 40}, {2, 4, 8, 6, 40}};
  EXPECT_EQ(*store.corpus_lengths(), both);
  ASSERT_TRUE(store.apply({.remove = {"A"}, .put = {}, .model_id = {}, .vectors = {}}));
  const CorpusLengths one = {{2, 4, 5, 6, 20}, {1, 2, 4, 3, 20}};
  EXPECT_EQ(*store.corpus_lengths(), one);
}

TEST_P(KnowledgeStoreTest, DatasetsBecomeActiveOneAtATimeWithNamesOfTheirOwn) {
  KnowledgeStore store = open();
  EXPECT_EQ(store.active_build()->has_value(), false);
  const CorpusLengths lengths = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
  const IndexBuild first = *store.begin_build({3, "m1", 384, lengths});
  EXPECT_FALSE(*store.active_build()) << "begun is not active";
  ASSERT_TRUE(store.activate_build(first.number));
  const IndexBuild second = *store.begin_build({3, "", 0, {}});
  EXPECT_NE(first.collection, second.collection);
  EXPECT_EQ((*store.active_build())->collection, first.collection);
  EXPECT_EQ((*store.active_build())->lengths, lengths);
  EXPECT_EQ((*store.active_build())->model_id, "m1");
  ASSERT_TRUE(store.activate_build(second.number));
  EXPECT_EQ((*store.active_build())->number, second.number);
  ASSERT_THAT(*store.inactive_builds(), SizeIs(1));
  ASSERT_TRUE(store.forget_build(second.number));
  EXPECT_TRUE(*store.active_build()) << "the active one is not forgotten";
  ASSERT_TRUE(store.forget_build(first.number));
  EXPECT_THAT(*store.inactive_builds(), IsEmpty());
  EXPECT_NE(store.begin_build({})->collection, first.collection) << "names are never used again";
  EXPECT_EQ(store.activate_build(99).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(*store.active_build()) << "a failed activation changes nothing";
}

TEST_P(KnowledgeStoreTest, CountsAndStatesCoverAll) {
  KnowledgeStore store = open();
  Document runbook = incident("R");
  runbook.kind = Kind::kRunbook;
  runbook.source = "/runbooks";
  ASSERT_TRUE(store.apply(put({incident("A"), incident("B"), runbook})));
  const StoreCounts counts = *store.counts();
  EXPECT_EQ(counts.documents, 3u);
  EXPECT_EQ(counts.chunks, 6u);
  EXPECT_EQ(counts.sources, 2u);
  EXPECT_THAT(counts.by_kind,
              ElementsAre(std::pair(Kind::kIncident, 2u), std::pair(Kind::kRunbook, 1u)));
  const auto states = *store.states();
  ASSERT_THAT(states, SizeIs(3));
  EXPECT_EQ(states[2].id, "R");
  EXPECT_EQ(states[2].source, "/runbooks");
  EXPECT_EQ(states[2].kind, Kind::kRunbook);
  EXPECT_EQ(states[2].hash, content_hash(runbook));
}

TEST_P(KnowledgeStoreTest, SourcesAreThoseOfTheDocumentsThatAreThere) {
  KnowledgeStore store = open();
  EXPECT_THAT(*store.sources(), IsEmpty());
  Document runbook = incident("R");
  runbook.kind = Kind::kRunbook;
  runbook.source = "/Runbooks";
  ASSERT_TRUE(store.apply(put({incident("A"), incident("B"), runbook})));
  EXPECT_THAT(*store.sources(), ElementsAre("/Runbooks", "/exports/incidents.json"));
  const auto scoped = KnowledgeStore::open_scoped(lab_->address(), {.kinds = {Kind::kRunbook}});
  ASSERT_TRUE(scoped) << scoped.error().text();
  EXPECT_THAT(*scoped->sources(), ElementsAre("/Runbooks"));
  StoreUpdate gone;
  gone.remove = {"R"};
  ASSERT_TRUE(store.apply(gone));
  EXPECT_THAT(*store.sources(), ElementsAre("/exports/incidents.json"));
}

TEST_P(KnowledgeStoreTest, AReaderWorksWhileAWriterIsInATransaction) {
  KnowledgeStore writer = open();
  ASSERT_TRUE(writer.apply(put({incident("A")})));
  KnowledgeStore reader = open(Access::kReadOnly);
  const auto connection = lab_->tables();
  auto transaction = db::SqlTransaction::begin(*connection);
  ASSERT_TRUE(connection->run("DELETE FROM documents"));
  EXPECT_TRUE(*reader.find("A"));
}

TEST_P(KnowledgeStoreTest, ProblemsNameWhatIsMissing) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put({incident("A"), incident("B")})));
  EXPECT_THAT(*store.problems(), IsEmpty());
  {
    const auto connection = lab_->tables();
    ASSERT_TRUE(connection->run("DELETE FROM chunks WHERE point = 2"));
    ASSERT_TRUE(connection->run("DELETE FROM bodies WHERE point = 4"));
  }
  EXPECT_THAT(*store.problems(),
              ElementsAre(HasSubstr("document A"), HasSubstr("document B"), HasSubstr("differs")));
}

TEST_P(KnowledgeStoreTest, AScopeLeavesNothingElseToRead) {
  Document ours = incident("A", "Ledger"), theirs = incident("B", "Payroll"),
           listed = incident("C", "Other"), runbook = incident("D", "Ledger");
  listed.services = {"front", "LEDGER"};
  runbook.kind = Kind::kRunbook;
  Document nobodys = incident("E", "");
  {
    KnowledgeStore store = open();
    ASSERT_TRUE(store.apply(put({ours, theirs, listed, runbook, nobodys})));
    ASSERT_TRUE(store.add_feedback({.question = "q", .answer = "a"}));
    const GoldenExample golden[] = {{.id = "G-1", .question = "q", .answer = "a"}};
    ASSERT_TRUE(store.put_golden(golden));
  }
  const auto scoped = [&](const Scope& scope) {
    auto store = KnowledgeStore::open_scoped(lab_->address(), scope);
    EXPECT_TRUE(store) << store.error().text();
    return std::move(*store);
  };
  const KnowledgeStore store = scoped({.kinds = {Kind::kIncident}, .services = {"ledger"}});
  EXPECT_THAT(ids(store.list(Kind::kIncident, 10)), ElementsAre("A", "C"));
  EXPECT_THAT(ids(store.list(Kind::kRunbook, 10)), IsEmpty());
  EXPECT_EQ(*store.find("B"), std::nullopt);
  EXPECT_THAT(*store.stored(std::vector<std::string>{"A", "B", "D"}), SizeIs(1));
  EXPECT_EQ(store.counts()->documents, 2U);
  EXPECT_THAT(*store.applications(), ElementsAre(NameCount{"Ledger", 1}, NameCount{"Other", 1}));
  EXPECT_THAT(*store.states(), SizeIs(2));
  std::vector<std::string> bodies;
  ASSERT_TRUE(store.visit_bodies(Kind::kIncident,
                                 [&](const std::string& id, const std::string&, std::string_view) {
                                   bodies.push_back(id);
                                   return true;
                                 }));
  EXPECT_THAT(bodies, ElementsAre("A", "C"));
  EXPECT_THAT(*store.golden_examples(), IsEmpty());
  EXPECT_THAT(*store.feedback_list(false), IsEmpty());
  // A name is a value, never a part of a statement.
  EXPECT_EQ(scoped({.services = {"x') OR 1 --"}}).counts()->documents, 0U);
  EXPECT_THAT(*scoped({.kinds = {Kind::kGolden}}).golden_examples(), SizeIs(1));
}

TEST_P(KnowledgeStoreTest, OthersSeePathsBelowTheirSource) {
  const auto at = [](const std::string& id, const std::string& path, const std::string& source) {
    Document document = incident(id, "Ledger");
    document.path = path;
    document.source = source;
    return document;
  };
  {
    KnowledgeStore store = open();
    ASSERT_TRUE(store.apply(
        put({at("A", "/home/ann/docs/a/x.md", "/home/ann/docs"),
             at("B", "/home/ann/x.json", "/home/ann/x.json"),
             at("C", "/mnt/link/a/x.md", "/home/ann/docs"), at("D", "docs/x.md", "/home/ann/docs"),
             at("E", "https://wiki.example/x", "wiki"),
             at("F", "/home/ann/docs-old/x.md", "/home/ann/docs")})));
  }
  const auto store = KnowledgeStore::open_scoped(lab_->address(), {});
  ASSERT_TRUE(store) << store.error().text();
  std::vector<std::string> shown;
  for (const char* id : {"A", "B", "C", "D", "E", "F"}) shown.push_back((*store->find(id))->path);
  EXPECT_THAT(shown, ElementsAre("a/x.md", "x.json", "x.md", "docs/x.md", "https://wiki.example/x",
                                 "x.md"));
}

TEST_P(KnowledgeStoreTest, OthersSeeEachColumnOfADocument) {
  const Document whole = full_document();
  {
    KnowledgeStore store = open();
    ASSERT_TRUE(store.apply(put({whole})));
  }
  const KnowledgeStore store = KnowledgeStore::open_scoped(lab_->address(), {}).value();
  EXPECT_EQ(**store.find(whole.id), whole);
  EXPECT_EQ(store.stored_after(0, 10, 1 << 20)->front().document, whole);
  EXPECT_THAT(*store.changes_since(0), ::testing::Field(&Changes::changed, ElementsAre(whole.id)));
}

TEST_P(KnowledgeStoreTest, TheModelInUseIsThatOfTheIndexOrElseOfTheLastVectors) {
  KnowledgeStore store = open();
  EXPECT_EQ(*store.model_in_use(), "");
  const NewVector one[] = {{"key", {1.0f}}};
  for (const char* model : {"fp32", "int8"}) ASSERT_TRUE(store.cache_vectors(model, one));
  EXPECT_EQ(*store.model_in_use(), "int8");
  const IndexBuild build = *store.begin_build({3, "fp32", 1, {}});
  EXPECT_EQ(*store.model_in_use(), "int8") << "not active yet";
  ASSERT_TRUE(store.activate_build(build.number));
  EXPECT_EQ(*store.model_in_use(), "fp32");
}

}  // namespace
}  // namespace precedent
