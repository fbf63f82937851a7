#include "sources/git_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <functional>
#include <set>

#include "git/repo_lab.h"
#include "sources/source_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GitSourceTest : public testing::Test {
 protected:
  GitSourceTest() {
    options_.name = "docs";
    options_.url = repo_.folder.string();
    options_.folder = knowledge_.folder() / "sources" / "docs";
  }
  SyncReport sync(SyncOptions options = {}) {
    GitSource source(options_);
    const auto report = knowledge_.sync(source, options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }
  std::vector<std::string> paths() {
    std::vector<std::string> out;
    for (const auto& [id, document] : knowledge_.documents()) out.push_back(document.path);
    std::ranges::sort(out);
    return out;
  }

  git::RepoLab repo_;
  SourceLab knowledge_;
  GitSourceOptions options_;
};

TEST_F(GitSourceTest, DocumentsAreReadAndCodeIsNot) {
  repo_.write("README.md", "# Shop\n\nIt sells.")
      .write("runbooks/pool.md", "---\nid: RB-7\ntype: runbook\n---\n# Pool\n\nDrain it.")
      .write(
          "incidents.json",
          R"([{"incident_id": "INC-2026-01-02-001", "title": "Down", "description": "It was."}])")
      .write("src/main.cc", "int main() {}")
      .write(".github/x.md", "# Hidden")
      .commit();
  EXPECT_EQ(sync().ingest.added, 3U);
  EXPECT_THAT(paths(),
              ElementsAre("docs:README.md", "docs:incidents.json", "docs:runbooks/pool.md"));
  const auto all = knowledge_.documents();
  EXPECT_EQ(all.at("RB-7").kind, Kind::kRunbook);
  EXPECT_EQ(all.at("RB-7").attributes.at("version").size(), 12U);
  EXPECT_EQ(all.at("INC-2026-01-02-001").kind, Kind::kIncident);
}

TEST_F(GitSourceTest, TheSameCommitIsNotReadAgain) {
  repo_.write("a.md", "# A\n\nx").commit();
  sync();
  std::filesystem::remove_all(options_.folder / "repository.git" / "objects" / "pack");
  // The objects are gone, and nobody misses them.
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler libgit2_leaks_where_objects_are_missing;
#endif
  GitSource source(options_);
  const auto report = knowledge_.sync(source);
  EXPECT_FALSE(report && report->everything);
}

TEST_F(GitSourceTest, ARenamedFileIsFoundAtItsNewPlaceAlone) {
  repo_.write("old.md", "# Same\n\nx").write("kept.md", "---\nid: RB-1\n---\n# Kept\n\ny").commit();
  sync();
  repo_.remove("old.md").write("new.md", "# Same\n\nx");
  repo_.remove("kept.md").write("moved/kept.md", "---\nid: RB-1\n---\n# Kept\n\ny").commit();
  const SyncReport report = sync();
  EXPECT_EQ(report.removed, 1U);
  EXPECT_THAT(paths(), ElementsAre("docs:moved/kept.md", "docs:new.md"));
}

TEST_F(GitSourceTest, AForcedPushIsFollowed) {
  repo_.write("a.md", "# A\n\nx").commit();
  sync();
  git::RepoLab other;
  options_.url = other.folder.string();
  other.write("b.md", "# B\n\ny").commit();
  sync();
  EXPECT_THAT(paths(), ElementsAre("docs:b.md"));
}

TEST_F(GitSourceTest, OnlyChosenPathsAreRead) {
  options_.paths = {"runbooks/", "README.md"};
  repo_.write("README.md", "# R\n\nx")
      .write("runbooks/a.md", "# A\n\nx")
      .write("runbooks-old/b.md", "# B\n\nx")
      .commit();
  sync();
  EXPECT_THAT(paths(), ElementsAre("docs:README.md", "docs:runbooks/a.md"));
}

