#include "ingest/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "files/files.h"
#include "index/segment_format.h"
#include "ingest/ingest_lab.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// added, changed, unchanged, removed, chunks, embedded, cached
std::vector<size_t> counts(const Result<IngestReport>& r) {
  EXPECT_TRUE(r) << r.error().text();
  if (!r) return {};
  return {r->added, r->changed, r->unchanged, r->removed, r->chunks, r->embedded, r->cached};
}

IngestOptions pruning() {
  IngestOptions options;
  options.prune = true;
  return options;
}

IngestOptions strict() {
  IngestOptions options;
  options.strict = true;
  return options;
}

// Every behaviour holds for both indexes.
class PipelineTest : public ::testing::TestWithParam<bool> {
 protected:
  PipelineTest() { lab.in_memory = GetParam(); }

  void expect_searchable(bool with_vectors = false) {
    const auto found = lab.searchable();
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(*found, lab.expected(with_vectors));
  }

  IngestLab lab;
};

INSTANTIATE_TEST_SUITE_P(Indexes, PipelineTest, ::testing::Bool(),
                         [](const auto& index) { return index.param ? "memory" : "embedded"; });

TEST_P(PipelineTest, WhatIsKnownByItsContentNeedNotBeReadAgain) {
  lab.documents = {note("a", "first words"), note("b", "other words"), note("c", "more words")};
  EXPECT_TRUE(lab.run());
  lab.documents[1].body = "changed words";
  lab.documents.pop_back();
  lab.names_content = true;
  lab.handed_on = 0;
  EXPECT_THAT(counts(lab.run(pruning())), ElementsAre(0, 1, 1, 1, 1, 0, 0));
  EXPECT_EQ(lab.handed_on, 1u);
  expect_searchable();
}

TEST_P(PipelineTest, IncidentsWithATitleAloneAreToldOf) {
  Document bare = note("INC-7", "");
  bare.kind = Kind::kIncident;
  lab.documents = {bare, note("b", "")};
  const auto report = lab.run();
  ASSERT_TRUE(report);
  EXPECT_THAT(report->warnings,
              ElementsAre("1 incident has a title and no text (INC-7): found by id and title "
                          "alone"));
}

TEST_P(PipelineTest, WhatIsIngestedIsFound) {
  lab.documents = {note("a", "first words\n\nsecond words"), note("b", "other words")};
  EXPECT_THAT(counts(lab.run()), ElementsAre(2, 0, 0, 0, 3, 0, 0));
  expect_searchable();
}

TEST_P(PipelineTest, AnUnchangedDocumentIsNeitherCutNorEmbeddedAgain) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "first words\n\nsecond words"), note("b", "other words")};
  EXPECT_THAT(counts(lab.run({}, &embedder)), ElementsAre(2, 0, 0, 0, 3, 3, 0));
  const size_t texts = embedder.embedded;
  EXPECT_THAT(counts(lab.run({}, &embedder)), ElementsAre(0, 0, 2, 0, 0, 0, 0));
  EXPECT_EQ(embedder.embedded, texts);
  expect_searchable(true);
}

TEST_P(PipelineTest, AChangedDocumentReplacesItsChunksAndEmbedsOnlyWhatIsNew) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one\n\ntwo\n\nthree"), note("b", "other words")};
  ASSERT_TRUE(lab.run({}, &embedder));
  lab.documents[0].body = "one\n\ntwo, corrected";
  EXPECT_THAT(counts(lab.run({}, &embedder)), ElementsAre(0, 1, 1, 0, 2, 1, 1));
  expect_searchable(true);
}

