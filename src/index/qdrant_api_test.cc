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

// Of one whose clock stands where the test puts it.
class QdrantRestTest : public QdrantApiTest {
 protected:
  QdrantRestTest() {
    QdrantConfig config{.url = "http://localhost:6333"};
    config.attempts = 1;
    config.rest = milliseconds(5000);
    api_ = std::make_unique<QdrantApi>(http_, config, [](milliseconds) {}, [this] { return now_; });
  }
  void play_nobody() {
    http_->play({{}, {}, Error{ErrorCode::kUnavailable, "cannot connect to localhost:6333"}});
  }

  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::unique_ptr<QdrantApi> api_;
};

TEST_F(QdrantRestTest, AServerThatWasGoneIsNotAskedForAWhile) {
  play_nobody();
  const auto first = api_->call("GET", "/a");
  now_ += milliseconds(4999);
  const auto second = api_->call("GET", "/b");
  EXPECT_EQ(http_->requests().size(), 1U);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().text(), first.error().text());
  now_ += milliseconds(1);
  http_->play(200, R"({"result":1})");
  EXPECT_TRUE(api_->call("GET", "/c"));
  http_->play(200, R"({"result":1})");
  EXPECT_TRUE(api_->call("GET", "/d"));
}

TEST_F(QdrantRestTest, WhileOneLooksTheOthersDoNotWait) {
  class Asking final : public HttpClient {
   public:
    Result<HttpResponse> stream(const HttpRequest&, const HttpContext&,
                                const OnHttpBody&) override {
      ++requests;
      if (meanwhile) meanwhile();
      return fail(ErrorCode::kUnavailable, "nobody");
    }
    size_t requests = 0;
    std::function<void()> meanwhile;
  };
  auto http = std::make_shared<Asking>();
  QdrantApi api(http, api_->config(), [](milliseconds) {}, [this] { return now_; });
  ASSERT_FALSE(api.call("GET", "/a"));
  now_ += milliseconds(5000);
  bool failed = false;
  http->meanwhile = [&] { failed = !api.call("GET", "/c"); };
  ASSERT_FALSE(api.call("GET", "/b"));
  EXPECT_TRUE(failed);
  EXPECT_EQ(http->requests, 2U);
}

TEST_F(QdrantRestTest, OneThatSaysLaterRestsToo) {
  http_->play(503, "");
  ASSERT_FALSE(api_->call("GET", "/a"));
  EXPECT_THAT(api_->call("GET", "/b").error().text(), HasSubstr("answered 503 to /a"));
  EXPECT_EQ(http_->requests().size(), 1U);
}

TEST_F(QdrantRestTest, ARefusalIsAnAnswer) {
  http_->play(404, error("Not found"));
  http_->play(404, error("Not found"));
  ASSERT_FALSE(api_->call("GET", "/a"));
  ASSERT_FALSE(api_->call("GET", "/b"));
  EXPECT_EQ(http_->requests().size(), 2U);
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

class QdrantSettingsTest : public QdrantConfigTest {
 protected:
  Result<std::optional<QdrantConfig>> read(std::string_view yaml) const {
    return read_qdrant_config(yaml, "p.yaml", [this](const char* name) {
      const auto found = set.find(name);
      return found == set.end() ? std::nullopt : std::optional(found->second);
    });
  }
  std::string problem(std::string_view yaml) const {
    const auto config = read(yaml);
    return config ? "none" : config.error().text();
  }
};

TEST_F(QdrantSettingsTest, TheFileSaysWhereAndHow) {
  set = {{"OLD", "one"}, {"NEW", "two"}};
  const auto config = *read(
      "qdrant:\n  url: https://q.example.com\n  timeout: 2s\n  shards: 3\n  exact: true\n"
      "  grace: 1h\n  key_env: [OLD, NEW]\n");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->url, "https://q.example.com");
  EXPECT_EQ(config->read_timeout, milliseconds(2000));
  EXPECT_EQ(config->answer_timeout, milliseconds(2000));
  EXPECT_EQ(config->shards, 3);
  EXPECT_TRUE(config->exact);
  EXPECT_EQ(config->grace, std::chrono::hours(1));
  EXPECT_THAT(config->keys, ElementsAre("one", "two"));
  EXPECT_FALSE(*read("log:\n  requests: off\n"));
}

