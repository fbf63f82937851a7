#include "server/auth/jwt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/strings.h"
#include "server/auth/jwt_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const json kClaims = {{"iss", "https://id.example.com"},
                      {"sub", "u-1"},
                      {"aud", "precedent"},
                      {"exp", 2'000'000'000},
                      {"nbf", 1.5},
                      {"iat", 1'000'000'000}};

const SigningKey& key_of(std::string_view algorithm) {
  if (algorithm == "ES256") return SigningKey::p256();
  if (algorithm == "EdDSA") return SigningKey::ed25519();
  return SigningKey::rsa();
}

JwtKeys keys(const std::vector<json>& list) {
  auto parsed = JwtKeys::parse(key_set(list));
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? *parsed : JwtKeys{};
}

// "good", or what is wrong.
std::string verdict(std::string_view token, const JwtKeys& keys) {
  const auto jwt = SignedJwt::parse(token);
  if (!jwt) {
    EXPECT_EQ(jwt.error().code, ErrorCode::kPermission);
    return jwt.error().message;
  }
  const auto claims = jwt->verified_by(keys);
  return claims ? "good" : claims.error().message;
}

class EachAlgorithm : public ::testing::TestWithParam<const char*> {
 protected:
  const SigningKey& key() const { return key_of(GetParam()); }
  json header() const { return {{"alg", GetParam()}, {"kid", "k"}, {"typ", "JWT"}}; }
  JwtKeys published() const { return keys({key().jwk("k")}); }
};

TEST_P(EachAlgorithm, TheClaimsStandBehindTheSignature) {
  const auto jwt = SignedJwt::parse(key().token(header(), kClaims));
  ASSERT_TRUE(jwt) << jwt.error().message;
  const auto claims = jwt->verified_by(published());
  ASSERT_TRUE(claims) << claims.error().message;
  EXPECT_EQ(claims->issuer, "https://id.example.com");
  EXPECT_EQ(claims->subject, "u-1");
  EXPECT_EQ(claims->audiences, std::vector<std::string>{"precedent"});
  EXPECT_EQ(claims->expires, TimePoint(std::chrono::seconds(2'000'000'000)));
  EXPECT_EQ(claims->not_before, TimePoint(std::chrono::seconds(1)));
  EXPECT_EQ(claims->issued, TimePoint(std::chrono::seconds(1'000'000'000)));
  EXPECT_EQ(claims->all, kClaims);
}

TEST_P(EachAlgorithm, OneOtherCharacterAnywhereIsRefused) {
  const std::string token = key().token(header(), kClaims);
  const JwtKeys published = this->published();
  ASSERT_EQ(verdict(token, published), "good");
  for (size_t at = 0; at < token.size(); ++at) {
    std::string other = token;
    other[at] = other[at] == 'A' ? 'B' : 'A';
    EXPECT_NE(verdict(other, published), "good") << at;
  }
  for (size_t size = 0; size < token.size(); ++size)
    EXPECT_NE(verdict(token.substr(0, size), published), "good") << size;
  EXPECT_NE(verdict(token + "A", published), "good");
  EXPECT_NE(verdict(token + "=", published), "good");
  EXPECT_NE(verdict(" " + token, published), "good");
}

TEST_P(EachAlgorithm, OtherClaimsUnderTheSameSignatureAreRefused) {
  const std::string token = key().token(header(), kClaims);
  const auto parts = split(token, '.');
  json more = kClaims;
  more["groups"] = {"admins"};
  const std::string forged = fmt::format("{}.{}.{}", parts[0], base64url(more.dump()), parts[2]);
  EXPECT_THAT(verdict(forged, published()), HasSubstr("its signature is wrong"));
}

TEST_P(EachAlgorithm, AnotherKeyOfTheTypeIsRefused) {
  using Type = SigningKey::Type;
  const std::map<std::string_view, Type> types = {{"RS256", Type::kRsa},
                                                  {"PS256", Type::kRsa},
                                                  {"ES256", Type::kP256},
                                                  {"EdDSA", Type::kEd25519}};
  const SigningKey other(types.at(GetParam()));
  EXPECT_THAT(verdict(other.token(header(), kClaims), published()),
              HasSubstr("its signature is wrong"));
}

TEST_P(EachAlgorithm, TheKeySaysWhichAlgorithmItIsFor) {
  json jwk = key().jwk("k");
  jwk["alg"] = GetParam();
  EXPECT_EQ(verdict(key().token(header(), kClaims), keys({jwk})), "good");
}

INSTANTIATE_TEST_SUITE_P(Jwt, EachAlgorithm, ::testing::Values("RS256", "PS256", "ES256", "EdDSA"));

TEST(Jwt, NoSignatureIsNoSignature) {
  const JwtKeys published = keys({SigningKey::rsa().jwk("k")});
  for (const char* algorithm : {"none", "None", "NONE", "nOnE", ""}) {
    const std::string text =
        base64url(json{{"alg", algorithm}, {"kid", "k"}}.dump()) + "." + base64url(kClaims.dump());
    EXPECT_THAT(verdict(text + ".", published), HasSubstr("its algorithm is none of")) << algorithm;
    EXPECT_NE(verdict(text, published), "good");
    EXPECT_NE(verdict(text + ".AAAA", published), "good");
  }
  for (const char* algorithm : {"RS256", "PS256", "ES256", "EdDSA"}) {
    const JwtKeys own = keys({key_of(algorithm).jwk("k")});
    const std::string text =
        base64url(json{{"alg", algorithm}, {"kid", "k"}}.dump()) + "." + base64url(kClaims.dump());
    EXPECT_THAT(verdict(text + ".", own), HasSubstr("its signature is wrong")) << algorithm;
    // Zeroes: what some implementations of ECDSA once took for a signature of anything.
    EXPECT_THAT(verdict(text + "." + base64url(std::string(64, '\0')), own),
                HasSubstr("its signature is wrong"));
  }
}

TEST(Jwt, ThePublicKeyIsNoSharedSecret) {
  const SigningKey& rsa = SigningKey::rsa();
  const JwtKeys published = keys({rsa.jwk("k")});
  const std::string modulus = *base64url_decoded(rsa.jwk("k")["n"].get<std::string>());
  for (const std::string& secret : {rsa.pem(), rsa.jwk("k").dump(), modulus, std::string("k")}) {
    const std::string text =
        base64url(R"({"alg":"HS256","kid":"k"})") + "." + base64url(kClaims.dump());
    unsigned char mac[32];
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac, nullptr);
    const std::string signature(reinterpret_cast<const char*>(mac), sizeof mac);
    EXPECT_THAT(verdict(text + "." + base64url(signature), published),
                HasSubstr("its algorithm is none of"));
  }
}

TEST(Jwt, AlgorithmsAreNotMixedUp) {
  const SigningKey& rsa = SigningKey::rsa();
  json only_ps = rsa.jwk("k");
  only_ps["alg"] = "PS256";
  const std::string rs = rsa.token({{"alg", "RS256"}, {"kid", "k"}}, kClaims);
  // The key is for something else; then, the signature is.
  EXPECT_THAT(verdict(rs, keys({only_ps})), HasSubstr("publishes no such key"));
  EXPECT_THAT(verdict(rs, keys({SigningKey::p256().jwk("k")})), HasSubstr("publishes no such key"));
  const std::string text =
      base64url(R"({"alg":"PS256","kid":"k"})") + "." + base64url(kClaims.dump());
  EXPECT_THAT(verdict(text + "." + base64url(rsa.signature("RS256", text)), keys({rsa.jwk("k")})),
              HasSubstr("its signature is wrong"));
  // Good signatures of algorithms that nobody here believes.
  EXPECT_THAT(verdict(rsa.token({{"alg", "RS512"}, {"kid", "k"}}, kClaims), keys({rsa.jwk("k")})),
              HasSubstr("its algorithm is none of"));
}

TEST(Jwt, KeysThatTheTokenBringsAreNotLookedAt) {
  const SigningKey own(SigningKey::Type::kP256);
  const std::string token = own.token({{"alg", "ES256"},
                                       {"kid", "k"},
                                       {"jwk", own.jwk("k")},
                                       {"jku", "https://evil.example.com/keys"},
                                       {"x5u", "https://evil.example.com/chain"}},
                                      kClaims);
  EXPECT_EQ(verdict(token, keys({own.jwk("k")})), "good");
  EXPECT_THAT(verdict(token, keys({SigningKey::p256().jwk("k")})),
              HasSubstr("its signature is wrong"));
}

TEST(Jwt, TwoKeysMayHaveOneId) {
  const SigningKey old(SigningKey::Type::kP256), wrong(SigningKey::Type::kP256);
  const JwtKeys both =
      keys({SigningKey::rsa().jwk("k"), old.jwk("k"), SigningKey::p256().jwk("k")});
  const json header = {{"alg", "ES256"}, {"kid", "k"}};
  EXPECT_EQ(verdict(old.token(header, kClaims), both), "good");
  EXPECT_EQ(verdict(SigningKey::p256().token(header, kClaims), both), "good");
  EXPECT_THAT(verdict(wrong.token(header, kClaims), both), HasSubstr("its signature is wrong"));
}

TEST(Jwt, WithoutAnIdTheKeyMustBeTheOnlyOne) {
  const std::string token = SigningKey::p256().token({{"alg", "ES256"}}, kClaims);
  const SigningKey second(SigningKey::Type::kP256);
  EXPECT_EQ(verdict(token, keys({SigningKey::p256().jwk("a"), SigningKey::rsa().jwk("b")})),
            "good");
  EXPECT_THAT(verdict(token, keys({SigningKey::p256().jwk("a"), second.jwk("b")})),
              HasSubstr("publishes no such key"));
}

TEST(Jwt, AnUnknownIdIsToldApartFromAWrongSignature) {
  const auto jwt =
      SignedJwt::parse(SigningKey::p256().token({{"alg", "ES256"}, {"kid", "new"}}, kClaims));
  ASSERT_TRUE(jwt);
  const auto claims = jwt->verified_by(keys({SigningKey::p256().jwk("old")}));
  ASSERT_FALSE(claims);
  EXPECT_EQ(claims.error().code, ErrorCode::kNotFound);
}

TEST(Jwt, HeadersThatAskForMoreAreRefused) {
  const JwtKeys published = keys({SigningKey::p256().jwk("k")});
  const auto with = [&](const json& more) {
    json header = {{"alg", "ES256"}, {"kid", "k"}};
    header.update(more);
    return verdict(SigningKey::p256().token(header, kClaims), published);
  };
  EXPECT_EQ(with({{"typ", "at+jwt"}}), "good");
  EXPECT_EQ(with({{"typ", "application/AT+JWT"}}), "good");
  EXPECT_THAT(with({{"typ", "logout+jwt"}}), HasSubstr("for something else"));
  EXPECT_THAT(with({{"typ", "dpop+jwt"}}), HasSubstr("for something else"));
  EXPECT_THAT(with({{"typ", 1}}), HasSubstr("for something else"));
  EXPECT_THAT(with({{"crit", {"b64"}}, {"b64", false}}), HasSubstr("extension"));
  EXPECT_THAT(with({{"crit", json::array()}}), HasSubstr("extension"));
  EXPECT_THAT(with({{"kid", 7}}), HasSubstr("id of its key"));
  EXPECT_THAT(with({{"kid", ""}}), HasSubstr("id of its key"));
  EXPECT_THAT(with({{"kid", std::string(257, 'k')}}), HasSubstr("id of its key"));
  EXPECT_THAT(with({{"kid", "../../etc/passwd"}}), HasSubstr("publishes no such key"));
}

TEST(Jwt, WhatIsMalformedIsRefused) {
  const JwtKeys published = keys({SigningKey::p256().jwk("k")});
  for (const std::string& token :
       {std::string(), std::string(".."), std::string("a.b.c"), std::string("a.b.c.d"),
        std::string(20'000, 'a'), std::string("e30.e30."), std::string("W10.e30.AAAA"),
        base64url(std::string(60'000, '[')) + ".e30.AAAA", std::string("\xff\xff.\xff.\xff")})
    EXPECT_THAT(verdict(token, published), StartsWith("the token is not valid: "));
  // Longer than any, and yet signed.
  json long_claims = kClaims;
  long_claims["x"] = std::string(16'000, 'x');
  EXPECT_THAT(
      verdict(SigningKey::p256().token({{"alg", "ES256"}, {"kid", "k"}}, long_claims), published),
      HasSubstr("too long"));
}

TEST(Jwt, ClaimsOfWrongTypesAreRefused) {
  const JwtKeys published = keys({SigningKey::p256().jwk("k")});
  const json header = {{"alg", "ES256"}, {"kid", "k"}};
  const auto payload = [&](std::string_view text) {
    return verdict(SigningKey::p256().token_of(header, text), published);
  };
  EXPECT_EQ(payload("{}"), "good");
  EXPECT_EQ(payload(R"({"exp":0,"aud":["a","b"]})"), "good");
  for (const char* text :
       {R"({"exp":"2000000000"})", R"({"exp":-1})", R"({"exp":1e300})", R"({"exp":null})",
        R"({"exp":true})", R"({"exp":99999999999999999999999})", R"({"nbf":[]})",
        R"({"iat":"now"})", R"({"iss":1})", R"({"sub":{}})", R"({"aud":1})", R"({"aud":[1]})",
        R"({"aud":{"a":1}})", "[]", "null", "", "{", R"({"iss":"\u0000)", "\xff"})
    EXPECT_THAT(payload(text), StartsWith("the token is not valid: its claim")) << text;
}

std::string parsed(std::string_view text) {
  const auto keys = JwtKeys::parse(text);
  return keys ? fmt::format("{} keys", keys->keys.size()) : keys.error().message;
}

TEST(JwtKeys, GarbageIsRefused) {
  for (const char* text : {"", "null", "[]", "{}", R"({"keys":{}})", R"({"keys":"x"})", "<html>",
                           R"({"keys":[)", "\xff\xfe"})
    EXPECT_THAT(parsed(text), HasSubstr("no JWK set")) << text;
  EXPECT_THAT(parsed(R"({"keys":[]})"), HasSubstr("none of the 0 keys"));
  EXPECT_THAT(parsed(R"({"keys":[1,"x",null,[],{},{"kty":7},{"kty":"RSA"},{"kty":"EC"}]})"),
              HasSubstr("none of the 8 keys"));
  EXPECT_THAT(parsed(std::string(300'000, ' ')), HasSubstr("at most 262144 are read"));
  EXPECT_THAT(parsed(key_set(std::vector<json>(65, SigningKey::p256().jwk("k")))),
              HasSubstr("has 65 keys, at most 64 are read"));
}

TEST(JwtKeys, KeysForSomethingElseArePassedOver) {
  const auto with = [](json jwk, const json& more) {
    jwk.update(more);
    return parsed(key_set({jwk}));
  };
  const json rsa = SigningKey::rsa().jwk("k"), ec = SigningKey::p256().jwk("k");
  EXPECT_EQ(with(rsa, json::object()), "1 keys");
  EXPECT_EQ(with(rsa, {{"key_ops", {"verify"}}}), "1 keys");
  const auto kNone = HasSubstr("none of the 1 keys");
  EXPECT_THAT(with(rsa, {{"use", "enc"}}), kNone);
  EXPECT_THAT(with(rsa, {{"key_ops", {"encrypt"}}}), kNone);
  EXPECT_THAT(with(rsa, {{"alg", "HS256"}}), kNone);
  EXPECT_THAT(with(rsa, {{"alg", "ES256"}}), kNone);
  EXPECT_THAT(with(rsa, {{"alg", "RSA-OAEP"}}), kNone);
  EXPECT_THAT(with(rsa, {{"d", "AQAB"}}), kNone);
  EXPECT_THAT(with(rsa, {{"kid", 3}}), kNone);
  EXPECT_THAT(with(rsa, {{"e", "AQ"}}), kNone);        // 1: everything is a signature
  EXPECT_THAT(with(rsa, {{"e", "AgAA"}}), kNone);      // even
  EXPECT_THAT(with(rsa, {{"e", "AQABAQAB"}}), kNone);  // as long as a modulus would be slow
  EXPECT_THAT(with(rsa, {{"n", base64url(std::string(1025, '\xff'))}}), kNone);
  EXPECT_THAT(with(ec, {{"crv", "P-384"}}), kNone);
  EXPECT_THAT(with(ec, {{"x", base64url(std::string(32, '\x01'))}}), kNone);  // not on the curve
  EXPECT_THAT(with(ec, {{"y", ""}}), kNone);
  EXPECT_THAT(parsed(R"({"keys":[{"kty":"oct","kid":"k","k":"c2VjcmV0"}]})"), kNone);
  EXPECT_THAT(parsed(key_set({SigningKey(SigningKey::Type::kWeakRsa).jwk("k")})), kNone);
  EXPECT_THAT(parsed(key_set({SigningKey(SigningKey::Type::kP384).jwk("k")})), kNone);
  // Those beside them count.
  EXPECT_EQ(parsed(key_set({SigningKey(SigningKey::Type::kP384).jwk("a"), rsa, ec})), "2 keys");
}

TEST(Base64Url, IsReadStrictly) {
  EXPECT_EQ(base64url_decoded(""), "");
  EXPECT_EQ(base64url_decoded("aGk"), "hi");
  EXPECT_EQ(base64url_decoded("_-8"), "\xff\xef");
  for (const char* text : {"a", "aGk=", "aG k", "aG\nk", "+/8", "aGl", "aGk.", "\xff\xff"})
    EXPECT_EQ(base64url_decoded(text), std::nullopt) << text;
  for (size_t size = 0; size < 50; ++size) {
    std::string bytes;
    for (size_t at = 0; at < size; ++at) bytes += static_cast<char>(at * 37 + size);
    EXPECT_EQ(base64url_decoded(base64url(bytes)), bytes);
  }
}

}  // namespace
}  // namespace precedent
