#include "sources/make_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/files.h"
#include "git/repo_lab.h"
#include "net/scripted_http_client.h"
#include "sources/rsa_lab.h"
#include "sources/source_lab.h"

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

class RememberTest : public testing::Test {
 protected:
  RememberTest() {
    std::filesystem::create_directories(notes_);
    write("a.md");
    config_.name = "notes";
    config_.path = notes_.string();
  }
  void write(const std::string& name) { std::ofstream(notes_ / name) << "# " << name << "\n\nx\n"; }
  SourceWorld world() {
    return {lab_.folder(), lab_.access(),
            http_,         clock_,
            environment_,  [](std::chrono::seconds, const CancelToken&) { return Result<void>(); },
            true};
  }
  Result<SyncReport> sync(SyncOptions options = {}) {
    return sync_and_remember(config_, options, world(), lab_.cancel);
  }
  SourceState remembered() { return read_source_states(lab_.folder()).value()[config_.name]; }

  SourceLab lab_;
  std::filesystem::path notes_ = lab_.folder() / "notes";
  ScriptedHttpClient http_;
  FixedClock clock_{parse_time("2026-11-24T12:00:00Z").value()};
  std::function<std::optional<std::string>(const std::string&)> environment_ =
      [](const std::string&) { return std::nullopt; };
  SourceConfig config_;
};

TEST_F(RememberTest, ASyncIsWrittenDown) {
  const auto report = sync();
  ASSERT_TRUE(report) << report.error().text();
  const SourceState state = remembered();
  EXPECT_EQ(state.scope, notes_.string());
  EXPECT_EQ(state.documents, 1U);
  EXPECT_EQ(state.synced_at, clock_.now());
  EXPECT_EQ(state.error, "");
}

TEST_F(RememberTest, WhatCouldNotBeReadIsRememberedUntilItCan) {
  std::ofstream(notes_ / "b.md") << "---\ntype: novel\n---\n# B\n\nx\n";
  ASSERT_TRUE(sync());
  ASSERT_EQ(remembered().notes.size(), 1U);
  EXPECT_THAT(remembered().notes[0], HasSubstr("not read: "));
  EXPECT_THAT(remembered().notes[0], HasSubstr("b.md"));
  ASSERT_TRUE(sync());
  EXPECT_EQ(remembered().notes.size(), 1U);
  write("b.md");
  ASSERT_TRUE(sync());
  EXPECT_TRUE(remembered().notes.empty());
}

TEST_F(RememberTest, ARemovalOfTooManyNamesThemByTheirPlace) {
  for (int i = 0; i < 25; ++i) write(fmt::format("p{}.md", i));
  ASSERT_TRUE(sync());
  for (int i = 0; i < 25; ++i) std::filesystem::remove(notes_ / fmt::format("p{}.md", i));
  const auto refused = sync();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(),
              testing::ContainsRegex("notes/p[0-9]+\\.md, .*notes/p[0-9]+"));
}

TEST_F(RememberTest, AFailureKeepsTheLastGoodState) {
  ASSERT_TRUE(sync());
  std::filesystem::remove_all(notes_);
  const auto report = sync();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
  const SourceState state = remembered();
  EXPECT_EQ(state.synced_at, clock_.now());
  EXPECT_EQ(state.documents, 1U);
  EXPECT_THAT(state.error, HasSubstr("check 'path'"));
  EXPECT_EQ(lab_.documents().size(), 1U);

  std::filesystem::create_directories(notes_);
  write("a.md");
  ASSERT_TRUE(sync());
  EXPECT_EQ(remembered().error, "");
}

TEST_F(RememberTest, WhatSomebodyRemovedComesBack) {
  config_.type = SourceConfig::Type::kGit;
  git::RepoLab repo;
  repo.write("a.md", "# A\n\nx").commit();
  config_.url = repo.folder.string();
  ASSERT_TRUE(sync());
  std::vector<std::string> ids;
  for (const auto& [id, document] : lab_.documents()) ids.push_back(id);
  ASSERT_EQ(ids.size(), 1U);
  ASSERT_TRUE(lab_.door()->remove(ids, false));
  const auto report = sync();
  ASSERT_TRUE(report) << report.error().text();
  EXPECT_EQ(report->ingest.added, 1U);
}

TEST_F(RememberTest, ADryRunAndACancelledSyncLeaveNoTrace) {
  ASSERT_TRUE(sync({.dry_run = true}));
  lab_.cancel.cancel();
  EXPECT_FALSE(sync());
  EXPECT_FALSE(std::filesystem::exists(source_state_file(lab_.folder())));
}

