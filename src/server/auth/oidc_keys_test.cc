#include "server/auth/oidc_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "net/curl_http_client.h"
#include "net/loopback_server.h"
#include "server/auth/oidc_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::HasSubstr;

class OidcKeysTest : public ::testing::Test {
 protected:
  OidcKeysTest() { provider_.publish({SigningKey::p256().jwk("a")}); }

  // The ids of the keys in force, or the error.
  static std::string ids(const Result<OidcKeys::Keys>& keys) {
    if (!keys) {
      EXPECT_EQ(keys.error().code, ErrorCode::kUnavailable);
      return keys.error().message;
    }
    std::string all;
    for (const JwtKey& key : (*keys)->keys) all += key.id;
    return all;
  }
  std::string current() { return ids(keys_.current()); }

  FakeProvider provider_;
  SettableClock clock_{TimePoint(seconds(1'800'000'000))};
  OidcKeys keys_{FakeProvider::kIssuer, "", provider_, clock_};
};

TEST_F(OidcKeysTest, AreFetchedOnceAndKept) {
  EXPECT_EQ(provider_.fetches(), 0U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(current(), "a");
  clock_.pass(OidcKeys::kFreshUnsaid - seconds(1));
  EXPECT_EQ(current(), "a");
  EXPECT_EQ(provider_.fetches(), 1U);
}

TEST_F(OidcKeysTest, AreReplacedWhenTheyAreNoLongerFresh) {
  EXPECT_EQ(current(), "a");
  provider_.publish({SigningKey::p256().jwk("b")});
  EXPECT_EQ(current(), "a");
  clock_.pass(OidcKeys::kFreshUnsaid);
  // A key that was withdrawn is gone.
  EXPECT_EQ(current(), "b");
}

TEST_F(OidcKeysTest, AreFreshAsLongAsTheProviderSaysWithinReason) {
  const std::pair<const char*, seconds> cases[] = {
      {"max-age=600", seconds(600)},
      {"public, Max-Age=600, must-revalidate", seconds(600)},
      {"max-age=1", OidcKeys::kMinFresh},
      {"no-store", OidcKeys::kMinFresh},
      {"max-age=99999999", OidcKeys::kMaxFresh},
      {"max-age=-5", OidcKeys::kMinFresh},
      {"max-age=99999999999999999999999", OidcKeys::kFreshUnsaid},
      {"max-age=soon", OidcKeys::kFreshUnsaid},
  };
  for (const auto& [header, fresh] : cases) {
    provider_.set(FakeProvider::kKeys, key_set({SigningKey::p256().jwk("a")}), 200,
                  {{"cache-control", header}});
    OidcKeys keys(FakeProvider::kIssuer, "", provider_, clock_);
    const size_t before = provider_.fetches();
    EXPECT_EQ(ids(keys.current()), "a");
    clock_.pass(fresh - seconds(1));
    EXPECT_EQ(ids(keys.current()), "a");
    EXPECT_EQ(provider_.fetches(), before + 1) << header;
    clock_.pass(seconds(1));
    EXPECT_EQ(ids(keys.current()), "a");
    EXPECT_EQ(provider_.fetches(), before + 2) << header;
  }
}

TEST_F(OidcKeysTest, AnUnknownKeyIsLookedForOnceInAWhile) {
  const auto seen = keys_.current();
  ASSERT_TRUE(seen);
  provider_.publish({SigningKey::p256().jwk("a"), SigningKey::rsa().jwk("b")});
  // Just fetched: made-up ids do not reach the provider.
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ids(keys_.newer_than(*seen)), "a");
  EXPECT_EQ(provider_.fetches(), 1U);
  clock_.pass(OidcKeys::kPause);
  EXPECT_EQ(ids(keys_.newer_than(*seen)), "ab");
  EXPECT_EQ(provider_.fetches(), 2U);
  // Somebody who still has the old set gets what was fetched meanwhile.
  EXPECT_EQ(ids(keys_.newer_than(*seen)), "ab");
  const auto newer = keys_.current();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ids(keys_.newer_than(*newer)), "ab");
  EXPECT_EQ(provider_.fetches(), 2U);
}

TEST_F(OidcKeysTest, WithoutKeysNobodyComesIn) {
  provider_.fail_with(Error{ErrorCode::kTimeout, "id.example.com took too long"});
  EXPECT_THAT(current(), HasSubstr("id.example.com took too long"));
  provider_.fail_with(std::nullopt);
  // It is not asked at each request.
  EXPECT_THAT(current(), HasSubstr("id.example.com took too long"));
  clock_.pass(OidcKeys::kPauseAfterFailure);
  EXPECT_EQ(current(), "a");
}

TEST_F(OidcKeysTest, OldOnesHoldForAWhileWhereTheProviderFails) {
  EXPECT_EQ(current(), "a");
  provider_.fail_with(Error{ErrorCode::kUnavailable, "refused"});
  clock_.pass(OidcKeys::kFreshUnsaid + OidcKeys::kGrace - seconds(1));
  EXPECT_EQ(current(), "a");
  clock_.pass(seconds(1));
  EXPECT_THAT(current(), HasSubstr("refused"));
  provider_.fail_with(std::nullopt);
  clock_.pass(OidcKeys::kPauseAfterFailure);
  EXPECT_EQ(current(), "a");
}

TEST_F(OidcKeysTest, GarbageDoesNotReplaceKeys) {
  EXPECT_EQ(current(), "a");
  for (const std::string& body :
       {std::string("<html>"), std::string(R"({"keys":[]})"), std::string(300'000, ' '),
        std::string(R"({"keys":[{"kty":"oct","kid":"a","k":"c2VjcmV0"}]})")}) {
    clock_.pass(OidcKeys::kFreshUnsaid);
    provider_.set(FakeProvider::kKeys, body);
    EXPECT_EQ(current(), "a");
    provider_.publish({SigningKey::p256().jwk("a")});
    clock_.pass(OidcKeys::kPauseAfterFailure);
    EXPECT_EQ(current(), "a");
  }
  OidcKeys fresh(FakeProvider::kIssuer, "", provider_, clock_);
  provider_.set(FakeProvider::kKeys, "<html>");
  EXPECT_THAT(ids(fresh.current()), HasSubstr("no JWK set"));
}

TEST_F(OidcKeysTest, AClockThatWasSetBackKeepsNothingAway) {
  EXPECT_EQ(current(), "a");
  provider_.publish({SigningKey::p256().jwk("b")});
  clock_.pass(seconds(-86'400 * 365));
  EXPECT_EQ(current(), "b");
}

TEST_F(OidcKeysTest, TheDocumentMustBeTheIssuersOwn) {
  const auto with = [&](const json& document) {
    provider_.set(FakeProvider::kDocument, document.dump());
    OidcKeys keys(FakeProvider::kIssuer, "", provider_, clock_);
    return ids(keys.current());
  };
  const std::string issuer = FakeProvider::kIssuer;
  EXPECT_EQ(with({{"issuer", issuer}, {"jwks_uri", FakeProvider::kKeys}}), "a");
  EXPECT_THAT(with({{"issuer", issuer + "/"}, {"jwks_uri", FakeProvider::kKeys}}),
              HasSubstr("is not of the issuer https://id.example.com"));
  EXPECT_THAT(with({{"jwks_uri", FakeProvider::kKeys}}), HasSubstr("is not of the issuer"));
  EXPECT_THAT(with(json::array()), HasSubstr("is not of the issuer"));
  EXPECT_THAT(with({{"issuer", issuer}, {"jwks_uri", "http://id.example.com/keys"}}),
              HasSubstr("must begin with https://"));
  EXPECT_THAT(with({{"issuer", issuer}, {"jwks_uri", "http://127.0.0.1/keys"}}),
              HasSubstr("is on this machine"));
  EXPECT_THAT(with({{"issuer", issuer}, {"jwks_uri", "https://localhost/keys"}}),
              HasSubstr("is on this machine"));
  EXPECT_NE(with({{"issuer", issuer}, {"jwks_uri", "file:///etc/passwd"}}), "a");
  EXPECT_NE(with({{"issuer", issuer}}), "a");
  provider_.set(FakeProvider::kDocument, "{}", 500);
  OidcKeys keys(FakeProvider::kIssuer, "", provider_, clock_);
  EXPECT_THAT(ids(keys.current()), HasSubstr("answered with status 500"));
}

TEST_F(OidcKeysTest, AConfiguredAddressNeedsNoDocument) {
  provider_.set(FakeProvider::kDocument, "", 404);
  OidcKeys keys(FakeProvider::kIssuer, FakeProvider::kKeys, provider_, clock_);
  EXPECT_EQ(ids(keys.current()), "a");
}

TEST_F(OidcKeysTest, OneThreadFetchesForAll) {
  provider_.hold(true);
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { good += current() == "a" ? 1 : 0; });
  while (provider_.waiting() == 0) std::this_thread::yield();
  provider_.hold(false);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(provider_.fetches(), 1U);
}

TEST_F(OidcKeysTest, WhileOneFetchesOthersGoOnWithWhatThereIs) {
  EXPECT_EQ(current(), "a");
  clock_.pass(OidcKeys::kFreshUnsaid);
  provider_.publish({SigningKey::p256().jwk("b")});
  provider_.hold(true);
  std::thread slow([&] { EXPECT_EQ(current(), "b"); });
  while (provider_.waiting() == 0) std::this_thread::yield();
  EXPECT_EQ(current(), "a");
  provider_.hold(false);
  slow.join();
}

// Over real HTTP: the size, and a redirect to somewhere else.
TEST(OidcKeysOverHttp, HugeSetsAndRedirectsAreRefused) {
  bool redirects = true;
  LoopbackServer server([&](const std::string&, const LoopbackServer::Say& say) {
    if (redirects) {
      say("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/keys\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    const std::string piece(65'536, ' ');
    while (say(piece)) {
    }
  });
  CurlHttpClient http;
  const SystemClock clock;
  OidcKeys redirected(server.url(""), server.url("/keys"), http, clock);
  EXPECT_THAT(redirected.current().error().message, HasSubstr("answered with status 302"));
  redirects = false;
  OidcKeys huge(server.url(""), server.url("/keys"), http, clock);
  EXPECT_THAT(huge.current().error().message,
              HasSubstr("the keys of the identity provider cannot"));
}

}  // namespace
}  // namespace precedent
