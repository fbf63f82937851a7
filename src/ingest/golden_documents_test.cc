// The store's served examples and the documents of the index, kept in step; also after an
// interruption.
#include "ingest/golden_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

GoldenExample served(std::string id, std::string question) {
  GoldenExample e;
  e.id = std::move(id);
  e.question = std::move(question);
  e.answer = "an answer";
  e.review = Review{"Ana", kNow};
  return e;
}

class GoldenDocuments : public ::testing::Test {
 protected:
  void put(const GoldenExample& example) {
    auto store = open();
    ASSERT_TRUE(store.put_golden({&example, 1}));
  }
  KnowledgeStore open() {
    return KnowledgeStore::open(store_file(lab.folder), KnowledgeStore::Access::kReadWrite).value();
  }
  // As KnowledgeWriter::publish_golden does it.
  IngestReport publish() {
    KnowledgeStore store = open();
    EmbeddedIndexCatalog indexes(lab.folder);
    IngestOptions options;
    options.prune = true;
    const CancelToken cancel;
    const IngestParts parts = {store, indexes,    &embedder,
                               words, paragraphs, golden_documents(store)};
    auto report = ingest(options, parts, nullptr, cancel);
    EXPECT_TRUE(report) << report.error().text();
    return report.value_or(IngestReport{});
  }
  std::vector<std::string> found() {
    std::vector<std::string> ids;
    const auto all = lab.searchable();
    for (const auto& [id, document] : *all) ids.push_back(id);
    return ids;
  }

  IngestLab lab;
  LetterEmbedder embedder;
};

TEST_F(GoldenDocuments, ServedOnesAreFoundByTheirQuestionOthersAreNot) {
  lab.documents = {note("a", "words")};
  ASSERT_TRUE(lab.run({}, &embedder));
  put(served("G-1", "why is it slow?"));
  GoldenExample unreviewed = served("G-2", "other");
  unreviewed.review.reset();
  put(unreviewed);
  EXPECT_FALSE(*golden_documents_in_step(open()));
  publish();
  EXPECT_TRUE(*golden_documents_in_step(open()));
  EXPECT_THAT(found(), ElementsAre("G-1", "a"));
  EXPECT_THAT(lab.searchable()->at("G-1").chunks, ElementsAre("why is it slow?"));
  EXPECT_EQ(lab.searchable()->at("G-1").vectors, 1u);
}

TEST_F(GoldenDocuments, ChangesAreFollowedAndTheRestIsLeftAlone) {
  lab.documents = {note("a", "words")};
  ASSERT_TRUE(lab.run());
  put(served("G-1", "why is it slow?"));
  put(served("G-2", "who is to blame?"));
  publish();
  put(served("G-1", "why is it so slow?"));
  put(deactivated(served("G-2", "who is to blame?"), kNow).value());
  const IngestReport report = publish();
  EXPECT_EQ(report.changed, 1u);
  EXPECT_EQ(report.removed, 1u);
  EXPECT_THAT(found(), ElementsAre("G-1", "a"));
  EXPECT_EQ(lab.searchable()->at("G-1").title, "why is it so slow?");
  EXPECT_EQ(publish().changed + publish().added + publish().removed, 0u);
}

TEST_F(GoldenDocuments, AnotherAnswerIsNoChangeOfTheIndex) {
  put(served("G-1", "why is it slow?"));
  publish();
  GoldenExample better = served("G-1", "why is it slow?");
  better.answer = "a better answer";
  put(better);
  EXPECT_TRUE(*golden_documents_in_step(open()));
}

TEST_F(GoldenDocuments, AnOrdinaryIngestNeitherRemovesNorMakesThem) {
  put(served("G-1", "why is it slow?"));
  publish();
  Document posing = note("b", "words");
  posing.kind = Kind::kGolden;
  lab.documents = {note("a", "words"), posing};
  IngestOptions options;
  options.prune = true;
  const auto report = lab.run(options, &embedder);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->bad.size(), 1u);
  EXPECT_EQ(report->bad[0].field, "type");
  EXPECT_THAT(report->bad[0].message, HasSubstr("precedent golden import"));
  EXPECT_THAT(found(), ElementsAre("G-1", "a"));
}

TEST_F(GoldenDocuments, ADocumentThatTookTheIdIsLeftAlone) {
  put(served("b", "why is it slow?"));
  lab.documents = {note("b", "words")};
  ASSERT_TRUE(lab.run({}, &embedder));
  const IngestReport report = publish();
  ASSERT_EQ(report.bad.size(), 1u);
  EXPECT_THAT(report.bad[0].message, HasSubstr("'b' is also the id of the runbook"));
  EXPECT_THAT(lab.searchable()->at("b").chunks, ElementsAre("words"));
}

}  // namespace
}  // namespace precedent
