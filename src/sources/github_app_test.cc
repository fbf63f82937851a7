#include "sources/github_app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "files/temporary_folder.h"
#include "net/scripted_http_client.h"
#include "sources/rsa_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const TimePoint kNow = parse_time("2026-11-24T12:00:00Z").value();

std::string from_base64url(std::string text) {
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  const size_t padding = (4 - text.size() % 4) % 4;
  text.append(padding, '=');
  std::string out(text.size(), '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  out.resize(static_cast<size_t>(size) - padding);
  return out;
}

TEST(GithubAppJwt, IsSignedByTheKeyAndSaysWhoAsksAndUntilWhen) {
  const auto jwt = github_app_jwt("123456", pem_of(lab_key()), kNow);
  ASSERT_TRUE(jwt) << jwt.error().text();
  const auto parts = split(*jwt, '.');
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parse_json(from_base64url(std::string(parts[0])))["alg"], "RS256");
  const auto claims = parse_json(from_base64url(std::string(parts[1])));
  EXPECT_EQ(claims["iss"], "123456");
  EXPECT_EQ(claims["iat"], kNow.time_since_epoch().count() - 60);
  EXPECT_EQ(claims["exp"], kNow.time_since_epoch().count() + 540);

  const std::string signed_text = fmt::format("{}.{}", parts[0], parts[1]);
  const std::string signature = from_base64url(std::string(parts[2]));
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  ASSERT_EQ(EVP_DigestVerifyInit(digest, nullptr, EVP_sha256(), nullptr, lab_key()), 1);
  EXPECT_EQ(EVP_DigestVerify(
                digest, reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                reinterpret_cast<const unsigned char*>(signed_text.data()), signed_text.size()),
            1);
  EVP_MD_CTX_free(digest);
}

TEST(GithubAppJwt, WhatIsNoRsaKeyIsRefused) {
  EVP_PKEY* elliptic = EVP_EC_gen("P-256");
  for (const std::string& pem : {std::string(), std::string("secret"), pem_of(elliptic)}) {
    const auto jwt = github_app_jwt("1", pem, kNow);
    ASSERT_FALSE(jwt);
    EXPECT_THAT(jwt.error().message, HasSubstr("no RSA key"));
    EXPECT_THAT(jwt.error().message, Not(HasSubstr("secret")));
  }
  EVP_PKEY_free(elliptic);
}

class GithubAppTest : public testing::Test {
 protected:
  GithubAppTest() {
    options_.app = "123456";
    options_.repo = "acme/shop";
    options_.key_file = (folder_.path() / "app.pem").string();
    std::ofstream(options_.key_file) << pem_of(lab_key());
  }
  // A clock that a test moves.
  class MovingClock final : public Clock {
   public:
    TimePoint now() const override { return time; }
    TimePoint time = kNow;
  };
  GithubApp app() {
    return GithubApp(http_, clock_, options_,
                     [](std::chrono::seconds, const CancelToken&) { return Result<void>(); });
  }

  const TemporaryFolder folder_;
  ScriptedHttpClient http_;
  MovingClock clock_;
  GithubAppOptions options_;
  CancelToken cancel_;
};

TEST_F(GithubAppTest, ATokenIsFetchedOnceAndRenewedBeforeItExpires) {
  GithubApp app = this->app();
  http_.play(200, R"({"id":987})");
  http_.play(201, R"({"token":"ghs_first","expires_at":"2026-11-24T13:00:00Z"})");
  EXPECT_EQ(app.token(cancel_).value(), "ghs_first");
  ASSERT_EQ(http_.requests().size(), 2U);
  EXPECT_EQ(http_.requests()[0].url, "https://api.github.com/repos/acme/shop/installation");
  EXPECT_THAT(http_.requests()[0].headers,
              Contains(testing::Field(&HttpHeader::value, testing::StartsWith("Bearer ey"))));
  EXPECT_EQ(http_.requests()[1].method, "POST");
  EXPECT_EQ(http_.requests()[1].url, "https://api.github.com/app/installations/987/access_tokens");
  EXPECT_EQ(http_.requests()[1].body, R"({"repositories":["shop"]})");

  clock_.time = kNow + std::chrono::minutes(45);
  EXPECT_EQ(app.token(cancel_).value(), "ghs_first");
  EXPECT_EQ(http_.requests().size(), 2U);
  clock_.time = kNow + std::chrono::minutes(51);
  http_.play(201, R"({"token":"ghs_second","expires_at":"2026-11-24T14:00:00Z"})");
  EXPECT_EQ(app.token(cancel_).value(), "ghs_second");
  EXPECT_EQ(http_.requests().size(), 3U) << "the installation is known";
}

TEST_F(GithubAppTest, ARefusalNamesTheAppAndWhatToCheck) {
  options_.installation = "987";
  for (const int status : {401, 403, 404}) {
    GithubApp app = this->app();
    http_.play(status, "{}");
    const auto token = app.token(cancel_);
    ASSERT_FALSE(token) << status;
    EXPECT_EQ(token.error().code, ErrorCode::kPermission);
    EXPECT_THAT(token.error().message, HasSubstr("the app 123456 no token"));
    EXPECT_THAT(token.error().message, HasSubstr("this machine's clock"));
    EXPECT_THAT(token.error().message, Not(HasSubstr("eyJ")));
  }
}

TEST_F(GithubAppTest, WhatIsNoTokenIsAnError) {
  options_.installation = "987";
  for (const char* body : {"{}", R"({"token":7,"expires_at":"2026-11-24T13:00:00Z"})",
                           R"({"token":"t","expires_at":"soon"})"}) {
    GithubApp app = this->app();
    http_.play(201, body);
    const auto token = app.token(cancel_);
    ASSERT_FALSE(token) << body;
    EXPECT_EQ(token.error().code, ErrorCode::kCorrupt);
  }
}

TEST_F(GithubAppTest, AMissingKeyIsNamed) {
  options_.key_file = "/nowhere/app.pem";
  GithubApp app = this->app();
  const auto token = app.token(cancel_);
  ASSERT_FALSE(token);
  EXPECT_THAT(token.error().message, HasSubstr("/nowhere/app.pem"));
}

}  // namespace
}  // namespace precedent
