// Links, paths that are too long, and folders that were renamed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ingest/reading/reader_lab.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST_F(ReaderTest, LinksThatLeadOutAreLeftOutUnlessAskedFor) {
  put("outside/secret.md", "# Secret");
  put("kb/a.md", "---\nid: a\n---\nx");
  put("kb/sub/b.md", "---\nid: b\n---\nx");
  fs::create_symlink(root_ / "outside/secret.md", root_ / "kb/c.md");
  fs::create_directory_symlink(root_ / "outside", root_ / "kb/d");
  fs::create_directory_symlink("..", root_ / "kb/up");
  fs::create_directory_symlink("sub", root_ / "kb/within");
  fs::create_directory_symlink("/proc/self", root_ / "kb/proc");
  fs::create_symlink("/proc/self/environ", root_ / "kb/e.md");
  const std::string kb = (root_ / "kb").string();
  ReadSummary summary = read({kb});
  EXPECT_THAT(out_.ids, testing::UnorderedElementsAre("a", "b"));
  EXPECT_THAT(out_.bad_records, IsEmpty());
  ASSERT_EQ(summary.left_out.size(), 1u);
  EXPECT_THAT(summary.left_out.begin()->first, HasSubstr("--follow-links"));
  EXPECT_THAT(summary.left_out.begin()->second.paths,
              ElementsAre(kb + "/c.md", kb + "/d", kb + "/e.md", kb + "/proc", kb + "/up"));
  out_ = {};
  options_.follow_links = true;
  summary = read({kb});
  EXPECT_THAT(out_.ids, SizeIs(3)) << "the secret once, though two links lead to it";
  EXPECT_THAT(summary.left_out.at("files of the system").paths,
              ElementsAre(kb + "/e.md", kb + "/proc"));
}

TEST_F(ReaderTest, APathThatIsTooLongIsNamed) {
  put("a.jsonl", "{\"id\":\"A-1\",\"title\":\"t\"}\n");
  const fs::path before = fs::current_path();
  fs::current_path(root_);
  const std::string name(200, 'x');
  for (int i = 0; i < 25; ++i) {
    ASSERT_EQ(::mkdir(name.c_str(), 0700), 0);
    ASSERT_EQ(::chdir(name.c_str()), 0);
  }
  std::ofstream("b.md") << "x";
  for (int i = 0; i < 25; ++i) ASSERT_EQ(::chdir(".."), 0);
  read({"."});
  fs::current_path(before);
  EXPECT_THAT(out_.ids, ElementsAre("A-1"));
  ASSERT_THAT(out_.bad_records, SizeIs(1));
  EXPECT_THAT(out_.bad_records[0], HasSubstr("File name too long"));
}

TEST_F(ReaderTest, AFolderReadThroughAnotherPathGivesTheSameIds) {
  put("kb/sub/a.md", "# A");
  put("kb/b.csv", "type,title\nrunbook,B\n");
  read({(root_ / "kb").string()});
  const std::vector<std::string> ids = out_.ids;
  EXPECT_THAT(ids, SizeIs(2));
  fs::rename(root_ / "kb", root_ / "docs");
  out_ = {};
  read({(root_ / "docs").string()});
  EXPECT_EQ(out_.ids, ids);
}

}  // namespace
}  // namespace precedent
