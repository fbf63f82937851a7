#include "index/qdrant_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/foreign_json.h"
#include "files/temporary_folder.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class QdrantApiTest : public testing::Test {
 protected:
  QdrantApi api(std::vector<std::string> keys = {}, std::string url = "http://localhost:6333/") {
    QdrantConfig config{.url = std::move(url), .keys = std::move(keys)};
    return QdrantApi(http_, config, [this](milliseconds time) { waited_.push_back(time); });
  }
  static std::string error(std::string_view text) {
    return dump_json({{"status", {{"error", text}}}});
  }

  std::shared_ptr<ScriptedHttpClient> http_ = std::make_shared<ScriptedHttpClient>();
  std::vector<milliseconds> waited_;
};

TEST_F(QdrantApiTest, AResultIsHandedBack) {
  http_->play(200, R"({"result":{"count":7},"status":"ok","time":0.1})");
  EXPECT_EQ(api().call("POST", "/collections/a/points/count", "{}")->dump(), R"({"count":7})");
  EXPECT_EQ(http_->requests()[0].url, "http://localhost:6333/collections/a/points/count");
  EXPECT_EQ(http_->requests()[0].body, "{}");
}

TEST_F(QdrantApiTest, APathOfTheAddressStaysInFront) {
  http_->play(200, R"({"result":true})");
  ASSERT_TRUE(api({}, "https://example.com/qdrant").call("GET", "/aliases"));
  EXPECT_EQ(http_->requests()[0].url, "https://example.com/qdrant/aliases");
}

TEST_F(QdrantApiTest, ABusyServerIsAskedAgainAfterTheTimeItAsksFor) {
  http_->play(429, error("Rate limiting exceeded: … Retry after 3s"));
  http_->play(503, "", {{"Retry-After", "2"}});
  http_->play(200, R"({"result":1})");
  EXPECT_EQ(*api().call("GET", "/a"), 1);
  EXPECT_THAT(waited_, ElementsAre(milliseconds(3000), milliseconds(2000)));
}

TEST_F(QdrantApiTest, WhoAsksForTooMuchPatienceIsUnavailable) {
  http_->play(429, error("Rate limiting exceeded: Read rate limit exceeded. Retry after 30s"));
  const auto result = api().call("POST", "/collections/a/points/query", "{}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(result.error().text(), HasSubstr("Qdrant at localhost:6333 answered 429"));
  EXPECT_THAT(result.error().text(), HasSubstr("strict_mode_config"));
  EXPECT_THAT(waited_, IsEmpty());
}

TEST_F(QdrantApiTest, ABrokenConnectionIsTriedThreeTimes) {
  for (int i = 0; i < 3; ++i)
    http_->play({{}, {}, Error{ErrorCode::kUnavailable, "cannot connect to localhost:6333"}});
  const auto result = api().call("GET", "/a");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(result.error().text(), HasSubstr("which PRECEDENT_QDRANT_URL names: cannot connect"));
  EXPECT_THAT(waited_, ElementsAre(milliseconds(200), milliseconds(400)));
}

TEST_F(QdrantApiTest, WhatTheServerRefusesIsNotRepeated) {
  http_->play(400, error("Bad request: Limit exceeded 50 > 5 for \"limit\". Help: Reduce it."));
  const auto result = api().call("POST", "/collections/a/points/query?x=1", "{}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().text(), HasSubstr("400 to /collections/a/points/query: Bad request"));
  EXPECT_THAT(result.error().text(), HasSubstr("change its strict_mode_config"));
}

TEST_F(QdrantApiTest, ThePartsOfA4xxAreTold) {
  const std::map<int, ErrorCode> codes = {
      {403, ErrorCode::kPermission},      {404, ErrorCode::kNotFound},
      {409, ErrorCode::kConflict},        {413, ErrorCode::kInvalidArgument},
      {422, ErrorCode::kInvalidArgument}, {507, ErrorCode::kResourceExhausted}};
  for (const auto& [status, code] : codes) {
    http_->play(status, error("because"));
    EXPECT_EQ(api().call("GET", "/a").error().code, code) << status;
  }
}

TEST_F(QdrantApiTest, AnAnswerOfSomethingElseIsDamage) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"status":"ok"})"}) {
    http_->play(200, body);
    EXPECT_EQ(api().call("GET", "/a").error().code, ErrorCode::kCorrupt) << body;
  }
}

