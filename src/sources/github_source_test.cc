#include "sources/github_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources/github_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GithubTest : public testing::Test {
 protected:
  Result<SyncReport> try_sync(SyncOptions options = {}) {
    GithubSource source = github_.open();
    return knowledge_.sync(source, options);
  }
  SyncReport sync(SyncOptions options = {}) {
    const auto report = try_sync(options);
    EXPECT_TRUE(report) << report.error().text();
    return report ? *report : SyncReport{};
  }
  GithubLab github_;
  SourceLab knowledge_;
};

TEST_F(GithubTest, LabelsMakeKnownIssuesAndPostmortems) {
  github_.put("Cart loses items", "It does.\n\n## Workaround\n\nReload.");
  GithubLab::Issue& outage = github_.put("Outage of 20 November", "The pool was full.");
  outage.labels = {"bug", "postmortem"};
  outage.state = "closed";
  outage.is_pull_request = true;
  github_.put("Something else", "x").labels = {"bug"};
  EXPECT_EQ(sync().ingest.added, 2U);
  const auto all = knowledge_.documents();
  ASSERT_EQ(all.size(), 2U);
  const Document& known = all.at("github:acme/shop#1");
  EXPECT_EQ(known.kind, Kind::kKnownIssue);
  EXPECT_EQ(known.path, "github:acme/shop/issues/1");
  EXPECT_EQ(known.status, "open");
  EXPECT_EQ(known.attributes.at("link"), "https://github.com/acme/shop/issues/1");
  EXPECT_EQ(known.opened_at, parse_time("2026-11-20T08:00:00Z").value());
  const Document& told = all.at("github:acme/shop#2");
  EXPECT_EQ(told.kind, Kind::kPostmortem);
  EXPECT_EQ(told.path, "github:acme/shop/pull/2");
  EXPECT_THAT(told.tags, ElementsAre("bug", "postmortem"));
  EXPECT_EQ(told.resolved_at, parse_time("2026-11-21T08:00:00Z").value());
}

TEST_F(GithubTest, EveryPageIsReadAndAskedForWithItsETag) {
  for (const char* title : {"a", "b", "c", "d", "e"}) github_.put(title, "x");
  EXPECT_EQ(sync().ingest.added, 5U);
  github_.vendor().requests();
  EXPECT_EQ(sync().unchanged, 5U);
  size_t conditional = 0;
  for (const ServedRequest& request : github_.vendor().requests())
    conditional += !request.header("If-None-Match").empty();
  // Three of one label, one of the other.
  EXPECT_EQ(conditional, 4U);
}

TEST_F(GithubTest, WhatPeopleSaidBelowIsPartOfIt) {
  github_.put("Pool", "It runs dry.").comments = {{"ana", "# Fixed by raising the limit\nto 200."},
                                                  {"ci[bot]", "Build passed."},
                                                  {"ben", "Confirmed."}};
  github_.put("Quiet", "Nobody cares.");
  sync();
  const auto all = knowledge_.documents();
  EXPECT_EQ(all.at("github:acme/shop#1").body,
            "It runs dry.\n\n## Comments\n\n**ana**, 2026-11-21:\n\n"
            "> # Fixed by raising the limit\n> to 200.\n\n**ben**, 2026-11-21:\n\n> Confirmed.\n\n"
            "(1 further comments, of bots or beyond what is taken)\n");
  EXPECT_EQ(all.at("github:acme/shop#2").body, "Nobody cares.\n");
}

TEST_F(GithubTest, OfManyCommentsTheFirstAndTheLastAreTaken) {
  GithubLab::Issue& issue = github_.put("Pool", "It runs dry.");
  for (int i = 1; i <= 250; ++i) issue.comments.emplace_back("ana", fmt::format("said {}.", i));
  sync();
  const std::string body = knowledge_.documents().at("github:acme/shop#1").body;
  for (const char* said : {"said 1.", "said 100.", "said 201.", "said 250.", "(100 further"})
    EXPECT_THAT(body, HasSubstr(said));
  EXPECT_THAT(body, testing::Not(HasSubstr("said 101.")));
}

TEST_F(GithubTest, CommentsAreBounded) {
  GithubLab::Issue& issue = github_.put("Pool", "It runs dry.");
  for (int i = 0; i < 9; ++i) issue.comments.emplace_back("ana", std::string(60'000, 'x'));
  sync();
  const std::string body = knowledge_.documents().at("github:acme/shop#1").body;
  EXPECT_LT(body.size(), kMaxCommentBytes + 1000);
  EXPECT_THAT(body, HasSubstr("(5 further comments"));
}

TEST_F(GithubTest, WithoutCommentsNoneAreAskedFor) {
  github_.options.comments = false;
  github_.put("Pool", "It runs dry.").comments = {{"ana", "Fixed."}};
  sync();
  EXPECT_EQ(knowledge_.documents().at("github:acme/shop#1").body, "It runs dry.\n");
}

TEST_F(GithubTest, ALostLabelTakesTheIssueOut) {
  github_.put("a", "x");
  github_.put("b", "x");
  sync();
  github_.put("b", "x").labels = {};
  EXPECT_EQ(sync().removed, 1U);
}

TEST_F(GithubTest, ARateLimitIsWaitedForAndALongOneEndsTheSync) {
  github_.put("a", "x");
  int refused = 0;
  github_.instead = [&](const ServedRequest&) -> std::optional<ServedResponse> {
    if (++refused > 2) return std::nullopt;
    if (refused == 1) return ServedResponse{.status = 429, .headers = {{"Retry-After", "7"}}};
    // 2026-11-24T12:00:30Z, half a minute from now.
    return ServedResponse{
        .status = 403,
        .headers = {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1795521630"}}};
  };
  EXPECT_EQ(sync().ingest.added, 1U);
  EXPECT_THAT(github_.vendor().waited, ElementsAre(7, 30));

  github_.instead = [](const ServedRequest&) -> std::optional<ServedResponse> {
    return ServedResponse{.status = 429, .headers = {{"Retry-After", "3600"}}};
  };
  const auto report = try_sync();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(report.error().message, HasSubstr("3600 s"));
}

TEST_F(GithubTest, AnAnswerThatIsNoListIsAnError) {
  github_.instead = [](const ServedRequest&) -> std::optional<ServedResponse> {
    return ServedResponse{.body = "<html>Sign in</html>"};
  };
  const auto report = try_sync();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace precedent
