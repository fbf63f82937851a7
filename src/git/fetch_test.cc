#include "git/fetch.h"

#include <gtest/gtest.h>

#include "files/temporary_folder.h"
#include "git/repo_lab.h"
#include "git/repository.h"

namespace precedent::git {
namespace {

std::string text_at_head(const std::filesystem::path& folder, const std::string& path) {
  const auto repository = Repository::open(folder);
  EXPECT_TRUE(repository) << repository.error().text();
  const auto files = repository->files_at_head();
  EXPECT_TRUE(files) << files.error().text();
  for (const TrackedFile& file : *files)
    if (file.path == path) return repository->read(file).value();
  return "(not there)";
}

class FetchTest : public testing::Test {
 protected:
  Result<Fetched> run(std::string branch = "") {
    return fetch({.url = origin_.folder.string(), .branch = std::move(branch), .folder = copy_},
                 cancel_);
  }
  RepoLab origin_;
  TemporaryFolder folder_;
  std::filesystem::path copy_ = folder_.path() / "copy.git";
  CancelToken cancel_;
};

TEST_F(FetchTest, TheDefaultBranchComesAndFollows) {
  const std::string first = origin_.write("a.md", "one").commit();
  auto fetched = run();
  ASSERT_TRUE(fetched) << fetched.error().text();
  EXPECT_EQ(fetched->commit, first);
  EXPECT_EQ(text_at_head(copy_, "a.md"), "one");

  const std::string second = origin_.write("a.md", "two").commit();
  fetched = run(fetched->branch);
  ASSERT_TRUE(fetched) << fetched.error().text();
  EXPECT_EQ(fetched->commit, second);
  EXPECT_EQ(text_at_head(copy_, "a.md"), "two");
}

TEST_F(FetchTest, AForcedPushReplacesTheBranch) {
  origin_.write("a.md", "one").commit();
  ASSERT_TRUE(run());
  RepoLab other;
  const std::string commit = other.write("b.md", "rewritten").commit();
  const auto fetched =
      fetch({.url = other.folder.string(), .branch = "", .folder = copy_}, cancel_);
  ASSERT_TRUE(fetched) << fetched.error().text();
  EXPECT_EQ(fetched->commit, commit);
  EXPECT_EQ(text_at_head(copy_, "a.md"), "(not there)");
  EXPECT_EQ(text_at_head(copy_, "b.md"), "rewritten");
}

TEST_F(FetchTest, WhatIsNotThereIsNamed) {
  origin_.write("a.md", "one").commit();
  auto fetched = run("no-such-branch");
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kNotFound);
  EXPECT_NE(fetched.error().message.find("no branch 'no-such-branch'"), std::string::npos);

  fetched = fetch({.url = "/nonexistent/repository", .branch = "", .folder = copy_}, cancel_);
  ASSERT_FALSE(fetched);
  EXPECT_NE(fetched.error().message.find("/nonexistent/repository"), std::string::npos);
}

TEST_F(FetchTest, ARepositoryWithoutACommitIsAnError) {
  const auto fetched = run();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kNotFound) << fetched.error().text();
}

TEST_F(FetchTest, ACancelledFetchSaysSo) {
  origin_.write("a.md", "one").commit();
  cancel_.cancel();
  const auto fetched = run();
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::kCancelled);
}

TEST(RemoteAddress, KnowsTheFormsOfAddresses) {
  const auto check = [](const std::string& url, RemoteKind kind, const std::string& host,
                        const std::string& path) {
    const RemoteAddress address = remote_address(url);
    EXPECT_EQ(address.kind, kind) << url;
    EXPECT_EQ(address.host, host) << url;
    EXPECT_EQ(address.path, path) << url;
  };
  check("https://GitHub.com/org/repo.git", RemoteKind::kHttps, "github.com", "org/repo");
  check("https://git.example:8443/a/b/c/", RemoteKind::kHttps, "git.example", "a/b/c");
  check("http://127.0.0.1:80/org/repo", RemoteKind::kHttp, "127.0.0.1", "org/repo");
  check("git@github.com:org/repo.git", RemoteKind::kSsh, "github.com", "org/repo");
  check("ssh://git@host:22/org/repo.git", RemoteKind::kSsh, "host", "org/repo");
  check("/srv/git/repo.git", RemoteKind::kPath, "", "/srv/git/repo.git");
  for (const char* url : {"", "repo", "git://host/repo", "file:///srv/repo", "https://",
                          "https://ana:secret@host/repo", "https:///repo"})
    check(url, RemoteKind::kNone, "", "");
}

}  // namespace
}  // namespace precedent::git
