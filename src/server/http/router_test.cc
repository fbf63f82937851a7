#include "server/http/router.h"

#include <gtest/gtest.h>

#include "base/foreign_json.h"
#include "server/http/doubled_key.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

class RouterTest : public ::testing::Test {
 protected:
  RouterTest() {
    for (const auto* pattern : {"/chat/", "/chat/{id}/stream", "/chat/messages/{id}"})
      router_.add_now("GET", pattern, [pattern](const Routed& routed) {
        std::string said = pattern;
        for (const auto& [name, value] : routed.names) said += " " + name + "=" + value;
        return ServedResponse{.body = said};
      });
    router_.add_now("PUT", "/chat/messages/{id}",
                    [](const Routed&) { return ServedResponse{.status = 201}; });
  }
  ServedResponse ask(std::string method, std::string path) {
    ServedResponse given;
    router_.dispatch({.method = std::move(method), .path = std::move(path)},
                     [&](ServedResponse response) { given = std::move(response); });
    return given;
  }
  Router router_;
};

TEST_F(RouterTest, APathGoesToItsRouteWithItsNames) {
  EXPECT_EQ(ask("GET", "/chat/").body, "/chat/");
  EXPECT_EQ(ask("GET", "/chat/a b/stream").body, "/chat/{id}/stream id=a b");
  EXPECT_EQ(ask("GET", "/chat/messages/t-1").body, "/chat/messages/{id} id=t-1");
  EXPECT_EQ(ask("HEAD", "/chat/").body, "/chat/");
  EXPECT_EQ(ask("PUT", "/chat/messages/t-1").status, 201);
}

TEST_F(RouterTest, WhatIsNamedOutrightIsNoId) {
  router_.add_now("GET", "/threads/{id}/runs/{run}",
                  [](const Routed&) { return ServedResponse{.body = "run"}; });
  router_.add_now("POST", "/threads/{id}/runs/wait",
                  [](const Routed&) { return ServedResponse{.body = "wait"}; });
  EXPECT_EQ(ask("POST", "/threads/t-1/runs/wait").body, "wait");
  EXPECT_EQ(ask("GET", "/threads/t-1/runs/r-1").body, "run");
  const ServedResponse refused = ask("GET", "/threads/t-1/runs/wait");
  ASSERT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.back().value, "POST");
}

TEST_F(RouterTest, APathThatIsAPatternIsNothingElse) {
  router_.add_now("POST", "/chat/prompt/stream",
                  [](const Routed&) { return ServedResponse{.body = "prompt"}; });
  EXPECT_EQ(ask("POST", "/chat/prompt/stream").body, "prompt");
  const ServedResponse refused = ask("GET", "/chat/prompt/stream");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.back(), (HttpHeader{"Allow", "POST"}));
}

TEST_F(RouterTest, WhatNoRouteHasIsAProblem) {
  for (const auto* path : {"/", "/chat", "/chat/messages/", "/chat/messages/a/b", "/chat//stream"})
    EXPECT_EQ(ask("GET", path).status, 404) << path;
  const ServedResponse refused = ask("DELETE", "/chat/messages/t-1");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.back(), (HttpHeader{"Allow", "GET, PUT"}));
  EXPECT_EQ(refused.headers.front().value, "application/problem+json");
}

TEST_F(RouterTest, ABodyThatIsSomethingElseThanItsRouteTakesIsRefused) {
  const auto answer = [](const Routed&) { return ServedResponse{.status = 201}; };
  router_.add_now("POST", "/json", answer);
  router_.add_now("POST", "/files", answer, Takes::kAnything);
  const auto send = [&](std::string path, std::vector<HttpHeader> headers, std::string body = "x") {
    ServedResponse given;
    router_.dispatch({.method = "POST",
                      .path = std::move(path),
                      .headers = std::move(headers),
                      .body = std::move(body)},
                     [&](ServedResponse response) { given = std::move(response); });
    return given;
  };
  for (const char* type : {"application/json", "Application/JSON ; charset=utf-8", ""})
    EXPECT_EQ(send("/json", {{"Content-Type", type}}).status, 201) << type;
  for (const char* type :
       {"text/plain", "application/jsonx", "application/x-www-form-urlencoded"}) {
    const ServedResponse refused = send("/json", {{"Content-Type", type}});
    EXPECT_EQ(refused.status, 415) << type;
    EXPECT_TRUE(refused.body.contains(std::string("'") + type + "'")) << refused.body;
    EXPECT_EQ(send("/files", {{"Content-Type", type}}).status, 201) << type;
    EXPECT_EQ(send("/json", {{"Content-Type", type}}, "").status, 201) << "nothing was sent";
  }
  for (const char* path : {"/json", "/files"}) {
    EXPECT_EQ(send(path, {{"Content-Encoding", "gzip"}}).status, 415) << path;
    EXPECT_EQ(send(path, {{"Content-Encoding", "identity"}}).status, 201) << path;
  }
}

TEST_F(RouterTest, ADoubledKeyIsLookedForAsDeepAsJsonIsRead) {
  const auto within = [](size_t levels) {
    std::string text = R"({"a":1,"a":2})";
    for (size_t i = 1; i < levels; ++i) text = R"({"in":)" + text + "}";
    return text;
  };
  EXPECT_EQ(doubled_key(within(kMaxJsonDepth)), "a");
  EXPECT_EQ(doubled_key(within(kMaxJsonDepth + 1)), std::nullopt);
}

TEST_F(RouterTest, TheBodyOfAGetIsNobodysBusiness) {
  router_.add_now("GET", "/json", [](const Routed&) { return ServedResponse{.status = 200}; });
  ServedResponse given;
  router_.dispatch({.method = "GET", .path = "/json", .body = R"({"a":1,"a":2})"},
                   [&](ServedResponse response) { given = std::move(response); });
  EXPECT_EQ(given.status, 200);
}

}  // namespace
}  // namespace precedent
