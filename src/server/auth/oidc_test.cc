#include "server/auth/oidc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/auth/oidc_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr int64_t kNow = 1'800'000'000;

class OidcTest : public ::testing::Test {
 protected:
  OidcTest() {
    provider_.publish({key_.jwk("k")});
    config_.issuer = FakeProvider::kIssuer;
    config_.audience = "precedent";
    config_.roles = {{"sre", "editor"}, {"staff", "user"}, {"root", "admin"}};
  }

  static json claims(const json& more = json::object()) {
    json claims = {{"iss", FakeProvider::kIssuer},
                   {"aud", "precedent"},
                   {"sub", "u-1"},
                   {"exp", kNow + 300},
                   {"iat", kNow},
                   {"groups", {"staff"}}};
    claims.update(more);
    return claims;
  }
  std::string token(const json& claims, const char* id = "k") const {
    return key_.token({{"alg", "ES256"}, {"kid", id}}, claims);
  }
  Result<Identity> verify(const json& claims) {
    OidcVerifier verifier(config_, provider_, clock_);
    return verifier.verify(token(claims));
  }
  // "name: role", or why not.
  std::string told(const json& more) {
    const auto identity = verify(claims(more));
    if (identity) return identity->name + ": " + identity->role;
    EXPECT_EQ(identity.error().code, ErrorCode::kPermission);
    return identity.error().message;
  }
  std::string without(const char* claim) {
    json all = claims();
    all.erase(claim);
    const auto identity = verify(all);
    return identity ? identity->name + ": " + identity->role : identity.error().message;
  }

  const SigningKey& key_ = SigningKey::p256();
  FakeProvider provider_;
  SettableClock clock_{TimePoint(seconds(kNow))};
  OidcConfig config_;
};

TEST_F(OidcTest, SomebodyComesIn) {
  const auto identity = verify(claims({{"email", "ada@example.com"}}));
  ASSERT_TRUE(identity) << identity.error().message;
  EXPECT_EQ(*identity, (Identity{"ada@example.com", "user", {}, {}}));
}

TEST_F(OidcTest, IssuerAndAudienceMustBeTheConfigured) {
  EXPECT_THAT(told({{"iss", "https://id.example.com/"}}), HasSubstr("another issuer"));
  EXPECT_THAT(told({{"iss", "https://evil.example.com"}}), HasSubstr("another issuer"));
  EXPECT_THAT(without("iss"), HasSubstr("another issuer"));
  EXPECT_THAT(told({{"aud", "another-program"}}), HasSubstr("another audience"));
  EXPECT_THAT(told({{"aud", "precedent2"}}), HasSubstr("another audience"));
  EXPECT_THAT(told({{"aud", json::array()}}), HasSubstr("another audience"));
  EXPECT_THAT(without("aud"), HasSubstr("another audience"));
  EXPECT_EQ(told({{"aud", {"other", "precedent"}}}), "u-1: user");
  config_.audience.clear();
  EXPECT_THAT(told({{"aud", ""}}), HasSubstr("another audience"));
}

TEST_F(OidcTest, TheTimeMustBeNow) {
  const int64_t leeway = OidcVerifier::kLeeway.count();
  EXPECT_EQ(told({{"exp", kNow - leeway + 1}}), "u-1: user");
  EXPECT_THAT(told({{"exp", kNow - leeway}}), HasSubstr("expired at 2027-01-15T07:59:00Z"));
  EXPECT_THAT(told({{"exp", 0}}), HasSubstr("expired"));
  EXPECT_THAT(without("exp"), HasSubstr("has no end"));
  EXPECT_EQ(told({{"nbf", kNow + leeway}}), "u-1: user");
  EXPECT_THAT(told({{"nbf", kNow + leeway + 1}}), HasSubstr("not valid before"));
  EXPECT_EQ(told({{"iat", kNow + leeway}}), "u-1: user");
  EXPECT_THAT(told({{"iat", kNow + leeway + 1}}), HasSubstr("of the future"));
  EXPECT_EQ(without("iat"), "u-1: user");
}

TEST_F(OidcTest, ATokenThatWasGoodExpires) {
  OidcVerifier verifier(config_, provider_, clock_);
  const std::string once = token(claims());
  EXPECT_TRUE(verifier.verify(once));
  clock_.pass(seconds(400));
  EXPECT_FALSE(verifier.verify(once));
}

