#include "telemetry/logs/loki_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/logs/stores_lab.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Instant kNoon(*parse_time("2026-11-19T12:00:00Z"));
const Instant kEnd = kNoon + std::chrono::hours(2);

int64_t ns(Instant at) { return at.time_since_epoch().count() * 1'000'000; }

struct LokiSourceTest : ::testing::Test {
  FakeLoki loki;
  LokiOptions options{.endpoint = {.url = "http://loki:3100",
                                   .tenant = "shop",
                                   .token = "s3cret",
                                   .secret_from = "LOKI_TOKEN",
                                   .retries = 1,
                                   .pause = std::chrono::milliseconds(1)}};
  CancelToken cancel;

  Result<LogsFound> read(const std::string& service = "label") {
    return LokiSource(loki, options).read({service, kNoon, kEnd}, {cancel});
  }
  static std::vector<std::string> texts(const Result<LogsFound>& found) {
    std::vector<std::string> out;
    if (found)
      for (const StoredLine& line : found->lines) out.push_back(line.text);
    return out;
  }
  // The error of one answer to every request.
  Error error_of(int status, const std::string& body, std::vector<HttpHeader> headers = {}) {
    loki.instead = [=](const HttpRequest&) { return HttpResponse{status, headers, body}; };
    const auto found = read();
    EXPECT_FALSE(found);
    return found ? Error{} : found.error();
  }
};

TEST_F(LokiSourceTest, ReadsTheServicesLinesAndThoseOfOthersInTheOrderOfTime) {
  loki.add(ns(kNoon) + 5, {{"app", "web"}}, "later");
  loki.add(ns(kNoon), {{"app", "label"}, {"pod", "label-1"}}, "first \"quoted\"");
  loki.add(ns(kNoon) - 1, {{"app", "label"}}, "before");
  loki.add(ns(kEnd), {{"app", "label"}}, "last");
  loki.add(ns(kEnd) + 1'000'000, {{"app", "label"}}, "behind");
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_THAT(texts(found), ElementsAre("first \"quoted\"", "later", "last"));
  EXPECT_EQ(found->lines[0].service, "label");
  EXPECT_EQ(found->lines[0].labels, (LabelSet{{"app", "label"}, {"pod", "label-1"}}));
  EXPECT_EQ(found->lines[1].service, "web");
  EXPECT_THAT(found->missing, IsEmpty());
  for (const HttpRequest& request : loki.requests()) {
    EXPECT_THAT(request.headers, Contains(HttpHeader{"X-Scope-OrgID", "shop"}));
    EXPECT_THAT(request.headers, Contains(HttpHeader{"Authorization", "Bearer s3cret"}));
  }
}

TEST_F(LokiSourceTest, TheLabelThatNamesTheServiceIsLookedUp) {
  loki.add(ns(kNoon), {{"app", "web"}, {"job", "shop/Label"}}, "by its job");
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_EQ(found->lines.size(), 1U);
  EXPECT_EQ(found->lines[0].service, "label");
  options.labels = {"unit"};
  EXPECT_THAT(read()->missing, ElementsAre(HasSubstr("there are app, job")));
  options.labels = {"app"};
  const auto others = read();
  ASSERT_THAT(texts(others), ElementsAre("by its job"));
  EXPECT_EQ(others->lines[0].service, "web");
  EXPECT_THAT(others->missing, ElementsAre(HasSubstr("has no lines of label (by app)")));
}

TEST_F(LokiSourceTest, BasicAuthenticationAndNoTenant) {
  options.endpoint = {.url = "http://loki:3100", .user = "Aladdin", .password = "open sesame"};
  ASSERT_TRUE(read());
  for (const HttpRequest& request : loki.requests()) {
    // The example of RFC 7617.
    EXPECT_THAT(request.headers,
                Contains(HttpHeader{"Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}));
    for (const HttpHeader& header : request.headers) EXPECT_NE(header.name, "X-Scope-OrgID");
  }
}

TEST_F(LokiSourceTest, PagesLoseAndDoubleNoLineOfEqualTime) {
  options.page = 7;
  std::vector<std::string> all;
  // Five lines a moment, of two streams: every page ends among lines of one time.
  for (int i = 0; i < 100; ++i) {
    all.push_back(fmt::format("line {:03}", i));
    loki.add(ns(kNoon) + i / 5, {{"app", "label"}, {"pod", i % 2 == 0 ? "a" : "b"}}, all.back());
  }
  // The same words twice at one time, of two pods, are two lines.
  loki.add(ns(kNoon) + 30, {{"app", "label"}, {"pod", "a"}}, "same");
  loki.add(ns(kNoon) + 30, {{"app", "label"}, {"pod", "b"}}, "same");
  all.insert(all.end(), {"same", "same"});
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  std::vector<std::string> got = texts(found);
  std::ranges::sort(got);
  EXPECT_EQ(got, all);
  EXPECT_THAT(found->missing, IsEmpty());
}

TEST_F(LokiSourceTest, MoreLinesOfOneTimeThanAPageAreSaidAndTheRestIsRead) {
  options.page = 10;
  for (int i = 0; i < 25; ++i)
    loki.add(ns(kNoon), {{"app", "label"}}, fmt::format("at once {}", i));
  loki.add(ns(kNoon) + 9, {{"app", "label"}}, "behind them");
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_THAT(texts(found), Contains("behind them"));
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("have the same time")));
}

TEST_F(LokiSourceTest, ALoudMorningDoesNotHideTheEndOfTheWindow) {
  options.max_lines = 96;
  for (int i = 0; i < 1000; ++i)
    loki.add(ns(kNoon) + i, {{"app", "label"}}, fmt::format("morning {}", i));
  loki.add(ns(kEnd), {{"app", "label"}}, "what matters");
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_LE(found->lines.size(), 96U);
  EXPECT_THAT(texts(found), Contains("what matters"));
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("more lines of label than were read")));
  options.max_lines = LogsSource::kMaxLines, options.max_bytes = 2'000;
  const auto bytes = read();
  ASSERT_TRUE(bytes);
  size_t total = 0;
  for (const StoredLine& line : bytes->lines) total += line.text.size();
  EXPECT_LE(total, 2'000U);
  EXPECT_THAT(texts(bytes), Contains("what matters"));
}