TEST_P(PipelineTest, PruneRemovesWhatVanishedFromTheSourceAndNothingElse) {
  lab.documents = {note("a", "x"), note("b", "x"), note("c", "x", "/other")};
  ASSERT_TRUE(lab.run());
  const auto other = lab.documents[2];
  lab.documents = {note("a", "x")};
  EXPECT_THAT(counts(lab.run()), ElementsAre(0, 0, 1, 0, 0, 0, 0)) << "only if asked";
  EXPECT_THAT(counts(lab.run(pruning())), ElementsAre(0, 0, 1, 1, 0, 0, 0));
  lab.documents.push_back(other);
  expect_searchable();
}

TEST_P(PipelineTest, PruneKeepsWhatMayOnlyBeUnreadable) {
  lab.documents = {note("a", "x"), note("b", "x"), note("c", "x")};
  ASSERT_TRUE(lab.run());
  lab.documents = {note("a", "x")};
  lab.bad = {{"notes/b.md", 3, "date", "no date"}};
  EXPECT_EQ(lab.run(pruning())->removed, 1u) << "c vanished, b is broken";
  lab.bad.clear();
  lab.unread = {{"/notes", ""}};
  EXPECT_EQ(lab.run(pruning())->removed, 0u);
  lab.unread.clear();
  EXPECT_EQ(lab.run(pruning())->removed, 1u);
  expect_searchable();
}

TEST_P(PipelineTest, AfterABadFilePruneRemovesWhatVanishedElsewhereAndSaysWhatItKept) {
  Document deep = note("deep", "x");
  deep.path = "./kb/notes/sub/deep.md";
  lab.documents = {note("a", "x"), note("gone", "x"), deep};
  ASSERT_TRUE(lab.run());
  lab.documents = {note("a", "x")};
  lab.unread = {{"/notes", "sub"}, {"/other", "gone.md"}};
  const auto report = lab.run(pruning());
  EXPECT_EQ(report->removed, 1u);
  EXPECT_THAT(report->not_pruned, ElementsAre(testing::Pair("./kb/notes/sub/deep.md", 1)));
  lab.documents.push_back(deep);
  expect_searchable();
}

TEST_P(PipelineTest, WhatIsReadyIsStoredAndSearchableBeforeALongIngestEnds) {
  for (int i = 0; i < 60; ++i) lab.documents.push_back(note("n" + std::to_string(i), "words"));
  IngestOptions options;
  options.batch_bytes = 1;
  options.transaction_time = options.publish_time = std::chrono::milliseconds(0);
  size_t stored = 0, found = 0;
  lab.before_document = [&](size_t i) {
    if (i != 59) return;
    stored = KnowledgeStore::open(store_file(lab.folder), KnowledgeStore::Access::kReadOnly)
                 ->counts()
                 ->documents;
    if (!lab.in_memory) found = lab.searchable()->size();
  };
  ASSERT_TRUE(lab.run(options));
  EXPECT_GT(stored, 30u) << "as a kill would leave it";
  if (!lab.in_memory) {
    EXPECT_GT(found, 20u);
  }
  expect_searchable();
}

TEST_P(PipelineTest, DocumentsAreRemovedByTheirIds) {
  lab.documents = {note("a", "x"), note("b", "y"), note("c", "z")};
  ASSERT_TRUE(lab.run());
  EXPECT_EQ(lab.remove({"b", "nobody"}, /*dry_run=*/true)->documents, 3u);
  expect_searchable();
  const auto report = lab.remove({"b", "c"}, /*dry_run=*/false);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->removed, 2u);
  EXPECT_EQ(report->documents, 1u);
  lab.documents.resize(1);
  expect_searchable();
}

