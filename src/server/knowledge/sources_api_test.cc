// Sources over HTTP.
#include "server/knowledge/sources_api.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

class FakeSourceDesk final : public SourceDesk {
 public:
  Result<std::vector<SourceShown>> sources() override { return all; }
  std::string problem() override { return wrong; }
  Result<void> sync(const std::string& name, const SyncWish& wish) override {
    if (name != "wiki") return fail(ErrorCode::kNotFound, "there is no source '" + name + "'");
    wished.push_back(wish);
    return {};
  }

  std::vector<SourceShown> all;
  std::vector<SyncWish> wished;
  std::string wrong;
};

class SourcesApiTest : public ::testing::Test {
 protected:
  SourcesApiTest() {
    desk_.all = {{.name = "wiki",
                  .type = "confluence",
                  .activity = "idle",
                  .documents = 412,
                  .synced_at = parse_time("2026-11-24T10:00:00Z").value(),
                  .failed_at = parse_time("2026-11-24T11:00:00Z").value(),
                  .every = std::chrono::minutes(15),
                  .error = "wiki.internal refuses",
                  .notes = {"3 pages were not taken"}}};
  }
  struct Got {
    int status = 0;
    json body;
  };
  Got ask(const std::string& method, const std::string& path, const std::string& body = "",
          AccessRole role = AccessRole::kEditor, bool has_sources = true, const Scope& scope = {}) {
    Router router;
    add_source_routes(router, has_sources ? &desk_ : nullptr, {.role = role, .scope = scope});
    Got got;
    router.dispatch({.method = method, .path = path, .body = body},
                    [&](const ServedResponse& response) {
                      got = {response.status, parse_json(response.body)};
                    });
    return got;
  }

  FakeSourceDesk desk_;
};

TEST_F(SourcesApiTest, EachIsShownWithHowCurrentItIs) {
  const json source = ask("GET", "/sources").body["sources"][0];
  EXPECT_EQ(source["name"], "wiki");
  EXPECT_EQ(source["documents"], 412);
  EXPECT_EQ(source["stale"], true);
  EXPECT_EQ(source["synced_at"], "2026-11-24T10:00:00Z");
  EXPECT_TRUE(source["next_at"].is_null());
  EXPECT_EQ(source["every_seconds"], 900);
  EXPECT_EQ(source["error"], "wiki.internal refuses");
  EXPECT_EQ(source["notes"][0], "3 pages were not taken");
}

TEST_F(SourcesApiTest, AReaderSeesThatItIsStaleAndNotWhy) {
  const json source = ask("GET", "/sources", "", AccessRole::kReader).body["sources"][0];
  EXPECT_EQ(source["stale"], true);
  EXPECT_FALSE(source.contains("error"));
  EXPECT_FALSE(source.contains("notes"));
}

TEST_F(SourcesApiTest, WhoMaySeeAPartCountsNothing) {
  const auto seen = [&](const Scope& scope) {
    return ask("GET", "/sources", "", AccessRole::kReader, true, scope).body["sources"][0];
  };
  EXPECT_EQ(seen({})["documents"], 412);
  EXPECT_FALSE(seen({.kinds = {Kind::kRunbook}}).contains("documents"));
}

TEST_F(SourcesApiTest, WhyTheFileIsNotInForceIsToldToWhoMayChangeIt) {
  EXPECT_EQ(ask("GET", "/sources").body["problem"], "");
  desk_.wrong = "sources.yaml:3: sources[0].url: is missing";
  EXPECT_EQ(ask("GET", "/sources").body["problem"], desk_.wrong);
  EXPECT_FALSE(ask("GET", "/sources", "", AccessRole::kReader).body.contains("problem"));
}

TEST_F(SourcesApiTest, ASyncIsAskedFor) {
  EXPECT_EQ(ask("POST", "/sources/wiki/sync").status, 202);
  EXPECT_EQ(ask("POST", "/sources/wiki/sync", R"({"full":true,"yes":true})").status, 202);
  ASSERT_EQ(desk_.wished.size(), 2U);
  EXPECT_FALSE(desk_.wished[0].full);
  EXPECT_TRUE(desk_.wished[1].full);
  EXPECT_TRUE(desk_.wished[1].yes);
}

TEST_F(SourcesApiTest, WhatIsWrongIsAProblem) {
  EXPECT_EQ(ask("POST", "/sources/wik/sync").status, 404);
  EXPECT_EQ(ask("POST", "/sources/wiki/sync", R"({"ful":true})").status, 400);
  EXPECT_EQ(ask("POST", "/sources/wiki/sync", R"({"full":"yes"})").status, 400);
  EXPECT_EQ(ask("DELETE", "/sources/wiki/sync").status, 405);
  EXPECT_TRUE(desk_.wished.empty());
}

TEST_F(SourcesApiTest, AServerWithoutSourcesSaysSo) {
  EXPECT_EQ(ask("GET", "/sources", "", AccessRole::kReader, false).body["sources"], json::array());
  const Got got = ask("POST", "/sources/wiki/sync", "", AccessRole::kEditor, false);
  EXPECT_EQ(got.status, 404);
  EXPECT_NE(got.body["detail"].get<std::string>().find("sources.yaml"), std::string::npos);
}

}  // namespace
}  // namespace precedent
