#include "server/auth/sign_in.h"

#include <gmock/gmock.h>

#include "base/base64.h"
#include "server/auth/auth_lab.h"

namespace precedent {
namespace {

class SignInTest : public AuthLab {
 protected:
  using Headers = std::vector<HttpHeader>;
  static ServedRequest request(Headers headers, std::string client = "10.0.0.1") {
    return {.method = "GET", .path = "/", .headers = std::move(headers), .client = client};
  }
  FixedClock clock_{*parse_time("2026-05-04T10:00:00Z")};
};

TEST_F(SignInTest, NobodySignsInUntilThereIsAToken) {
  SignIn sign_in({.tokens = file()}, clock_);
  EXPECT_EQ(std::get<Caller>(sign_in.caller(request({}))), Caller::local());
  const std::string secret = make({.name = "ann", .role = AccessRole::kUser}).secret;
  EXPECT_EQ(std::get<SignIn::Refusal>(sign_in.caller(request({}))).status, 401);
  for (const HttpHeader& header :
       {HttpHeader{"Authorization", "Bearer " + secret},
        HttpHeader{"authorization", "bearer  " + secret + " "}, HttpHeader{"x-api-key", secret},
        HttpHeader{"Authorization", "Basic " + base64("alertmanager:" + secret)}})
    EXPECT_EQ(std::get<Caller>(sign_in.caller(request({header}))).name, "ann") << header.name;
  for (const char* broken : {"Basic", "Basic !", "Basic YWxlcnQ="})
    EXPECT_EQ(
        std::get<SignIn::Refusal>(sign_in.caller(request({{"Authorization", broken}}))).status,
        401);
  std::filesystem::remove(file());
  EXPECT_EQ(std::get<SignIn::Refusal>(sign_in.caller(request({}))).status, 401)
      << "a running server stays locked";
}

TEST_F(SignInTest, WhoeverGuessesHasToWaitAndNobodyElseBehindTheSameProxy) {
  SignIn sign_in({.tokens = file(), .failures_a_minute = 3}, clock_);
  const std::string secret = make({.name = "ann"}).secret;
  const Headers wrong = {{"Authorization", "Bearer prc_00000000_x"}},
                right = {{"Authorization", "Bearer " + secret}};
  for (int i = 0; i < 3; ++i) {
    const auto refused = std::get<SignIn::Refusal>(sign_in.caller(request(wrong)));
    EXPECT_EQ(refused.status, 401);
    EXPECT_TRUE(refused.wrong);
  }
  const auto waits = std::get<SignIn::Refusal>(sign_in.caller(request(wrong)));
  EXPECT_EQ(waits.status, 429);
  EXPECT_GT(waits.wait.count(), 0);
  EXPECT_EQ(std::get<SignIn::Refusal>(sign_in.caller(request(wrong, "10.0.0.2"))).status, 401);
  EXPECT_EQ(std::get<Caller>(sign_in.caller(request(right))).name, "ann");
}

TEST_F(SignInTest, AnIdentityProviderIsAskedForWhatLooksLikeAJwt) {
  int asked = 0;
  SignIn sign_in({.tokens = file(),
                  .verify = [&](std::string_view jwt) -> Result<Caller> {
                    ++asked;
                    if (jwt == "a.b.c") return Caller{"carol", AccessRole::kEditor, {}, "oidc"};
                    if (jwt == "down.b.c") return fail(ErrorCode::kUnavailable, "no keys");
                    return fail(ErrorCode::kPermission, "its signature is wrong");
                  }},
                 clock_);
  const auto with = [&](const std::string& token) {
    return sign_in.caller(request({{"Authorization", "Bearer " + token}}));
  };
  EXPECT_EQ(std::get<Caller>(with("a.b.c")).name, "carol");
  EXPECT_EQ(std::get<SignIn::Refusal>(with("x.y.z")).status, 401);
  EXPECT_EQ(std::get<SignIn::Refusal>(with("down.b.c")).status, 503);
  EXPECT_EQ(std::get<SignIn::Refusal>(with("prc_0_1")).status, 401);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(std::get<SignIn::Refusal>(sign_in.caller(request({}))).status, 401);
  EXPECT_EQ(std::get<SignIn::Refusal>(with(std::string(20'000, 'a') + ".b.c")).status, 401);
}

TEST_F(SignInTest, ABasicPasswordOfAnotherFormIsNoToken) {
  SignIn sign_in({.tokens = file()}, clock_);
  make({.name = "ann"});
  EXPECT_FALSE(
      std::get<SignIn::Refusal>(sign_in.caller(request({{"Authorization", "Basic YTpi"}}))).wrong);
}

}  // namespace
}  // namespace precedent