TEST_P(PipelineTest, ADryRunReportsTheSameAndChangesNothing) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one\n\ntwo"), note("b", "shared words"), note("gone", "x")};
  ASSERT_TRUE(lab.run({}, &embedder));
  const auto before = *lab.searchable();
  lab.documents = {note("a", "one\n\nthree"), note("b", "shared words"), note("d", "new"),
                   note("e", "new\n\nmore")};
  lab.documents[3].title = lab.documents[2].title;  // so that one text comes twice
  const IngestOptions options = pruning();
  IngestOptions dry = options;
  dry.dry_run = true;
  const size_t texts = embedder.embedded;
  const auto predicted = counts(lab.run(dry, &embedder));
  EXPECT_EQ(embedder.embedded, texts);
  EXPECT_EQ(*lab.searchable(), before);
  EXPECT_EQ(counts(lab.run(options, &embedder)), predicted);
  EXPECT_THAT(predicted, ElementsAre(2, 1, 1, 1, 5, 3, 2));
  expect_searchable(true);
}

TEST_P(PipelineTest, BadRecordsAreReportedAndTheRestIsLoaded) {
  lab.documents = {note("a", "x")};
  lab.bad = {{"notes/broken.md", 3, "date", "no date"}};
  const auto report = lab.run();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->bad, lab.bad);
  EXPECT_EQ(report->bad_count, 1u);
  expect_searchable();
}

TEST_P(PipelineTest, AFileWithoutANeededColumnIsReportedOnce) {
  const auto without = [](size_t line, std::string field) {
    BadRecord bad{"calls.csv", line, std::move(field), "is missing or blank; --map"};
    bad.unmapped = true;
    return bad;
  };
  lab.bad = {without(2, "incident_id"), without(3, "incident_id"), without(4, "incident_id"),
             without(4, "title")};
  const auto report = lab.run();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->bad_count, 4U);
  ASSERT_EQ(report->bad.size(), 2U);
  EXPECT_EQ(report->bad[0].text(),
            "calls.csv:2 and 2 more records: 'incident_id': is missing or blank; --map");
}

TEST_P(PipelineTest, StrictLoadsNothingIfAnythingIsBad) {
  lab.documents = {note("a", "x")};
  lab.bad = {{"notes/broken.md", 3, "date", "no date"}};
  const auto report = lab.run(strict());
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->refused);
  EXPECT_EQ(report->bad, lab.bad);
  EXPECT_THAT(*lab.searchable(), IsEmpty());
  lab.bad.clear();
  EXPECT_EQ(lab.run(strict())->added, 1u);
  expect_searchable();
}

TEST_P(PipelineTest, AnIdThatComesTwiceIsBadUnlessItSaysTheSame) {
  lab.documents = {note("a", "x"), note("a", "x"), note("a", "y")};
  const auto report = lab.run();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->added, 1u);
  ASSERT_THAT(report->bad, SizeIs(1));
  EXPECT_EQ(report->bad[0].line, 3u);
  EXPECT_THAT(report->bad[0].message, HasSubstr("notes/a.md:1"));
}

TEST_P(PipelineTest, WeightsThatComeLaterGiveVectorsToWhatIsThere) {
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run());
  expect_searchable(false);
  LetterEmbedder embedder;
  lab.documents.push_back(note("c", "four"));
  const auto report = lab.run({}, &embedder);
  EXPECT_THAT(counts(report), ElementsAre(1, 0, 2, 0, 1, 4, 0));
  EXPECT_THAT(report->repaired, HasSubstr("letters-1"));
  expect_searchable(true);
  EXPECT_EQ(lab.run({}, &embedder)->repaired, "");
}

TEST_P(PipelineTest, AnotherModelEmbedsEverythingAgain) {
  LetterEmbedder first("letters-1", 8), second("letters-2", 5);
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run({}, &first));
  EXPECT_EQ(lab.run({}, &second)->embedded, 3u);
  expect_searchable(true);
  EXPECT_EQ(lab.run({}, &second)->repaired, "");
}

TEST_P(PipelineTest, WithoutWeightsTheVectorsThatAreThereStay) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one\n\ntwo")};
  ASSERT_TRUE(lab.run({}, &embedder));
  ASSERT_TRUE(lab.run());
  expect_searchable(true);
  lab.documents.push_back(note("b", "three"));
  ASSERT_TRUE(lab.run());
  EXPECT_EQ(lab.searchable()->at("b").vectors, 0u);
  ASSERT_TRUE(lab.run({}, &embedder));
  expect_searchable(true);
}