TEST_F(RememberTest, ATokenComesFromTheEnvironmentAndIsNeverTold) {
  config_.type = SourceConfig::Type::kConfluence;
  config_.url = "https://wiki.example";
  config_.data_center = true;
  config_.spaces = {"OPS"};
  config_.token_env = "WIKI_TOKEN";
  auto report = sync();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("the environment has no WIKI_TOKEN"));

  environment_ = [](const std::string&) { return std::string("pat-hunter2"); };
  http_.play(401, "pat-hunter2");
  report = sync();
  ASSERT_FALSE(report);
  ASSERT_EQ(http_.requests().size(), 1U);
  EXPECT_THAT(http_.requests()[0].headers,
              testing::Contains(HttpHeader{"Authorization", "Bearer pat-hunter2"}));
  EXPECT_THAT(report.error().text(), Not(HasSubstr("hunter2")));
  EXPECT_THAT(remembered().error, Not(HasSubstr("hunter2")));

  // Cloud takes the token with its owner's address.
  config_.user = "ana@acme.example";
  http_.play(401, "");
  ASSERT_FALSE(sync());
  EXPECT_THAT(http_.requests()[1].headers,
              testing::Contains(
                  HttpHeader{"Authorization", "Basic YW5hQGFjbWUuZXhhbXBsZTpwYXQtaHVudGVyMg=="}));
}

TEST_F(RememberTest, AnAppAsksWithATokenOfItsInstallation) {
  config_.type = SourceConfig::Type::kGithub;
  config_.url = "https://api.github.com";
  config_.repo = "acme/shop";
  config_.app = "123456";
  config_.key_file = (lab_.folder() / "app.pem").string();
  config_.label_kinds = {{"known-issue", Kind::kKnownIssue}};
  std::ofstream(config_.key_file) << pem_of(lab_key());
  http_.play(200, R"({"id":987})");
  http_.play(201, R"({"token":"ghs_secret","expires_at":"2026-11-24T13:00:00Z"})");
  http_.play(200, "[]");
  const auto report = sync();
  ASSERT_TRUE(report) << report.error().text();
  ASSERT_EQ(http_.requests().size(), 3U);
  EXPECT_THAT(http_.requests()[2].url, HasSubstr("/repos/acme/shop/issues?labels=known-issue"));
  EXPECT_THAT(http_.requests()[2].headers,
              testing::Contains(HttpHeader{"Authorization", "Bearer ghs_secret"}));
}

TEST_F(RememberTest, ARepositoryIsFetchedWithATokenOfTheAppToo) {
  std::string sent;
  VendorLab vendor([&](const ServedRequest& request) {
    if (sent.empty()) sent = request.header("Authorization");
    return ServedResponse{.status = 401, .headers = {{"WWW-Authenticate", "Basic realm=\"x\""}}};
  });
  config_.type = SourceConfig::Type::kGit;
  config_.url = vendor.url("/acme/docs.git");
  config_.app = "123456";
  config_.key_file = (lab_.folder() / "app.pem").string();
  std::ofstream(config_.key_file) << pem_of(lab_key());
  http_.play(200, R"({"id":987})");
  http_.play(201, R"({"token":"ghs_secret","expires_at":"2026-11-24T13:00:00Z"})");
  const auto report = sync();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().text(), Not(HasSubstr("ghs_secret")));
  ASSERT_EQ(http_.requests().size(), 2U);
  EXPECT_EQ(http_.requests()[0].url, vendor.url("/api/v3/repos/acme/docs/installation"));
  // x-access-token:ghs_secret
  EXPECT_EQ(sent, "Basic eC1hY2Nlc3MtdG9rZW46Z2hzX3NlY3JldA==");
}

TEST_F(RememberTest, OneSyncOfASourceRunsAtATime) {
  std::filesystem::create_directories(lab_.folder() / "sources");
  std::optional<FileLock> other = FileLock::acquire(lab_.folder() / "sources/notes.lock").value();
  const auto report = sync();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(report.error().message, HasSubstr("being synced already"));
  EXPECT_FALSE(std::filesystem::exists(source_state_file(lab_.folder()))) << "it is no failure";
  other.reset();
  EXPECT_TRUE(sync());
}

TEST_F(RememberTest, FailuresAreCountedUntilOneIsWhole) {
  std::filesystem::remove_all(notes_);
  EXPECT_FALSE(sync());
  EXPECT_FALSE(sync());
  EXPECT_EQ(remembered().failures, 2U);
  std::filesystem::create_directories(notes_);
  ASSERT_TRUE(sync());
  EXPECT_EQ(remembered().failures, 0U);
}

TEST_F(RememberTest, TheNetworkIsOffInTests) {
  config_.type = SourceConfig::Type::kGit;
  config_.url = "https://github.com/acme/docs.git";
  const auto report = sync();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kPermission);
  EXPECT_THAT(report.error().message, HasSubstr("PRECEDENT_NO_NETWORK"));
}

}  // namespace
}  // namespace precedent