TEST_F(GitSourceTest, ARepositoryOfTooManyDocumentsIsRefusedAndCanBeNarrowed) {
  options_.max_files = 2;
  repo_.write("a/1.md", "# 1\n\nx").write("b/2.md", "# 2\n\nx").write("main.cc", "x").commit();
  EXPECT_EQ(sync().ingest.added, 2U);
  repo_.write("b/3.md", "# 3\n\nx").commit();
  GitSource source(options_);
  const auto refused = knowledge_.sync(source);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(refused.error().message, HasSubstr("docs has 3 documents, more than 2; say with"));
  EXPECT_EQ(knowledge_.documents().size(), 2U);
  options_.paths = {"b"};
  EXPECT_EQ(sync().removed, 1U);
  EXPECT_THAT(paths(), ElementsAre("docs:b/2.md", "docs:b/3.md"));
}

TEST_F(GitSourceTest, WhatIsLeftOutIsSaid) {
  repo_.write("a.md", "# A\n\nx")
      .write("lfs.md", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
      .commit();
  repo_.commit_entry("link.md", "a.md", GIT_FILEMODE_LINK);
  repo_.commit_entry("module", "", GIT_FILEMODE_COMMIT);
  const SyncReport report = sync();
  EXPECT_EQ(report.ingest.added, 1U);
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("1 file not read: docs:lfs.md; Git LFS keeps"),
                                        HasSubstr("1 symbolic link not read: docs:link.md;"),
                                        HasSubstr("1 submodule not read: docs:module;")));
}

TEST_F(GitSourceTest, OfManyThatAreLeftOutSomeAreNamed) {
  for (const char* name : {"a.md", "b.md", "c.md", "d.md", "e.md"})
    repo_.write(name, "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n");
  repo_.commit();
  EXPECT_THAT(
      sync().notes,
      ElementsAre(HasSubstr("5 files not read: docs:a.md, docs:b.md, docs:c.md, and 2 more;")));
}

TEST_F(GitSourceTest, ADocumentThatWentToLfsStaysAsItWas) {
  repo_.write("a.md", "# A\n\nx").write("b.md", "# B\n\nx").commit();
  sync();
  repo_.write("a.md", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n");
  repo_.commit();
  EXPECT_EQ(sync().removed, 0U);
  EXPECT_THAT(paths(), ElementsAre("docs:a.md", "docs:b.md"));
}

TEST_F(GitSourceTest, ASubmoduleIsToldWhereItsDocumentsAreWanted) {
  repo_.write("a.md", "# A\n\nx").commit();
  repo_.commit_entry("module", "", GIT_FILEMODE_COMMIT);
  for (const auto& [path, told] : {std::pair{"module/runbooks", 1U}, {"module", 1U}, {"mod", 0U}}) {
    options_.paths = {"a.md", path};
    EXPECT_EQ(sync({.sweep = true}).notes.size(), told) << path;
  }
}

TEST_F(GitSourceTest, AShallowCloneIsRefusedWithWhatToDo) {
  const std::string first = repo_.write("a.md", "# A\n\nx").commit();
  repo_.make_shallow(repo_.write("b.md", "# B\n\nx").commit());
  std::filesystem::remove(repo_.folder / ".git/objects" / first.substr(0, 2) / first.substr(2));
  GitSource source(options_);
  const auto refused = knowledge_.sync(source);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message,
              HasSubstr(options_.url + " is a shallow clone, from which nothing can be fetched"));
  EXPECT_THAT(refused.error().message, HasSubstr("git fetch --unshallow"));
}

TEST_F(GitSourceTest, AFileThatWentBadKeepsItsDocument) {
  repo_.write("a.md", "# A\n\nx").write("b.md", "# B\n\nx").commit();
  sync();
  repo_.write("a.md", std::string("# A\n\n\xff\xfe")).commit();
  const SyncReport report = sync();
  EXPECT_EQ(report.ingest.bad_count, 1U);
  EXPECT_EQ(report.removed, 0U);
  EXPECT_EQ(report.ingest.bad[0].path, "docs:a.md");
}