TEST_P(PipelineTest, AnIndexThatLagsIsBroughtUpToDate) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three"), note("c", "four")};
  ASSERT_TRUE(lab.run({}, &embedder));
  {
    // As if killed between the store and the index.
    auto store = KnowledgeStore::open(store_file(lab.folder), KnowledgeStore::Access::kReadWrite);
    StoreUpdate update;
    update.remove = {"c"};
    NewDocument changed;
    changed.document = note("a", "one, changed");
    changed.hash = preparation_mark(changed.document);
    changed.chunks.push_back({paragraphs(changed.document)[0], "key"});
    changed.model_id = update.model_id = "letters-1";
    update.vectors = {{"key", std::vector<float>(8, 1.0f)}};
    update.put = {changed};
    ASSERT_TRUE(store->apply(update));
  }
  lab.documents = {note("a", "one, changed"), note("b", "three")};
  const auto report = lab.run({}, &embedder);
  EXPECT_THAT(counts(report), ElementsAre(0, 0, 2, 0, 0, 0, 0));
  EXPECT_THAT(report->repaired, HasSubstr("lagged"));
  expect_searchable(true);
}

TEST_P(PipelineTest, WhatAnotherVersionCutIsCutAgain) {
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run());
  {
    auto store = KnowledgeStore::open(store_file(lab.folder), KnowledgeStore::Access::kReadWrite);
    NewDocument old;
    old.document = lab.documents[0];
    old.hash = content_hash(old.document) + ".0";
    old.chunks.push_back({{0, {}, "one two", {}}, "key"});
    ASSERT_TRUE(store->apply({.put = {old}}));
    const auto states = *store->states();
    EXPECT_EQ(std::ranges::count_if(states, is_of_these_rules, &DocumentState::hash), 1);
  }
  EXPECT_THAT(counts(lab.run()), ElementsAre(0, 1, 1, 0, 2, 0, 0));
  expect_searchable();
  EXPECT_THAT(counts(lab.run()), ElementsAre(0, 0, 2, 0, 0, 0, 0));
}

TEST_P(PipelineTest, AMissingIndexIsRebuiltWithoutEmbedding) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run({}, &embedder));
  lab.memory.indexes.clear();
  fs::remove_all(lab.folder / "index");
  const size_t texts = embedder.embedded;
  const auto report = lab.run({}, &embedder);
  EXPECT_THAT(report->repaired, HasSubstr("missing"));
  EXPECT_EQ(embedder.embedded, texts);
  expect_searchable(true);
}

TEST_P(PipelineTest, OtherParametersBuildANewIndex) {
  lab.documents = {note("a", "one")};
  ASSERT_TRUE(lab.run());
  IngestOptions options;
  options.bm25.k1 = 2;
  EXPECT_THAT(lab.run(options)->repaired, HasSubstr("format"));
  expect_searchable();
}

TEST_P(PipelineTest, AveragesThatDriftRebuildTheIndex) {
  for (int i = 0; i < 10; ++i)
    lab.documents.push_back(note("short" + std::to_string(i), "two words"));
  ASSERT_FALSE(lab.run()->rebuilt);
  std::string words;
  for (int i = 0; i < 50; ++i) words += "word" + std::to_string(i) + " ";
  for (int i = 0; i < 5; ++i) lab.documents.push_back(note("long" + std::to_string(i), words));
  EXPECT_TRUE(lab.run()->rebuilt);
  expect_searchable();
  EXPECT_FALSE(lab.run()->rebuilt);
}

