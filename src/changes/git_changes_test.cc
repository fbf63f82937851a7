// Over a repository that libgit2 makes in a temporary folder: no git program is needed.
#include "changes/git_changes.h"

#include <git2.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_source_contract.h"
#include "changes/changes_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// A repository with a linear history; every call checks that libgit2 agrees.
class RepositoryLab {
 public:
  RepositoryLab() {
    git_libgit2_init();
    check(git_repository_init(&repository_, path().c_str(), 1));
    commit("2026-11-09T08:00:00Z", "Pool sizes of checkout", "checkout/pool.yaml");
    commit("2026-11-16T10:00:00Z", "search: cache whole result pages\n\nADR-14", "search/app.py");
    tag("search-service/v2.31.0", "2026-11-17T14:00:00Z");
    tag("nightly", "2026-11-17T15:00:00Z");
    commit("2026-11-18T09:00:00Z", "Say how to run the tests", "README.md");
  }
  ~RepositoryLab() {
    git_repository_free(repository_);
    git_libgit2_shutdown();
  }

  std::filesystem::path path() const { return folder_.path() / "shop.git"; }

  void commit(std::string_view at, const char* message, const char* file) {
    std::vector<git_oid> parents;
    if (count_ > 0) parents.push_back(head_);
    head_ = write_commit(at, message, file, parents, "HEAD");
    ++count_;
  }
  // On no branch until it is merged.
  git_oid commit_aside(std::string_view at, const char* message, const char* file,
                       const git_oid& parent) {
    return write_commit(at, message, file, {parent}, nullptr);
  }
  void merge(std::string_view at, const git_oid& other) {
    head_ = write_commit(at, "Merge it", "merged.txt", {head_, other}, "HEAD");
  }
  const git_oid& head() const { return head_; }

  void tag(const char* name, std::string_view at) {
    git_object* target = nullptr;
    check(git_object_lookup(&target, repository_, &head_, GIT_OBJECT_COMMIT));
    git_signature* who = signature(at);
    git_oid id;
    check(git_tag_create(&id, repository_, name, target, who, "released", 0));
    git_signature_free(who);
    git_object_free(target);
  }

 private:
  git_oid write_commit(std::string_view at, const char* message, const char* file,
                       const std::vector<git_oid>& parent_ids, const char* reference) {
    git_oid blob;
    const std::string text(at);
    check(git_blob_create_from_buffer(&blob, repository_, text.data(), text.size()));
    git_index* index = nullptr;
    check(git_repository_index(&index, repository_));
    git_index_entry entry = {};
    entry.id = blob;
    entry.mode = GIT_FILEMODE_BLOB;
    entry.path = file;
    check(git_index_add(index, &entry));
    git_oid tree_id;
    check(git_index_write_tree_to(&tree_id, index, repository_));
    git_index_write(index);
    git_index_free(index);
    git_tree* tree = nullptr;
    check(git_tree_lookup(&tree, repository_, &tree_id));
    git_signature* who = signature(at);
    std::vector<git_commit*> parents(parent_ids.size());
    for (size_t i = 0; i < parents.size(); ++i)
      check(git_commit_lookup(&parents[i], repository_, &parent_ids[i]));
    git_oid id;
    check(git_commit_create(&id, repository_, reference, who, who, nullptr, message, tree,
                            parents.size(), const_cast<const git_commit**>(parents.data())));
    std::ranges::for_each(parents, git_commit_free);
    git_signature_free(who);
    git_tree_free(tree);
    return id;
  }

  static void check(int code) { EXPECT_EQ(code, 0) << (code ? git_error_last()->message : ""); }
  static git_signature* signature(std::string_view at) {
    git_signature* who = nullptr;
    check(git_signature_new(&who, "Clara Neumann", "clara@saltmarsh.example",
                            moment(at).time_since_epoch().count(), 60));
    return who;
  }

  TemporaryFolder folder_;
  git_repository* repository_ = nullptr;
  git_oid head_ = {};
  int count_ = 0;
};

GitChangesOptions options_of(const RepositoryLab& lab) {
  GitChangesOptions options{.path = lab.path(), .name = "shop"};
  EXPECT_TRUE(options.services.add("search/", {"search-service"}));
  EXPECT_TRUE(options.services.add("checkout/", {"checkout-api"}));
  return options;
}