TEST_F(OidcTest, RotatedKeysAreFound) {
  OidcVerifier verifier(config_, provider_, clock_);
  EXPECT_TRUE(verifier.verify(token(claims())));
  const SigningKey next(SigningKey::Type::kEd25519);
  const json long_lived = claims({{"exp", kNow + 100'000}});
  const std::string rotated = next.token({{"alg", "EdDSA"}, {"kid", "k2"}}, long_lived);
  const auto unknown = verifier.verify(rotated);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kPermission);
  EXPECT_THAT(unknown.error().message, HasSubstr("publishes no such key"));
  provider_.publish({next.jwk("k2")});
  clock_.pass(OidcKeys::kPause);
  EXPECT_TRUE(verifier.verify(rotated));
  // The key that was withdrawn is good for nothing any more.
  EXPECT_FALSE(verifier.verify(token(long_lived)));
  EXPECT_EQ(provider_.fetches(), 2U);
}

TEST_F(OidcTest, KeysThatCannotBeHadOpenNothing) {
  provider_.fail_with(Error{ErrorCode::kUnavailable, "id.example.com refuses connections"});
  OidcVerifier verifier(config_, provider_, clock_);
  const auto identity = verifier.verify(token(claims()));
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(identity.error().message, HasSubstr("id.example.com refuses connections"));
}

TEST_F(OidcTest, GarbageAsksNobodyForKeys) {
  provider_.fail_with(Error{ErrorCode::kInternal, "asked"});
  OidcVerifier verifier(config_, provider_, clock_);
  for (const char* text : {"", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30."})
    EXPECT_EQ(verifier.verify(text).error().code, ErrorCode::kPermission) << text;
}

TEST_F(OidcTest, NamesComeFromTheClaimThatIsConfigured) {
  EXPECT_EQ(told({{"email", "a@example.com"}, {"email_verified", true}}), "a@example.com: user");
  EXPECT_EQ(told({{"email", "a@example.com"}, {"email_verified", "true"}}), "a@example.com: user");
  // Somebody may have typed it in: it is not theirs.
  EXPECT_EQ(told({{"email", "boss@example.com"}, {"email_verified", false}}), "u-1: user");
  EXPECT_EQ(told({{"email", "boss@example.com"}, {"email_verified", "no"}}), "u-1: user");
  EXPECT_EQ(told({{"email", 1}}), "u-1: user");
  EXPECT_THAT(without("sub"), HasSubstr("does not say who it is for"));
  config_.name_claim = "email";
  EXPECT_THAT(told({{"email", "boss@example.com"}, {"email_verified", false}}),
              HasSubstr("does not say who it is for"));
  config_.name_claim = "user.login";
  EXPECT_EQ(told({{"user", {{"login", "ada"}}}}), "ada: user");
  EXPECT_THAT(told({{"email", "a@example.com"}}), HasSubstr("no usable claim 'user.login'"));
  for (const std::string& name :
       {std::string(), std::string(257, 'x'), std::string("a\nb"), std::string("a\tb"),
        std::string("a\x1b[2J"), std::string("a\u202egro.elpmaxe@b")})
    EXPECT_THAT(told({{"user", {{"login", name}}}}), HasSubstr("no usable claim")) << name;
}

TEST_F(OidcTest, GroupsComeInManyShapes) {
  EXPECT_EQ(told({{"groups", "sre"}}), "u-1: editor");
  EXPECT_EQ(told({{"groups", {"x", "sre"}}}), "u-1: editor");
  EXPECT_EQ(told({{"groups", {1, nullptr, {{"a", 1}}, "sre"}}}), "u-1: editor");
  EXPECT_EQ(told({{"groups", {"staff", "root", "sre"}}}), "u-1: admin");
  for (const json& groups :
       {json(nullptr), json(7), json(true), json::object(), json({{"sre", true}}), json::array(),
        json("SRE"), json("sre,staff"), json("sre "), json({{"sre"}}), json("")})
    EXPECT_THAT(told({{"groups", groups}}), HasSubstr("none of your groups has a role"))
        << groups.dump();
  EXPECT_THAT(without("groups"), HasSubstr("none of your groups has a role"));
  config_.groups_claim = "realm_access.roles";
  EXPECT_EQ(told({{"realm_access", {{"roles", {"sre"}}}}}), "u-1: editor");
  EXPECT_THAT(told({{"realm_access", {"sre"}}}), HasSubstr("none of your groups"));
  EXPECT_THAT(told({{"groups", "sre"}}), HasSubstr("none of your groups"));
  config_.groups_claim = "https://example.com/groups";
  EXPECT_EQ(told({{"https://example.com/groups", {"sre"}}}), "u-1: editor");
}

TEST_F(OidcTest, GroupsThatWereLeftOutAreNoGroups) {
  config_.default_role = "reader";
  EXPECT_EQ(without("groups"), "u-1: reader");
  json all = claims({{"_claim_names", {{"groups", "src1"}}}});
  all.erase("groups");
  const auto identity = verify(all);
  ASSERT_FALSE(identity);
  EXPECT_THAT(identity.error().message, HasSubstr("left the groups out"));
}

TEST_F(OidcTest, ATokenGivesItselfNoRole) {
  EXPECT_EQ(told({{"role", "admin"}, {"roles", {"admin"}}, {"scope", "admin"}}), "u-1: user");
  config_.default_role = "reader";
  EXPECT_EQ(told({{"groups", {"admin"}}}), "u-1: reader");
  // The default adds nothing to those who have more, and more to those who have less.
  EXPECT_EQ(told(json::object()), "u-1: user");
  config_.default_role = "editor";
  EXPECT_EQ(told(json::object()), "u-1: editor");
}

TEST_F(OidcTest, ScopesLimitWhatIsSeen) {
  config_.scopes = {{"staff", {{"runbook"}, {"checkout"}}}, {"root", {}}};
  EXPECT_EQ(*verify(claims()), (Identity{"u-1", "user", {"runbook"}, {"checkout"}}));
  EXPECT_EQ(*verify(claims({{"groups", {"staff", "root"}}})), (Identity{"u-1", "admin", {}, {}}));
  // Where scopes are configured, being in none shows nothing.
  EXPECT_THAT(told({{"groups", "sre"}}), HasSubstr("none of your groups may see anything"));
  // Whoever does not see all changes nothing.
  EXPECT_EQ(*verify(claims({{"groups", {"sre", "staff"}}})),
            (Identity{"u-1", "user", {"runbook"}, {"checkout"}}));
}

TEST_F(OidcTest, ScopesTogetherNeverShowWhatNoneOfThemShows) {
  const std::vector<std::string> all_kinds = {"runbook", "incident", "faq"};
  const std::vector<std::string> all_services = {"a", "b", "c"};
  const std::vector<std::vector<std::string>> kinds = {
      {}, {"runbook"}, {"incident"}, {"runbook", "incident"}};
  const std::vector<std::vector<std::string>> services = {{}, {"a"}, {"b"}, {"a", "b"}};
  const auto sees = [](const OidcScope& scope, const std::string& kind,
                       const std::string& service) {
    const auto has = [](const std::vector<std::string>& list, const std::string& one) {
      return list.empty() || std::ranges::find(list, one) != list.end();
    };
    return has(scope.kinds, kind) && has(scope.services, service);
  };
  for (const auto& k1 : kinds)
    for (const auto& s1 : services)
      for (const auto& k2 : kinds)
        for (const auto& s2 : services) {
          const OidcScope first{k1, s1}, second{k2, s2}, both = united(first, second);
          bool exact = true;
          for (const std::string& kind : all_kinds)
            for (const std::string& service : all_services) {
              const bool either = sees(first, kind, service) || sees(second, kind, service);
              EXPECT_FALSE(sees(both, kind, service) && !either);
              // What the first shows is never lost.
              EXPECT_TRUE(sees(both, kind, service) || !sees(first, kind, service));
              exact = exact && sees(both, kind, service) == either;
            }
          if (k1 == k2 || s1 == s2) {
            EXPECT_TRUE(exact);
          }
        }
}

TEST(ProtectedResource, SaysWhoSignsIn) {
  const std::string text =
      protected_resource_document({.resource = "https://precedent.example.com",
                                   .authorization_servers = {"https://id.example.com"}});
  EXPECT_EQ(json::parse(text), json::parse(R"({
    "resource": "https://precedent.example.com",
    "authorization_servers": ["https://id.example.com"],
    "bearer_methods_supported": ["header"],
    "resource_name": "precedent"})"));
  EXPECT_EQ(json::parse(
                protected_resource_document(
                    {.resource = "r", .authorization_servers = {}, .scopes_supported = {"openid"}}))
                .at("scopes_supported"),
            json({"openid"}));
}

}  // namespace
}  // namespace precedent