TEST_P(PipelineTest, ManySmallBatchesGiveWhatOneLargeGives) {
  LetterEmbedder embedder;
  for (int i = 0; i < 200; ++i) {
    lab.documents.push_back(
        note("n" + std::to_string(i), "words of " + std::to_string(i) + "\n\nand more\n\n" +
                                          std::string(static_cast<size_t>(i % 7), 'x') + "."));
  }
  IngestOptions options;
  options.threads = 3;
  options.batch_bytes = 100;
  options.transaction_bytes = 300;
  options.publish_bytes = 700;
  const auto report = lab.run(options, &embedder);
  EXPECT_EQ(report->added, 200u);
  EXPECT_EQ(report->embedded + report->cached, report->chunks);
  expect_searchable(true);
}

TEST(PipelineOnDiskTest, AnIndexThatCannotBeWrittenStopsTheIngestAndCatchesUpLater) {
  IngestLab lab;
  lab.documents = {note("first", "some words")};
  ASSERT_TRUE(lab.run());
  const fs::path folder = fs::directory_iterator(lab.folder / "index")->path();
  const std::string refused = (folder / "segment-00000002").string();
  set_file_hook([&](FileStep, const fs::path& path) {
    return path.string().starts_with(refused) ? EACCES : 0;
  });
  for (int i = 0; i < 50; ++i) lab.documents.push_back(note("n" + std::to_string(i), "some words"));
  IngestOptions options;
  options.batch_bytes = options.transaction_bytes = 1;
  options.publish_bytes = 100;
  const auto failed = lab.run(options);
  set_file_hook({});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr(refused));
  EXPECT_THAT(lab.run(options)->repaired, HasSubstr("lagged"));
  EXPECT_EQ(*lab.searchable(), lab.expected(false));
}

TEST(PipelineOnDiskTest, AnIndexOfAnotherFormatIsRebuilt) {
  IngestLab lab;
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run());
  const fs::path segment =
      fs::directory_iterator(lab.folder / "index")->path() / "segment-00000001";
  std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(offsetof(SegmentHeader, version)).put(kSegmentVersion - 1);
  file.close();
  ASSERT_FALSE(lab.searchable());
  EXPECT_THAT(lab.run()->repaired, HasSubstr("format 0"));
  EXPECT_EQ(*lab.searchable(), lab.expected(false));
}

TEST(PipelineOnDiskTest, UpdatesOfTheIndexGrowWithWhatWasPublished) {
  IngestLab lab;
  const std::string body(94, 'x');
  for (int i = 10; i < 60; ++i) lab.documents.push_back(note(std::to_string(i), body));
  IngestOptions options;
  options.batch_bytes = options.transaction_bytes = 100;
  options.publish_bytes = 2000;
  options.publish_time = std::chrono::hours(1);
  ASSERT_TRUE(lab.run(options));
  // Of 50 documents 10, 10 and 20; the rest when all are read. Four segments are merged to one.
  const fs::path folder = fs::directory_iterator(lab.folder / "index")->path();
  EXPECT_TRUE(fs::exists(folder / "segment-00000005"));
  EXPECT_FALSE(fs::exists(folder / "segment-00000006"));
}

TEST_P(PipelineTest, CancelledInTheMiddleItLeavesWhatIsStoredSearchable) {
  for (int i = 0; i < 300; ++i)
    lab.documents.push_back(note("n" + std::to_string(i), "some words"));
  IngestOptions options;
  options.batch_bytes = options.transaction_bytes = 100;
  options.publish_bytes = 1000;
  lab.before_document = [&](size_t i) {
    if (i == 200) lab.cancel.cancel();
  };
  const auto report = lab.run(options);
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_TRUE(report->cancelled);
  const auto found = lab.searchable();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), report->added) << "what is counted is found";
  EXPECT_EQ(found->size(), report->documents);
  EXPECT_LE(found->size(), 200u);
}