TEST_F(QdrantApiTest, TheSecondKeyIsTriedAndKept) {
  http_->play(401, "Invalid API key or JWT");
  http_->play(200, R"({"result":1})");
  http_->play(200, R"({"result":2})");
  QdrantApi two = api({"old-key", "new-key"});
  ASSERT_TRUE(two.call("GET", "/a"));
  ASSERT_TRUE(two.call("GET", "/a"));
  std::vector<std::string> sent;
  for (const HttpRequest& request : http_->requests()) sent.push_back(request.headers[0].value);
  EXPECT_THAT(sent, ElementsAre("old-key", "new-key", "new-key"));
}

TEST_F(QdrantApiTest, ARefusedKeyIsNeverShown) {
  http_->play(401, "Invalid API key or JWT");
  http_->play(401, "Invalid API key or JWT");
  const auto result = api({"secret-1", "secret-2"}).call("GET", "/a");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kPermission);
  EXPECT_THAT(result.error().text(), HasSubstr("PRECEDENT_QDRANT_API_KEY"));
  EXPECT_THAT(result.error().text(), Not(HasSubstr("secret")));
}

TEST_F(QdrantApiTest, TheVersionIsChecked) {
  const auto played = [&](std::string body) {
    http_->play(200, std::move(body));
    return api().version();
  };
  EXPECT_EQ(*played(R"({"title":"qdrant - vector search engine","version":"1.16.0"})"), "1.16.0");
  EXPECT_EQ(*played(R"({"title":"qdrant - vector search engine","version":"2.0.1"})"), "2.0.1");
  const auto old = played(R"({"title":"qdrant - vector search engine","version":"1.9.7"})");
  EXPECT_EQ(old.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(old.error().text(), HasSubstr("is version '1.9.7'; precedent needs 1.16"));
  EXPECT_EQ(played(R"({"title":"another"})").error().code, ErrorCode::kCorrupt);
}

class QdrantConfigTest : public testing::Test {
 protected:
  Result<std::optional<QdrantConfig>> read() const {
    return read_qdrant_config([this](const char* name) -> std::optional<std::string> {
      const auto found = set.find(name);
      return found == set.end() ? std::nullopt : std::optional(found->second);
    });
  }
  std::map<std::string, std::string> set;
};

TEST_F(QdrantConfigTest, WithoutAnAddressThereIsNone) {
  set["PRECEDENT_QDRANT_API_KEY"] = "k";
  EXPECT_FALSE(*read());
}

TEST_F(QdrantConfigTest, TwoKeysWhileRotating) {
  set = {{"PRECEDENT_QDRANT_URL", "https://qdrant.example.com:6333"},
         {"PRECEDENT_QDRANT_API_KEY", "old"},
         {"PRECEDENT_QDRANT_API_KEY_2", "new"},
         {"PRECEDENT_QDRANT_EXACT", "1"}};
  EXPECT_THAT((*read())->keys, ElementsAre("old", "new"));
  EXPECT_TRUE((*read())->exact);
}

TEST_F(QdrantConfigTest, KeysComeFromAFile) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "keys";
  set = {{"PRECEDENT_QDRANT_URL", "http://127.0.0.1:6333"},
         {"PRECEDENT_QDRANT_API_KEY_FILE", file.string()}};
  EXPECT_THAT(read().error().text(), HasSubstr("PRECEDENT_QDRANT_API_KEY_FILE"));
  std::ofstream(file) << " one \n\ntwo\n";
  EXPECT_THAT((*read())->keys, ElementsAre("one", "two"));
  set["PRECEDENT_QDRANT_API_KEY"] = "three";
  EXPECT_THAT(read().error().text(), HasSubstr("both set"));
}

TEST_F(QdrantConfigTest, AKeyLeavesThisMachineOnlyOverTls) {
  set = {{"PRECEDENT_QDRANT_URL", "http://qdrant.example.com:6333"}};
  EXPECT_TRUE(read());
  set["PRECEDENT_QDRANT_API_KEY"] = "secret-key";
  const auto refused = read();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPermission);
  EXPECT_THAT(refused.error().text(), HasSubstr("in the clear; use https"));
  EXPECT_THAT(refused.error().text(), Not(HasSubstr("secret-key")));
  for (const char* url : {"https://qdrant.example.com", "http://localhost:6333", "http://[::1]"}) {
    set["PRECEDENT_QDRANT_URL"] = url;
    EXPECT_TRUE(read()) << url;
  }
}

TEST_F(QdrantConfigTest, AnAddressIsOneAndNothingMore) {
  for (const char* url : {"qdrant", "ftp://a", "http://u:p@a", "http://a/?key=1", "http://a/#x"}) {
    set["PRECEDENT_QDRANT_URL"] = url;
    EXPECT_EQ(read().error().code, ErrorCode::kInvalidArgument) << url;
  }
}

}  // namespace
}  // namespace precedent