TEST_F(GitSourceTest, AHostileNameReachesNoFile) {
  repo_.write("a.md", "# A\n\nx").commit();
  repo_.commit_entry("evil\\..\\\x1b[31mx.md", "# Evil\n\nx", GIT_FILEMODE_BLOB);
  EXPECT_EQ(sync().ingest.added, 2U);
  for (const std::string& path : paths()) EXPECT_EQ(path.find('\x1b'), std::string::npos);
  for (const auto& file : std::filesystem::directory_iterator(options_.folder))
    EXPECT_EQ(file.path().filename(), "repository.git");
}

// A remote over HTTP, on a port of this machine.
TEST_F(GitSourceTest, ALinkWithACommitChangesWithItsDocumentAlone) {
  options_.link = LinkPattern::parse("https://git.example/docs/blob/{commit}/{path}").value();
  repo_.write("a.md", "---\nid: RB-1\n---\n# A\n\nx").write("b.md", "---\nid: RB-2\n---\n# B\n\nx");
  const std::string first = repo_.commit();
  sync();
  repo_.write("b.md", "---\nid: RB-2\n---\n# B\n\ny");
  const std::string second = repo_.commit();
  EXPECT_EQ(sync().ingest.changed, 1U);
  const auto link = [&](const char* id) {
    return knowledge_.documents().at(id).attributes.at("link");
  };
  EXPECT_EQ(link("RB-1"), fmt::format("https://git.example/docs/blob/{}/a.md", first));
  EXPECT_EQ(link("RB-2"), fmt::format("https://git.example/docs/blob/{}/b.md", second));
  // Another pattern is for all of them.
  options_.link = LinkPattern::parse("https://git.example/docs/src/{commit}/{path}").value();
  EXPECT_EQ(sync({.sweep = true}).ingest.changed, 2U);
  EXPECT_EQ(link("RB-1"), fmt::format("https://git.example/docs/src/{}/a.md", second));
}

class GitOverHttpTest : public testing::Test {
 protected:
  Error try_sync() {
    GitSourceOptions options;
    options.name = "docs";
    options.url = vendor_.url("/acme/docs.git");
    if (fetch_token_)
      options.fetch_token = fetch_token_;
    else
      options.token = "git-hunter2";
    options.folder = knowledge_.folder() / "sources" / "docs";
    GitSource source(options);
    const auto report = knowledge_.sync(source);
    EXPECT_FALSE(report);
    return report ? Error{} : report.error();
  }
  std::function<ServedResponse(const ServedRequest&)> answer_;
  std::function<Result<std::string>(const CancelToken&)> fetch_token_;
  VendorLab vendor_{[this](const ServedRequest& request) { return answer_(request); }};
  SourceLab knowledge_;
};

TEST_F(GitOverHttpTest, ARedirectToAnotherHostIsNotFollowed) {
  VendorLab other([](const ServedRequest&) { return ServedResponse{.status = 401}; });
  std::string elsewhere = other.url("/acme/docs.git/info/refs?service=git-upload-pack");
  elsewhere.replace(elsewhere.find("127.0.0.1"), 9, "localhost");
  answer_ = [&](const ServedRequest&) {
    return ServedResponse{.status = 302, .headers = {{"Location", elsewhere}}};
  };
  const Error error = try_sync();
  EXPECT_EQ(error.code, ErrorCode::kPermission) << error.text();
  EXPECT_THAT(error.message, HasSubstr("not followed"));
  EXPECT_TRUE(other.requests().empty());
}

