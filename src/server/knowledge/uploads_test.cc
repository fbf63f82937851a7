#include "server/knowledge/uploads.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"
#include "server/knowledge/fake_knowledge_desk.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A clock that a test moves.
class MovedClock final : public Clock {
 public:
  TimePoint now() const override { return TimePoint(std::chrono::seconds(seconds.load())); }
  std::atomic<int64_t> seconds{1'800'000'000};
};

class UploadsTest : public ::testing::Test {
 protected:
  std::vector<fs::path> stored() const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "uploads", none))
      if (entry.is_regular_file() && entry.path().extension() != ".lock")
        files.push_back(entry.path());
    return files;
  }
  static std::string log_of(ChatTurn& turn) {
    const auto stream = turn.read();
    std::string all, piece;
    while (true) {
      piece.clear();  // what is next is added to it
      const auto state = stream->next(piece);
      if (state == HttpStream::State::kDone) return all;
      if (state == HttpStream::State::kPiece) all += piece;
      if (state == HttpStream::State::kWaiting) std::this_thread::yield();
    }
  }

  const TemporaryFolder folder_;
  MovedClock clock_;
  KnowledgeStore store_ =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  FakeKnowledgeDesk desk_{store_, folder_.path() / "uploads", clock_.now()};
};

TEST(CleanFileName, LeavesNoPathAndNothingThatHides) {
  EXPECT_EQ(clean_file_name("a.csv"), "a.csv");
  EXPECT_EQ(clean_file_name("../../etc/a.csv"), "a.csv");
  EXPECT_EQ(clean_file_name("C:\\x\\a.csv"), "a.csv");
  EXPECT_EQ(clean_file_name("..."), "");
  EXPECT_EQ(clean_file_name(".hidden.md"), "hidden.md");
  EXPECT_EQ(clean_file_name("a\x01\nb\xe2\x80\xae.csv"), "a b.csv");
  EXPECT_EQ(clean_file_name("\xff.csv"), "\xef\xbf\xbd.csv");
  const std::string cut = clean_file_name(std::string(300, 'a') + ".csv");
  EXPECT_EQ(cut.size(), 120U);
  EXPECT_TRUE(cut.ends_with("a.csv"));
}

TEST(UploadExtension, KnowsWhatCanBeRead) {
  EXPECT_EQ(upload_extension("A.CSV"), ".csv");
  EXPECT_EQ(upload_extension("a.b.jsonl"), ".jsonl");
  EXPECT_EQ(upload_extension("a.exe"), "");
  EXPECT_EQ(upload_extension("csv"), "");
  EXPECT_EQ(upload_extension(".csv"), "");
}

