#include "git/attribute_cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git/history.h"
#include "git/repo_lab.h"
#include "git/repository.h"

namespace precedent::git {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kGenerated = "linguist-generated";

std::string times(int count, std::string_view text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// Git would need hours for this pattern and this name; a test that asks it does not end.
std::string hostile_rule() { return times(20, "*a") + "*bc " + kGenerated + "\n"; }
std::string long_name() { return times(200, "a") + "bd"; }

TEST(AttributeCost, APatternOfManyStarsIsNotMatchedWithALongName) {
  RepoLab lab;
  lab.write(".gitattributes", hostile_rule()).write("keep", "x").commit();
  const auto repository = Repository::open(lab.folder);
  EXPECT_FALSE(repository->has_attribute(long_name(), kGenerated));
  EXPECT_FALSE(repository->has_attribute(long_name(), "linguist-vendored"));
  EXPECT_THAT(repository->unread_attributes(),
              ElementsAre(testing::AllOf(HasSubstr(".gitattributes: "), HasSubstr("*a*a*a"),
                                         HasSubstr("fewer stars"))));
}

TEST(AttributeCost, WhereverTheFileIs) {
  const std::string path = "deep/er/" + long_name();
  const auto refused_by = [&](const std::string& file) {
    RepoLab lab;
    lab.write("keep", "x").commit();
    lab.write(file, hostile_rule());
    const auto repository = Repository::open(lab.folder);
    EXPECT_FALSE(repository->has_attribute(path, kGenerated)) << file;
    return repository->unread_attributes();
  };
  EXPECT_THAT(refused_by(".gitattributes"), ElementsAre(HasSubstr(".gitattributes: ")));
  EXPECT_THAT(refused_by("deep/.gitattributes"), ElementsAre(HasSubstr("deep/.gitattributes: ")));
  EXPECT_THAT(refused_by("deep/er/.gitattributes"),
              ElementsAre(HasSubstr("deep/er/.gitattributes: ")));
  EXPECT_THAT(refused_by(".git/info/attributes"), ElementsAre(HasSubstr("info/attributes: ")));
  // In the index alone.
  RepoLab staged;
  staged.write("deep/.gitattributes", hostile_rule()).commit();
  staged.remove("deep/.gitattributes");
  EXPECT_FALSE(Repository::open(staged.folder)->has_attribute(path, kGenerated));
  // Not above the path.
  RepoLab lab;
  lab.write("other/.gitattributes", hostile_rule())
      .write(".gitattributes", "aa* linguist-generated\n")
      .commit();
  const auto repository = Repository::open(lab.folder);
  EXPECT_TRUE(repository->has_attribute(long_name(), kGenerated));
  EXPECT_THAT(repository->unread_attributes(), IsEmpty());
}

TEST(AttributeCost, AlsoOfABareRepository) {
  RepoLab lab(RepoLab::Kind::kBare);
  lab.commit_entry(".gitattributes", hostile_rule(), GIT_FILEMODE_BLOB);
  lab.commit_entry(long_name(), "x", GIT_FILEMODE_BLOB);
  const auto repository = Repository::open(lab.folder);
  EXPECT_FALSE(repository->has_attribute(long_name(), kGenerated));
  EXPECT_EQ(repository->unread_attributes().size(), 1u);
}

TEST(AttributeCost, FoldersOfStarsAndFilesWithoutEndAreCounted) {
  RepoLab lab;
  const std::string deep = times(500, "a/") + "c";
  lab.write(".gitattributes", "x/**/**/**/**/**/b linguist-generated\n")
      .write("keep", "x")
      .commit();
  EXPECT_FALSE(Repository::open(lab.folder)->has_attribute("x/" + deep, kGenerated));
  lab.write(".gitattributes", times(100'000, "keep linguist-generated\n"));
  const auto repository = Repository::open(lab.folder);
  EXPECT_FALSE(repository->has_attribute("keep", kGenerated));
  EXPECT_THAT(repository->unread_attributes(), ElementsAre(HasSubstr("larger than 1024 KB")));
}

TEST(AttributeCost, WhatPeopleWriteIsRead) {
  RepoLab lab;
  std::string rules = "* text=auto\n# *a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*\n";
  for (int i = 0; i < 1000; ++i)
    rules += "**/vendor" + std::to_string(i) + "/** linguist-vendored\n";
  rules += "**/gen/**/*.pb.*.cc linguist-generated\n**/*_mock*.go linguist-generated\n";
  lab.write(".gitattributes", rules).write("keep", "x").commit();
  const auto repository = Repository::open(lab.folder);
  EXPECT_TRUE(
      repository->has_attribute("services/payments/gen/v1/api/charge.pb.grpc.cc", kGenerated));
  EXPECT_TRUE(
      repository->has_attribute("services/payments/internal/ledger_mock_test.go", kGenerated));
  EXPECT_TRUE(repository->has_attribute("third/vendor999/lib/a.c", "linguist-vendored"));
  EXPECT_THAT(repository->unread_attributes(), IsEmpty());
}

TEST(AttributeCost, NothingElseThatIsReadMatchesPatterns) {
  RepoLab lab;
  lab.write("b", "one\n").write(long_name(), "one\n").commit();
  const std::string commit = lab.write(long_name(), "one\ntwo\n").commit();
  lab.write(".gitattributes", hostile_rule()).write(".gitignore", times(20, "*a") + "*bc\n");
  const auto lines = History::open(lab.folder)->written_lines(commit);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].path, long_name());
  EXPECT_EQ(lines[0].begin, 2u);
  EXPECT_EQ(lines[0].end, 2u);
  lab.write(long_name(), "three\n").write(long_name() + "x", "not tracked");
  const auto files = Repository::open(lab.folder)->files_in_work_tree();
  ASSERT_TRUE(files) << files.error().text();
  ASSERT_EQ(files->size(), 2u);
  EXPECT_TRUE((*files)[0].modified);
  EXPECT_FALSE((*files)[1].modified);
}

}  // namespace
}  // namespace precedent::git