TEST(GitChanges, KeepsTheContract) {
  const RepositoryLab lab;
  expect_change_source_contract(GitChanges(options_of(lab)));
}

TEST(GitChanges, ACommitSaysFilesServicesAndTimeInUtc) {
  const RepositoryLab lab;
  const GitChanges source(options_of(lab));
  const ChangeList list =
      asked(source, {.service = "search-service", .kinds = {ChangeKind::kCommit}});
  ASSERT_EQ(list.changes.size(), 1u);
  const Change& commit = list.changes[0];
  EXPECT_EQ(commit.id.size(), 40u);
  EXPECT_EQ(commit.commit, commit.id);
  EXPECT_EQ(commit.at, moment("2026-11-16T10:00:00Z"));
  EXPECT_EQ(commit.title, "search: cache whole result pages");
  EXPECT_EQ(commit.author, "Clara Neumann");
  EXPECT_THAT(commit.files, ElementsAre("search/app.py"));
  EXPECT_EQ(commit.files_total, 1u);
  EXPECT_EQ(commit.source, "git:shop");
}

TEST(GitChanges, ACommitSaysWhatItWrote) {
  const RepositoryLab lab;
  const GitChanges source(options_of(lab));
  const ChangeList list =
      asked(source, {.service = "search-service", .kinds = {ChangeKind::kCommit}});
  ASSERT_EQ(list.changes.size(), 1u);
  const auto lines = source.changed_lines(list.changes[0]);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].path, "search/app.py");
  EXPECT_EQ(lines[0].begin, 1u);
  EXPECT_EQ(lines[0].end, 1u);
  Change other = list.changes[0];
  other.id = std::string(40, 'f');
  EXPECT_TRUE(source.changed_lines(other).empty());
  other.kind = ChangeKind::kTag;
  EXPECT_TRUE(source.changed_lines(other).empty());
}

TEST(GitChanges, OnlyReleaseTagsAreChanges) {
  const RepositoryLab lab;
  const ChangeList list = asked(GitChanges(options_of(lab)), {.kinds = {ChangeKind::kTag}});
  ASSERT_EQ(list.changes.size(), 1u);
  EXPECT_EQ(list.changes[0].id, "search-service/v2.31.0");
  EXPECT_EQ(list.changes[0].version, "2.31.0");
  EXPECT_EQ(list.changes[0].at, moment("2026-11-17T14:00:00Z"));
  EXPECT_THAT(list.changes[0].services, ElementsAre("search-service"));
}

TEST(GitChanges, FilesOfNobodyBelongToTheRepositorysServices) {
  const RepositoryLab lab;
  GitChangesOptions options = options_of(lab);
  options.own_services = {"platform"};
  const ChangeList list = asked(GitChanges(options), {.service = "platform"});
  ASSERT_EQ(list.changes.size(), 1u);
  EXPECT_EQ(list.changes[0].title, "Say how to run the tests");
}

// A commit of a feature branch acts from the moment on at which it is merged.
TEST(GitChanges, AMergedCommitIsOfTheTimeOfItsMerge) {
  RepositoryLab lab;
  const git_oid early =
      lab.commit_aside("2026-11-10T09:00:00Z", "search: rank by date", "search/r.py", lab.head());
  const git_oid late =
      lab.commit_aside("2026-11-12T09:00:00Z", "search: fix the rank", "search/r.py", early);
  lab.commit("2026-11-18T10:00:00Z", "search: seconds", "search/app.py");
  lab.merge("2026-11-19T12:00:00Z", late);
  const GitChanges source(options_of(lab));
  const ChangeList list = asked(
      source, {.range = {moment("2026-11-18T09:30:00Z"), {}}, .kinds = {ChangeKind::kCommit}});
  ASSERT_EQ(list.changes.size(), 3u);
  std::vector<std::string> titles;
  for (const Change& change : list.changes) {
    titles.push_back(change.title);
    if (change.title == "search: seconds") {
      EXPECT_EQ(change.at, moment("2026-11-18T10:00:00Z"));
      EXPECT_FALSE(change.written);
    } else {
      EXPECT_EQ(change.at, moment("2026-11-19T12:00:00Z"));
    }
    if (change.title == "search: rank by date") {
      EXPECT_EQ(change.written, moment("2026-11-10T09:00:00Z"));
    }
  }
  EXPECT_THAT(titles, UnorderedElementsAre("search: rank by date", "search: fix the rank",
                                           "search: seconds"));
  EXPECT_EQ(
      asked(source, {.range = {moment("2026-11-10T00:00:00Z"), moment("2026-11-13T00:00:00Z")}})
          .changes.size(),
      0u);
  EXPECT_EQ(asked(source, {.kinds = {ChangeKind::kCommit}}).changes.size(), 6u);
}