TEST_F(QdrantSettingsTest, WhileKeysChangeOneOfThemMayBeGone) {
  set = {{"NEW", "two"}};
  EXPECT_THAT((*read("qdrant: {url: 'http://localhost:1', key_env: [OLD, NEW]}"))->keys,
              ElementsAre("two"));
  set.clear();
  EXPECT_EQ(problem("qdrant:\n  url: http://localhost:1\n  key_env: [OLD, NEW]\n"),
            "p.yaml:3: qdrant.key_env: OLD or NEW is not set");
}

TEST_F(QdrantSettingsTest, KeysOfTheFileStayWithItsAddress) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "keys") << "secret\n";
  const std::string yaml = "qdrant: {url: 'https://a.example.com', shards: 2, key_file: '" +
                           (folder.path() / "keys").string() + "'}";
  EXPECT_THAT((*read(yaml))->keys, ElementsAre("secret"));
  set["PRECEDENT_QDRANT_URL"] = "https://b.example.com";
  const auto elsewhere = *read(yaml);
  EXPECT_EQ(elsewhere->url, "https://b.example.com");
  EXPECT_THAT(elsewhere->keys, IsEmpty());
  EXPECT_EQ(elsewhere->shards, 2);
  set["PRECEDENT_QDRANT_URL"] = "off";
  EXPECT_FALSE(*read(yaml));
}

TEST_F(QdrantSettingsTest, WhatIsWrongIsNamedWithItsLine) {
  const std::map<std::string, std::string> problems = {
      {"qdrant:\n  timeout: 5s\n", "p.yaml:2: qdrant.url: is missing"},
      {"qdrant:\n  url: ftp://a\n", "p.yaml:2: qdrant.url: "},
      {"qdrant:\n  url: http://a\n  shards: 0\n", "p.yaml:3: qdrant.shards: '0' is no whole"},
      {"qdrant:\n  url: http://a\n  timeout: 0\n", "p.yaml:3: qdrant.timeout: is 0"},
      {"qdrant:\n  url: http://a\n  exact: often\n", "p.yaml:3: qdrant.exact: write true"},
      {"qdrant:\n  url: http://a\n  api_key: x\n", "p.yaml:3: qdrant.api_key is unknown"},
      {"qdrant:\n  url: http://a\n  key_file: /no/such\n", "p.yaml:3: qdrant.key_file: "},
      {"qdrant:\n  url: http://a\n  key_file: a\n  key_env: B\n",
       "p.yaml:4: qdrant.key_env: key_file is there, too"},
  };
  for (const auto& [yaml, said] : problems) EXPECT_THAT(problem(yaml), HasSubstr(said)) << yaml;
}

TEST_F(QdrantSettingsTest, AllThatIsWrongIsFound) {
  ConfigProblems all;
  (void)read_qdrant_config(
      "qdrant:\n  shards: 0\n  exact: often\n", "p.yaml", [](const char*) { return std::nullopt; },
      &all);
  EXPECT_EQ(all.size(), 3U);
}

TEST_F(QdrantSettingsTest, AKeyOfTheFileLeavesThisMachineOnlyOverTls) {
  set = {{"KEY", "secret-key"}};
  const std::string said = problem("qdrant: {url: 'http://q.example.com', key_env: KEY}");
  EXPECT_THAT(said, HasSubstr("in the clear; use https"));
  EXPECT_THAT(said, Not(HasSubstr("secret-key")));
}

TEST_F(QdrantConfigTest, AnAddressIsOneAndNothingMore) {
  for (const char* url : {"qdrant", "ftp://a", "http://u:p@a", "http://a/?key=1", "http://a/#x"}) {
    set["PRECEDENT_QDRANT_URL"] = url;
    EXPECT_EQ(read().error().code, ErrorCode::kInvalidArgument) << url;
  }
}

}  // namespace
}  // namespace precedent