TEST_P(PipelineTest, AnEmbedderThatFailsStopsTheIngestAndLosesNothing) {
  LetterEmbedder embedder;
  lab.documents = {note("a", "one")};
  ASSERT_TRUE(lab.run({}, &embedder));
  const auto before = *lab.searchable();
  lab.documents.push_back(note("b", "two"));
  embedder.fails = true;
  const auto failed = lab.run({}, &embedder);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(*lab.searchable(), before);
  embedder.fails = false;
  ASSERT_TRUE(lab.run({}, &embedder));
  expect_searchable(true);
}

TEST_P(PipelineTest, TheSourceADocumentComesFromMayChange) {
  lab.documents = {note("a", "x")};
  ASSERT_TRUE(lab.run());
  lab.documents[0].source = "/elsewhere";
  EXPECT_EQ(lab.run()->changed, 1u) << "so that --prune knows its new home";
  lab.documents.clear();
  EXPECT_EQ(lab.run(pruning())->removed, 0u);
}

class Recorder final : public ProgressSink {
 public:
  void progress(const Progress& p) override { all.push_back(p); }
  std::vector<Progress> all;
};

TEST_P(PipelineTest, ProgressEndsAtItsTotal) {
  Recorder recorder;
  lab.progress = &recorder;
  for (int i = 0; i < 50; ++i) lab.documents.push_back(note("n" + std::to_string(i), "a\n\nb"));
  ASSERT_TRUE(lab.run());
  ASSERT_FALSE(recorder.all.empty());
  for (const Progress& p : recorder.all) EXPECT_LE(p.done, p.total);
  EXPECT_EQ(recorder.all.back().stage, Progress::Stage::kIngesting);
  EXPECT_EQ(recorder.all.back().done, 50u);
  EXPECT_EQ(recorder.all.back().chunks, 100u);
}

TEST(PipelineOnDisk, ADamagedIndexIsRebuilt) {
  IngestLab lab;
  lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
  ASSERT_TRUE(lab.run());
  for (const auto& entry : fs::recursive_directory_iterator(lab.folder / "index")) {
    if (entry.is_regular_file()) std::ofstream(entry.path()) << "damaged";
  }
  EXPECT_FALSE(lab.searchable());
  const auto report = lab.run();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_THAT(report->repaired, HasSubstr("damaged"));
  EXPECT_EQ(*lab.searchable(), lab.expected(false));
}

TEST(PipelineOnDisk, AnEntryOfTheWrongTypeIsReplaced) {
  for (const char* name : {"manifest", "segment-00000001", "lock", "."}) {
    IngestLab lab;
    lab.documents = {note("a", "one\n\ntwo"), note("b", "three")};
    ASSERT_TRUE(lab.run());
    const fs::path folder = fs::directory_iterator(lab.folder / "index")->path();
    const bool whole = std::string_view(name) == ".";
    fs::remove_all(whole ? lab.folder / "index" : folder / name);
    if (whole)
      std::ofstream(lab.folder / "index") << "no folder";
    else
      fs::create_directories(folder / name / "full");
    const auto report = lab.run();
    ASSERT_TRUE(report) << name << report.error().text();
    EXPECT_THAT(report->repaired, HasSubstr("rebuilt")) << name;
    EXPECT_EQ(*lab.searchable(), lab.expected(false)) << name;
    lab.documents.push_back(note("c", "four"));
    ASSERT_TRUE(lab.run());
    EXPECT_EQ(*lab.searchable(), lab.expected(false)) << name;
  }
}

TEST(PipelineOnDisk, ALostStoreStartsAnewBesideTheOldIndex) {
  IngestLab lab;
  lab.documents = {note("a", "one"), note("b", "two")};
  ASSERT_TRUE(lab.run());
  for (const char* suffix : {"", "-wal", "-shm"})
    fs::remove(store_file(lab.folder).string() + suffix);
  lab.documents = {note("c", "three")};
  ASSERT_TRUE(lab.run());
  EXPECT_EQ(*lab.searchable(), lab.expected(false)) << "nothing of the old index is found";
}

}  // namespace
}  // namespace precedent