TEST(GitChanges, ARevertNamesWhatItTakesBack) {
  RepositoryLab lab;
  const auto hex = [](const git_oid& id) { return std::string(git_oid_tostr_s(&id)); };
  const std::string plain = hex(lab.head());
  const git_oid aside =
      lab.commit_aside("2026-11-10T09:00:00Z", "search: rank by date", "search/r.py", lab.head());
  lab.merge("2026-11-18T12:00:00Z", aside);
  const std::string merge = hex(lab.head());
  lab.commit("2026-11-19T10:00:00Z",
             ("Back both out\n\nThis reverts commit " + plain + ".\nThis reverts commit " +
              merge.substr(0, 10) + ", reversing\nchanges made to 1.")
                 .c_str(),
             "search/app.py");
  const ChangeList list =
      asked(GitChanges(options_of(lab)), {.range = {moment("2026-11-19T00:00:00Z"), {}}});
  ASSERT_EQ(list.changes.size(), 1u);
  // Of the merge also the commit that it brought.
  EXPECT_THAT(list.changes[0].reverts, ElementsAre(plain, merge.substr(0, 10), hex(aside)));
}

TEST(GitChanges, NewCommitsAreSeen) {
  RepositoryLab lab;
  const GitChanges source(options_of(lab));
  EXPECT_EQ(asked(source, {.kinds = {ChangeKind::kCommit}}).changes.size(), 3u);
  lab.commit("2026-11-19T09:00:00Z", "search: seconds", "search/app.py");
  EXPECT_EQ(asked(source, {.kinds = {ChangeKind::kCommit}}).changes.size(), 4u);
}

TEST(GitChanges, ManyFilesAreCountedAndCut) {
  RepositoryLab lab;
  const GitChanges source(options_of(lab));
  for (int i = 0; i < 3; ++i) lab.commit("2026-11-19T09:00:00Z", "again", "search/app.py");
  EXPECT_EQ(asked(source, {.limit = 2}).changes.size(), 2u);
  EXPECT_TRUE(asked(source, {.limit = 2}).more);
}

TEST(GitChanges, WhatIsNoRepositoryIsNamedWithTheRemedy) {
  const auto list = GitChanges({.path = "no/such/repository"}).changes({});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(list.error().text(), HasSubstr("no/such/repository"));
  const RepositoryLab lab;
  GitChangesOptions options = options_of(lab);
  options.branch = "no-such-branch";
  EXPECT_THAT(GitChanges(options).changes({}).error().text(), HasSubstr("no-such-branch"));
}

TEST(ReadTag, FollowsThePattern) {
  const auto read = [](std::string_view tag, std::string_view pattern) {
    const auto release = read_tag(tag, pattern);
    return release ? release->service + " " + release->version : "none";
  };
  EXPECT_EQ(read("search-service/v2.31.0", "{service}/v{version}"), "search-service 2.31.0");
  EXPECT_EQ(read("v2.31.0", "v{version}"), " 2.31.0");
  EXPECT_EQ(read("release-a-v1.0-v2.0", "release-{service}-v{version}"), "a-v1.0 2.0");
  EXPECT_EQ(read("a@1.0-final", "{service}@{version}-final"), "a 1.0");
  EXPECT_EQ(read("v2.31.0", "{service}/v{version}"), "none");
  EXPECT_EQ(read("/v2.31.0", "{service}/v{version}"), "none");
  EXPECT_EQ(read("search-vendored", "{service}-v{version}"), "none");
  EXPECT_EQ(read("nightly", "v{version}"), "none");
  EXPECT_EQ(read("v1", "v"), "none");
}

}  // namespace
}  // namespace precedent