TEST_F(LokiSourceTest, AnAnswerThatIsTooLargeIsAskedForInSmallerPages) {
  options.page = 1'000;
  loki.max_answer = 100'000;
  for (int i = 0; i < 500; ++i)
    loki.add(ns(kNoon) + i, {{"app", "label"}}, std::string(1'000, 'x') + std::to_string(i));
  EXPECT_EQ(read()->lines.size(), 500U);
  loki.max_answer = 1'000;
  const auto none = read();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceExhausted);
}

TEST_F(LokiSourceTest, EveryFailureSaysWhatToDoAndNeverTheToken) {
  const auto check = [&](int status, const std::string& body, ErrorCode code, const char* remedy,
                         std::vector<HttpHeader> headers = {}) {
    const Error error = error_of(status, body, std::move(headers));
    EXPECT_EQ(error.code, code) << error.text();
    EXPECT_THAT(error.text(), HasSubstr(remedy));
    EXPECT_THAT(error.text(), HasSubstr("Loki at loki:3100"));
    EXPECT_THAT(error.text(), Not(HasSubstr("s3cret")));
  };
  check(400, "the query time range exceeds the limit (query length: 9h, limit: 1h)",
        ErrorCode::kInvalidArgument, "exceeds the limit");
  check(401, "no org id", ErrorCode::kPermission, "check LOKI_TOKEN, and the tenant");
  check(403, "", ErrorCode::kPermission, "check LOKI_TOKEN");
  check(404, "404 page not found", ErrorCode::kNotFound, "check the address of logs.loki");
  check(429, "too many outstanding requests", ErrorCode::kUnavailable, "try again in 120 s",
        {{"Retry-After", "120"}});
  check(503, "", ErrorCode::kUnavailable, "try again later");
  check(200, "<html>log in</html>", ErrorCode::kUnavailable, "check the address of logs.loki");
  check(200, R"({"status": "success", "data": [)", ErrorCode::kUnavailable, "check the address");
  check(200, R"([1, 2])", ErrorCode::kUnavailable, "check the address");
}

TEST_F(LokiSourceTest, WhoAsksTooOftenWaitsAsLongAsHeIsTold) {
  loki.add(ns(kNoon), {{"app", "label"}}, "there");
  size_t refusals = 1;
  loki.instead = [&](const HttpRequest&) -> std::optional<HttpResponse> {
    if (refusals == 0) return std::nullopt;
    --refusals;
    return HttpResponse{429, {{"Retry-After", "0"}}, "too many"};
  };
  EXPECT_THAT(texts(read()), ElementsAre("there"));
  // What nobody waits for is asked once.
  const size_t before = loki.requests().size();
  error_of(429, "too many", {{"Retry-After", "3600"}});
  EXPECT_EQ(loki.requests().size(), before + 1);
}

TEST_F(LokiSourceTest, WhatWasReadBeforeAFailureStays) {
  loki.add(ns(kNoon), {{"app", "label"}}, "there");
  loki.add(ns(kEnd), {{"app", "label"}}, "not any more");
  loki.instead = [&](const HttpRequest&) -> std::optional<HttpResponse> {
    if (loki.queries() < 3) return std::nullopt;
    return HttpResponse{503, {}, ""};
  };
  const auto found = read();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_THAT(texts(found), ElementsAre("there"));
  EXPECT_THAT(found->missing, ElementsAre(HasSubstr("log lines of label from 2026-11-19T12:10")));
}

TEST_F(LokiSourceTest, ACancelledReadingEnds) {
  cancel.cancel();
  EXPECT_EQ(read().error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace precedent