TEST_F(UploadsTest, FilesWaitUnderNamesOfOursForTheirOwnerAlone) {
  Uploads uploads(desk_, clock_);
  const auto upload = uploads.create({{"a.csv", "id\n1\n"}, {"b.md", "# B"}}, {.source = "Jira"});
  ASSERT_TRUE(upload) << upload.error().text();
  EXPECT_EQ(desk_.contents(), (std::vector<std::string>{"id\n1\n", "# B"}));
  EXPECT_EQ(desk_.upload().source, "Jira");
  ASSERT_EQ(stored().size(), 2U);
  for (const fs::path& file : stored()) {
    EXPECT_FALSE(file.filename().string().starts_with("a."));
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  ASSERT_TRUE(uploads.remove(upload->id));
  EXPECT_TRUE(stored().empty());
  EXPECT_EQ(uploads.find(upload->id).error().code, ErrorCode::kNotFound);
}

TEST_F(UploadsTest, AnUploadIsForgottenAfterItsTime) {
  Uploads uploads(desk_, clock_);
  const auto upload = uploads.create({{"a.csv", "x"}}, {});
  ASSERT_TRUE(upload);
  EXPECT_EQ(upload->expires_at, clock_.now() + std::chrono::hours(1));
  clock_.seconds += 3599;
  EXPECT_TRUE(uploads.find(upload->id));
  clock_.seconds += 1;
  EXPECT_EQ(uploads.find(upload->id).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(stored().empty());
}

TEST_F(UploadsTest, TooManyAtOnceAreRefused) {
  Uploads uploads(desk_, clock_, {.open = 2});
  ASSERT_TRUE(uploads.create({{"a.csv", "x"}}, {}));
  ASSERT_TRUE(uploads.create({{"a.csv", "x"}}, {}));
  EXPECT_EQ(uploads.create({{"a.csv", "x"}}, {}).error().code, ErrorCode::kResourceExhausted);
}

TEST_F(UploadsTest, NothingIsLeftAtTheEndOrOfAProcessThatWasKilled) {
  fs::create_directories(folder_.path() / "uploads/killed/up-1");
  std::ofstream(folder_.path() / "uploads/killed/up-1/1.csv") << "x";
  {
    Uploads first(desk_, clock_);
    EXPECT_TRUE(stored().empty());
    ASSERT_TRUE(first.create({{"a.csv", "x"}}, {}));
    // Another process that lives keeps what it has.
    const Uploads second(desk_, clock_);
    EXPECT_EQ(stored().size(), 1U);
  }
  EXPECT_TRUE(stored().empty());
}

TEST_F(UploadsTest, WhatCannotBeCheckedIsNotKept) {
  Uploads uploads(desk_, clock_);
  desk_.check_error = Error{ErrorCode::kInvalidArgument, "no"};
  EXPECT_FALSE(uploads.create({{"a.csv", "x"}}, {}));
  EXPECT_TRUE(stored().empty());
}

TEST_F(UploadsTest, AnIngestTellsItsProgressAndItsEndToWhoeverAsks) {
  Uploads uploads(desk_, clock_);
  const auto upload = uploads.create({{"a.csv", "x"}}, {});
  ASSERT_TRUE(upload);
  const auto log = uploads.ingest(upload->id);
  ASSERT_TRUE(log) << log.error().text();
  const std::string told = log_of(**log);
  EXPECT_NE(told.find("event: progress"), std::string::npos);
  EXPECT_NE(told.find("\"documents_added\":2"), std::string::npos) << told;
  // Asked again it is told again, and not done again.
  const auto again = uploads.ingest(upload->id);
  ASSERT_TRUE(again);
  EXPECT_EQ(log_of(**again), told);
  EXPECT_EQ(desk_.ingests(), 1U);
  EXPECT_EQ(uploads.find(upload->id)->state, UploadState::kIngested);
  EXPECT_TRUE(stored().empty());
  EXPECT_EQ(uploads.read_as(upload->id, {}).error().code, ErrorCode::kConflict);
}

TEST_F(UploadsTest, OneIsIngestedAtATime) {
  Uploads uploads(desk_, clock_);
  const auto one = uploads.create({{"a.csv", "x"}}, {}), two = uploads.create({{"b.csv", "x"}}, {});
  desk_.held = true;
  const auto log = uploads.ingest(one->id);
  ASSERT_TRUE(log);
  EXPECT_EQ(*uploads.ingest(one->id), *log);  // joins
  EXPECT_EQ(uploads.ingest(two->id).error().code, ErrorCode::kConflict);
  EXPECT_EQ(uploads.remove(one->id).error().code, ErrorCode::kConflict);
  EXPECT_EQ(uploads.read_as(one->id, {}).error().code, ErrorCode::kConflict);
  EXPECT_EQ(uploads.find(one->id)->state, UploadState::kIngesting);
  clock_.seconds += 7200;  // what is worked on is not forgotten
  EXPECT_TRUE(uploads.find(one->id));
  desk_.held = false;
  log_of(**log);
  EXPECT_EQ(uploads.find(one->id)->state, UploadState::kIngested);
}

TEST_F(UploadsTest, WhatIsInTheWayIsToldAtOnceAndAFailureCanBeRepeated) {
  Uploads uploads(desk_, clock_);
  const auto upload = uploads.create({{"a.csv", "x"}}, {});
  desk_.open_error = Error{ErrorCode::kConflict, "another process is ingesting"};
  EXPECT_EQ(uploads.ingest(upload->id).error().message, "another process is ingesting");
  EXPECT_EQ(uploads.find(upload->id)->state, UploadState::kChecked);
  desk_.open_error.reset();
  desk_.ingest_error = Error{ErrorCode::kResourceExhausted, "the disk is full"};
  auto log = uploads.ingest(upload->id);
  ASSERT_TRUE(log);
  EXPECT_NE(log_of(**log).find("the disk is full"), std::string::npos);
  EXPECT_EQ(uploads.find(upload->id)->state, UploadState::kFailed);
  desk_.ingest_error.reset();
  log = uploads.ingest(upload->id);
  ASSERT_TRUE(log);
  EXPECT_NE(log_of(**log).find("event: complete"), std::string::npos);
}

TEST_F(UploadsTest, TheEndCancelsWhatIsBeingIngested) {
  desk_.held = true;
  std::shared_ptr<ChatTurn> log;
  {
    Uploads uploads(desk_, clock_);
    const auto upload = uploads.create({{"a.csv", "x"}}, {});
    log = uploads.ingest(upload->id).value();
  }
  EXPECT_NE(log_of(*log).find("event: error"), std::string::npos);
}

TEST_F(UploadsTest, WhatIsNotReadyIsReadOtherwiseFirst) {
  Uploads uploads(desk_, clock_);
  desk_.report.ready = false;
  const auto upload = uploads.create({{"a.csv", "x"}}, {.kind = Kind::kRunbook});
  EXPECT_EQ(uploads.ingest(upload->id).error().code, ErrorCode::kConflict);
  desk_.report.ready = true;
  ASSERT_TRUE(uploads.read_as(upload->id, {.map = {{{"title", "Name"}}}}));
  EXPECT_EQ(desk_.upload().map.at("title"), "Name");
  EXPECT_EQ(desk_.upload().kind, Kind::kRunbook);
  EXPECT_TRUE(uploads.ingest(upload->id));
}

}  // namespace
}  // namespace precedent
