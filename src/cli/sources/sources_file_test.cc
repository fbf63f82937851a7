#include "cli/sources/sources_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SourcesFileTest : public testing::Test {
 protected:
  // A file config/sources.yaml below the working directory would be found, too.
  SourcesFileTest() { std::filesystem::current_path(folder_.path()); }
  ~SourcesFileTest() override { std::filesystem::current_path(before_); }
  SourcesFileTest(const SourcesFileTest&) = delete;
  SourcesFileTest& operator=(const SourcesFileTest&) = delete;

  std::filesystem::path path() const { return folder_.path() / "sources.yaml"; }
  void write(const std::string& text) { std::ofstream(path()) << text; }
  SourcesFile open() { return SourcesFile::open(path().string(), folder_.path()).value(); }
  static std::vector<std::string> names(const SourcesFile& file) {
    std::vector<std::string> names;
    for (const SourceConfig& source : file.sources()) names.push_back(source.name);
    return names;
  }
  const std::filesystem::path before_ = std::filesystem::current_path();
  const TemporaryFolder folder_;
  const std::string one_ = "sources: [{name: a, type: folder, path: a}]\n";
  const std::string two_ =
      "sources: [{name: a, type: folder, path: a}, {name: b, type: folder, path: b}]\n";
};

TEST_F(SourcesFileTest, AnEditedFileCountsOnceItIsSettled) {
  write(one_);
  SourcesFile file = open();
  EXPECT_FALSE(file.look());
  write(two_);
  EXPECT_FALSE(file.look());
  EXPECT_THAT(names(file), ElementsAre("a"));
  EXPECT_TRUE(file.look());
  EXPECT_THAT(names(file), ElementsAre("a", "b"));
  EXPECT_FALSE(file.look());
}

TEST_F(SourcesFileTest, AFileThatIsJustBeingWrittenDoesNotCount) {
  write(one_);
  SourcesFile file = open();
  write("");
  EXPECT_FALSE(file.look());
  write(one_);
  EXPECT_FALSE(file.look());
  EXPECT_FALSE(file.look());
  EXPECT_THAT(names(file), ElementsAre("a"));
}

TEST_F(SourcesFileTest, ABrokenOneKeepsTheSourcesAndIsNamedOnce) {
  write(one_);
  SourcesFile file = open();
  write("sources:\n  - name: a\n    type: attic\n");
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_FALSE(file.look());
  EXPECT_THAT(names(file), ElementsAre("a"));
  EXPECT_THAT(file.problem(), HasSubstr("sources.yaml:3: sources[0].type: 'attic' is not"));
  EXPECT_THAT(file.problem(), HasSubstr("the sources before stay in force"));
  write(two_);
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_EQ(file.problem(), "");
  EXPECT_THAT(names(file), ElementsAre("a", "b"));
}

TEST_F(SourcesFileTest, OneThatIsGoneKeepsTheSourcesUntilItIsBack) {
  write(one_);
  SourcesFile file = SourcesFile::open("", folder_.path()).value();
  std::filesystem::remove(path());
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_THAT(file.problem(), HasSubstr("sources.yaml is gone"));
  EXPECT_THAT(names(file), ElementsAre("a"));
  write(one_);
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_EQ(file.problem(), "");
  write("sources: []\n");
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_THAT(names(file), ElementsAre());
}

TEST_F(SourcesFileTest, OneThatAppearsCounts) {
  SourcesFile file = SourcesFile::open("", folder_.path()).value();
  EXPECT_EQ(file.path(), "");
  write(one_);
  file.look();
  EXPECT_TRUE(file.look());
  EXPECT_THAT(names(file), ElementsAre("a"));
}

}  // namespace
}  // namespace precedent
