#include "sources/folder_source.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"
#include "sources/source_lab.h"

namespace precedent {
namespace {

class FolderSourceTest : public testing::Test {
 protected:
  // As if it had been written an hour ago, or a minute later.
  void write(const std::string& name, const std::string& text, int minute = 0) {
    std::ofstream(folder_.path() / name) << "# " << name << "\n\n" << text << "\n";
    std::filesystem::last_write_time(folder_.path() / name,
                                     start_ - std::chrono::hours(1) + std::chrono::minutes(minute));
  }
  SyncReport sync(SyncOptions options = {}) {
    ReadOptions read;
    read.paths = {folder_.path().string()};
    FolderSource source = FolderSource::open(std::move(read)).value();
    const auto report = knowledge_.sync(source, options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }

  const std::filesystem::file_time_type start_ = std::filesystem::file_time_type::clock::now();
  const TemporaryFolder folder_;
  SourceLab knowledge_;
};

TEST_F(FolderSourceTest, WhereNoFileChangedNothingIsRead) {
  write("a.md", "one");
  EXPECT_TRUE(sync().everything);
  const SyncReport second = sync();
  EXPECT_FALSE(second.everything);
  EXPECT_EQ(second.documents, 1U);
  EXPECT_TRUE(sync({.sweep = true}).everything);
}

TEST_F(FolderSourceTest, EveryKindOfChangeIsSeen) {
  write("a.md", "one");
  write("b.md", "one");
  sync();
  write("a.md", "two", 1);
  EXPECT_EQ(sync().ingest.changed, 1U);
  write("c.md", "new", 2);
  EXPECT_EQ(sync().ingest.added, 1U);
  std::filesystem::remove(folder_.path() / "c.md");
  EXPECT_EQ(sync().removed, 1U);
  std::filesystem::rename(folder_.path() / "b.md", folder_.path() / "d.md");
  const SyncReport renamed = sync();
  EXPECT_EQ(renamed.ingest.added, 1U);
  EXPECT_EQ(renamed.removed, 1U);
}

TEST_F(FolderSourceTest, AChangeOfThisMomentIsLookedAtAgain) {
  write("a.md", "one");
  std::filesystem::last_write_time(folder_.path() / "a.md",
                                   std::filesystem::file_time_type::clock::now());
  sync();
  EXPECT_EQ(knowledge_.cursor, "");
  EXPECT_TRUE(sync().everything);
}

}  // namespace
}  // namespace precedent