TEST_F(GitOverHttpTest, ATokenIsSentWhenAskedForAndNotTold) {
  answer_ = [](const ServedRequest&) {
    return ServedResponse{.status = 401, .headers = {{"WWW-Authenticate", "Basic realm=\"x\""}}};
  };
  const Error error = try_sync();
  EXPECT_EQ(error.code, ErrorCode::kPermission) << error.text();
  EXPECT_EQ(error.text().find("hunter2"), std::string::npos);
  std::set<std::string> sent;
  for (const ServedRequest& request : vendor_.requests())
    sent.emplace(request.header("Authorization"));
  // x-access-token:git-hunter2
  EXPECT_THAT(sent, ElementsAre("", "Basic eC1hY2Nlc3MtdG9rZW46Z2l0LWh1bnRlcjI="));
}

TEST_F(GitOverHttpTest, AShallowCloneIsSuspected) {
  const std::string commit(40, 'a');
  const auto line = [](const std::string& text) {
    return fmt::format("{:04x}{}", text.size() + 4, text);
  };
  answer_ = [&](const ServedRequest&) {
    using namespace std::string_literals;
    return ServedResponse{
        .headers = {{"Content-Type", "application/x-git-upload-pack-advertisement"}},
        .body = line("# service=git-upload-pack\n") + "0000" +
                line(commit + " HEAD\0shallow symref=HEAD:refs/heads/main\n"s) +
                line(commit + " refs/heads/main\n") + line("shallow " + commit + "\n") + "0000"};
  };
  EXPECT_THAT(try_sync().message, HasSubstr("if it is a shallow clone, run `git fetch"));
}

TEST_F(GitOverHttpTest, ATokenMayBeFetchedForEachSync) {
  answer_ = [](const ServedRequest&) {
    return ServedResponse{.status = 401, .headers = {{"WWW-Authenticate", "Basic realm=\"x\""}}};
  };
  fetch_token_ = [](const CancelToken&) -> Result<std::string> { return "git-hunter2"; };
  try_sync();
  std::set<std::string> sent;
  for (const ServedRequest& request : vendor_.requests())
    sent.emplace(request.header("Authorization"));
  EXPECT_THAT(sent, ElementsAre("", "Basic eC1hY2Nlc3MtdG9rZW46Z2l0LWh1bnRlcjI="));
  vendor_.requests();
  fetch_token_ = [](const CancelToken&) -> Result<std::string> {
    return fail(ErrorCode::kPermission, "no token for this app");
  };
  EXPECT_EQ(try_sync().message, "no token for this app");
  EXPECT_TRUE(vendor_.requests().empty());
}

TEST(GitSourceNames, AForgesDocumentsAreNamedAndLinked) {
  // No network: the repository is there already, as an earlier fetch left it.
  GitSourceOptions options;
  options.name = "docs";
  options.url = "https://github.com/acme/runbooks.git";
  EXPECT_EQ(GitSource(options).scope(), "git:docs");
  EXPECT_EQ(GitSource(options).path_of("a b.md"), "github:acme/runbooks/a b.md");
  EXPECT_EQ(GitSource(options).link_of("x/a b.md", {.commit = "0a1b", .branch = "feat/x"}),
            "https://github.com/acme/runbooks/blob/feat/x/x/a%20b.md");
  options.url = "git@gitlab.com:group/sub/docs.git";
  EXPECT_EQ(GitSource(options).path_of("a.md"), "gitlab:group/sub/docs/a.md");
  EXPECT_EQ(GitSource(options).link_of("a.md", {.commit = "0a1b", .branch = "main"}),
            "https://gitlab.com/group/sub/docs/-/blob/main/a.md");
  options.url = "https://git.example/docs.git";
  EXPECT_EQ(GitSource(options).path_of("a.md"), "docs:a.md");
  EXPECT_EQ(GitSource(options).link_of("a.md", {.commit = "0a1b", .branch = "main"}), "");
  options.url = "ssh://git@git.example:2222/ops/docs.git";
  options.link =
      LinkPattern::parse("https://git.example/{repo}/src/commit/{commit}/{path}").value();
  EXPECT_EQ(GitSource(options).link_of("a.md", {.commit = "0a1b", .branch = "main"}),
            "https://git.example/ops/docs/src/commit/0a1b/a.md");
}

}  // namespace
}  // namespace precedent
