#include "ingest/version_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingest/ingest_lab.h"
#include "ingest/intake/intake.h"

namespace precedent {
namespace {

using testing::ElementsAre;

constexpr TimePoint kNow(std::chrono::seconds(1));

Document incident(const std::string& id, const std::string& title, const std::string& path) {
  Document document;
  document.id = id;
  document.kind = Kind::kIncident;
  document.title = title;
  document.path = path;
  document.source = kVersionSource;
  document.body_line = 0;
  return document;
}

class VersionRecordsTest : public testing::Test {
 protected:
  uint64_t version(const std::vector<Document>& records) {
    const uint64_t number = versions_.create({.name = "an export"}, kNow)->number;
    EXPECT_TRUE(versions_.validated(number, records, {records.size(), 0, 0}, "{}", kNow));
    return number;
  }
  void put(const std::vector<Document>& records) {
    StoreUpdate update;
    for (const Document& record : records)
      update.put.push_back({record, preparation_mark(record), {}, {}, ""});
    ASSERT_TRUE(store_.apply(update));
  }
  // Ids of the records that an activation of the version would prepare anew.
  std::vector<std::string> prepared(uint64_t number) {
    IngestReport report;
    std::vector<std::string> ids;
    const CancelToken cancel;
    Intake intake(*store_.states(), 1, cancel, report);
    intake.emit_to([&](PreparedBatch&& batch) -> Result<void> {
      for (const PreparedDocument& item : batch.documents) ids.push_back(item.stored.document.id);
      return {};
    });
    const auto read = version_records(versions_, number)({}, intake);
    EXPECT_TRUE(read);
    EXPECT_TRUE(intake.finish());
    vanished_ = intake.vanished(*read).ids;
    return ids;
  }

  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  DatasetVersions versions_{store_};
  std::vector<std::string> vanished_;
};

TEST_F(VersionRecordsTest, OnlyWhatSaysOtherwiseIsPreparedWhateverItsFileIsCalled) {
  put({incident("INC-1", "One", "july.csv"), incident("INC-2", "Two", "july.csv"),
       incident("INC-3", "Three", "july.csv")});
  const uint64_t august = version({incident("INC-1", "One", "august.csv"),
                                   incident("INC-2", "Two, in other words", "august.csv"),
                                   incident("INC-4", "Four", "august.csv")});
  EXPECT_THAT(prepared(august), ElementsAre("INC-2", "INC-4"));
  EXPECT_THAT(vanished_, ElementsAre("INC-3"));
}

TEST_F(VersionRecordsTest, AVersionThatIsReadyKeepsItsVectors) {
  IngestLab lab;
  LetterEmbedder embedder;
  const TimePoint at(std::chrono::seconds(1));
  constexpr size_t kMany = 1200;  // more than the spare vectors of a small knowledge base
  std::vector<Document> records;
  for (size_t i = 0; i < kMany; ++i) {
    records.push_back(incident("INC-" + std::to_string(i), "One", "july.csv"));
    records.back().body = "words of " + std::to_string(i);
  }
  uint64_t number = 0;
  {
    KnowledgeStore store =
        KnowledgeStore::open(lab.address(), KnowledgeStore::Access::kReadWrite).value();
    DatasetVersions versions(store);
    number = versions.create({.name = "an export"}, at)->number;
    ASSERT_TRUE(versions.validated(number, records, {kMany, 0, 0}, "{}", at));
    ASSERT_TRUE(versions.move(number, VersionState::kIngesting, at));
  }
  lab.documents = records;
  IngestOptions vectors_only;
  vectors_only.vectors_only = true;
  ASSERT_TRUE(lab.run(vectors_only, &embedder));
  lab.documents = {note("a", "other words")};
  ASSERT_TRUE(lab.run({}, &embedder));
  const auto kept = [&] {
    return KnowledgeStore::open(lab.address(), KnowledgeStore::Access::kReadOnly)
        ->counts()
        ->vectors;
  };
  EXPECT_EQ(kept(), kMany + 1);
  {
    KnowledgeStore store =
        KnowledgeStore::open(lab.address(), KnowledgeStore::Access::kReadWrite).value();
    ASSERT_TRUE(DatasetVersions(store).move(number, VersionState::kReady, at));
    ASSERT_TRUE(DatasetVersions(store).move(number, VersionState::kDiscarded, at));
  }
  ASSERT_TRUE(lab.run({}, &embedder));
  EXPECT_EQ(kept(), 1U);
}

TEST_F(VersionRecordsTest, WhatAnotherSourceBroughtIsTakenOver) {
  Document same = incident("INC-1", "One", "july.csv");
  same.source = "/notes";
  put({same});
  EXPECT_THAT(prepared(version({incident("INC-1", "One", "july.csv")})), ElementsAre("INC-1"));
}

}  // namespace
}  // namespace precedent
