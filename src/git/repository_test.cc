#include "git/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git/repo_lab.h"

namespace precedent::git {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> paths(const std::vector<TrackedFile>& files) {
  std::vector<std::string> out;
  for (const TrackedFile& file : files) out.push_back(file.path);
  return out;
}

TEST(Repository, ReadsTheTrackedFilesOfHead) {
  RepoLab lab;
  lab.write("src/a.cc", "one\n").write("b.py", "two\n");
  const std::string commit = lab.commit();
  lab.write("untracked.cc", "x").write("b.py", "changed\n");
  const auto repository = Repository::open(lab.folder / "src");
  ASSERT_TRUE(repository) << repository.error().text();
  const auto head = *repository->head();
  EXPECT_EQ(head->commit, commit);
  EXPECT_EQ(head->branch, "master");
  EXPECT_EQ(repository->name(), "shop");
  const auto files = *repository->files_at_head();
  EXPECT_THAT(paths(files), ElementsAre("b.py", "src/a.cc"));
  EXPECT_EQ(*repository->read(files[0]), "two\n");
  EXPECT_EQ(*repository->bytes(files[0]), 4u);
}

TEST(Repository, ReadsTheWorkTreeAsItIs) {
  RepoLab lab;
  lab.write("a.cc", "one\n").write("b.cc", "two\n").write("c.cc", "three\n").commit();
  lab.write("a.cc", "changed\n").remove("b.cc").write("untracked.cc", "x");
  const auto repository = Repository::open(lab.folder);
  const auto files = *repository->files_in_work_tree();
  EXPECT_THAT(paths(files), ElementsAre("a.cc", "c.cc"));
  EXPECT_TRUE(files[0].modified);
  EXPECT_FALSE(files[1].modified);
  EXPECT_EQ(*repository->read(files[0]), "changed\n");
  EXPECT_NE(files[0].blob, (*repository->files_at_head())[0].blob);
}

TEST(Repository, TheWorkTreeHasWhatWasAddedAndWhatBecameALink) {
  RepoLab lab;
  lab.write("a.cc", "one\n").write("b.cc", "two\n").commit();
  lab.write("new.cc", "new\n").write("b.cc", "other\n").add();
  lab.write("b.cc", "two\n").remove("a.cc");
  std::filesystem::create_symlink("b.cc", lab.folder / "a.cc");
  const auto repository = Repository::open(lab.folder);
  const auto files = *repository->files_in_work_tree();
  EXPECT_THAT(paths(files), ElementsAre("a.cc", "b.cc", "new.cc"));
  EXPECT_EQ(files[0].type, TrackedFile::Type::kLink);
  // What was taken back in the work tree is as HEAD has it, whatever the index says.
  EXPECT_FALSE(files[1].modified);
  EXPECT_TRUE(files[2].modified);
  EXPECT_EQ(*repository->read(files[2]), "new\n");
}

TEST(Repository, EqualContentHasEqualIds) {
  RepoLab lab;
  lab.write("a.cc", "same\n").write("b.cc", "same\n").commit();
  const auto files = *Repository::open(lab.folder)->files_at_head();
  EXPECT_EQ(files[0].blob, files[1].blob);
}

TEST(Repository, WithoutACommitThereIsNothing) {
  RepoLab lab;
  const auto repository = Repository::open(lab.folder);
  ASSERT_TRUE(repository);
  EXPECT_FALSE((*repository->head()).has_value());
  EXPECT_THAT(*repository->files_at_head(), IsEmpty());
}

TEST(Repository, ABareOneHasNoWorkTree) {
  RepoLab lab(RepoLab::Kind::kBare);
  lab.commit_entry("a.cc", "one\n", GIT_FILEMODE_BLOB);
  const auto repository = Repository::open(lab.folder);
  EXPECT_EQ(repository->name(), "shop");
  EXPECT_THAT(paths(*repository->files_at_head()), ElementsAre("a.cc"));
  EXPECT_THAT(repository->files_in_work_tree().error().text(), HasSubstr("is bare"));
}

TEST(Repository, LinksAndSubmodulesAreTold) {
  RepoLab lab(RepoLab::Kind::kBare);
  lab.commit_entry("link", "a.cc", GIT_FILEMODE_LINK);
  lab.commit_entry("module", "", GIT_FILEMODE_COMMIT);
  const auto files = *Repository::open(lab.folder)->files_at_head();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].type, TrackedFile::Type::kLink);
  EXPECT_EQ(files[1].type, TrackedFile::Type::kSubmodule);
}

TEST(Repository, ADetachedHeadHasNoBranch) {
  RepoLab lab;
  const std::string first = lab.write("a.cc", "one\n").commit();
  lab.write("a.cc", "two\n").commit();
  lab.detach(first);
  const auto repository = Repository::open(lab.folder);
  EXPECT_EQ((*repository->head())->commit, first);
  EXPECT_EQ((*repository->head())->branch, "");
}

TEST(Repository, AShallowCloneIsRead) {
  RepoLab lab;
  lab.make_shallow(lab.write("a.cc", "one\n").commit());
  const auto repository = Repository::open(lab.folder);
  EXPECT_THAT(paths(*repository->files_at_head()), ElementsAre("a.cc"));
}

TEST(Repository, ALinkedWorkTreeIsTheSameRepository) {
  RepoLab lab;
  lab.write("a.cc", "one\n").commit();
  const auto linked = Repository::open(lab.add_work_tree("other"));
  ASSERT_TRUE(linked) << linked.error().text();
  EXPECT_EQ(linked->common_folder(), Repository::open(lab.folder)->common_folder());
  EXPECT_EQ(linked->name(), "shop");
  EXPECT_THAT(paths(*linked->files_at_head()), ElementsAre("a.cc"));
}

TEST(Repository, IsCalledAsItsOrigin) {
  for (const auto& [url, name] : {std::pair("git@example.com:team/payments.git", "payments"),
                                  std::pair("https://example.com/team/payments/", "payments")}) {
    RepoLab lab;
    lab.set_origin(url);
    EXPECT_EQ(Repository::open(lab.folder)->name(), name) << url;
  }
}

TEST(Repository, AttributesAreRead) {
  RepoLab lab;
  lab.write(".gitattributes", "gen/* linguist-generated=true\nlib/* linguist-vendored\n")
      .write("gen/a.cc", "x")
      .write("a.cc", "x")
      .write("lib/b.cc", "x")
      .commit();
  const auto repository = Repository::open(lab.folder);
  EXPECT_TRUE(repository->has_attribute("gen/a.cc", "linguist-generated"));
  EXPECT_TRUE(repository->has_attribute("lib/b.cc", "linguist-vendored"));
  EXPECT_FALSE(repository->has_attribute("a.cc", "linguist-generated"));
}

TEST(Repository, WhatIsNoneIsSaidToBeNone) {
  const auto none = Repository::open("/proc/self");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().text(), HasSubstr("there is no git repository at '/proc/self'"));
}

}  // namespace
}  // namespace precedent::git
