#include "server/auth/tokens.h"

#include <gmock/gmock.h>

#include <fstream>

#include "files/files.h"
#include "server/auth/auth_lab.h"
#include "server/auth/digest.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class TokensTest : public AuthLab {
 protected:
  void write(const std::string& text) const { std::ofstream(file()) << text; }
  const TimePoint now_ = *parse_time("2026-05-04T10:00:00Z");
};

TEST(Digest, IsThatOfTheStandards) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // RFC 4231, case 2, as its digest.
  EXPECT_EQ(sha256_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "86ea816be859ea16764f6371c1b0e0b5577efb5e6e72b20ed5f683c503f8e80f");
  EXPECT_EQ(random_text(32).size(), 43U);
  EXPECT_NE(random_text(32), random_text(32));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
}

TEST_F(TokensTest, ATokenIsFoundByItsSecretAlone) {
  const Scope scope{.kinds = {Kind::kRunbook}, .services = {"ledger"}};
  const MadeToken made = make({.name = "ann", .role = AccessRole::kUser, .scope = scope});
  EXPECT_THAT(made.secret, HasSubstr("prc_" + made.token.id + "_"));
  const std::string kept = *read_file(file(), 1 << 20);
  EXPECT_THAT(kept, Not(HasSubstr(made.secret.substr(13)))) << "the secret is not kept";
  const TokenFile tokens(file());
  const auto found = tokens.find(made.secret, now_);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(*found, (Caller{"ann", AccessRole::kUser, scope, "token"}));
  EXPECT_EQ(tokens.find(made.token.id, now_).error().code, ErrorCode::kPermission);
  EXPECT_EQ(tokens.find(made.secret + "x", now_).error().code, ErrorCode::kPermission);
  EXPECT_EQ(tokens.find("", now_).error().code, ErrorCode::kPermission);
}

TEST_F(TokensTest, WhatExpiredOrWasRevokedIsNoLongerValid) {
  const TokenFile tokens(file());
  EXPECT_FALSE(*tokens.any());
  const MadeToken brief = make({.name = "ann", .expires_at = now_ + std::chrono::hours(1)});
  const MadeToken other = make({.name = "bob"});
  EXPECT_TRUE(*tokens.any());
  EXPECT_TRUE(tokens.find(brief.secret, now_));
  EXPECT_FALSE(tokens.find(brief.secret, now_ + std::chrono::hours(1)));
  ASSERT_TRUE(revoke_token(file(), other.token.id));
  EXPECT_FALSE(tokens.find(other.secret, now_));
  EXPECT_EQ(revoke_token(file(), other.token.id).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(revoke_token(file(), brief.token.id));
  EXPECT_TRUE(*tokens.any()) << "a door that was locked stays locked";
}

TEST_F(TokensTest, WhatCannotBeATokenIsRefused) {
  for (const std::string name : {"", "a b", "a:b", "a/b", "ü"}) {
    EXPECT_EQ(create_token(file(), {.name = name}).error().code, ErrorCode::kInvalidArgument);
  }
  const auto editor = create_token(
      file(), {.name = "ed", .role = AccessRole::kEditor, .scope = {.services = {"ledger"}}});
  EXPECT_EQ(editor.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(TokensTest, AFileThatCannotBeReadLetsNobodyIn) {
  const MadeToken made = make({.name = "ann", .role = AccessRole::kReader});
  const std::string good = *read_file(file(), 1 << 20);
  const TokenFile tokens(file());
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    write(text);
    return tokens.find(made.secret, now_);
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"reader\"", "\"root\""},
           {"\"kinds\":[]", "\"kinds\":[\"secrets\"]"},
           {"\"services\":[]", "\"services\":null"},
           {"\"expires_at\":null", "\"expires_at\":\"soon\""},
           {"\"expires_at\":null,", ""},
           {"\"format\":1", "\"format\":2"},
           {"{", "["}}) {
    const auto found = broken(from, to);
    ASSERT_FALSE(found) << to;
    EXPECT_EQ(found.error().code, ErrorCode::kCorrupt) << to;
    EXPECT_THAT(found.error().text(), HasSubstr("tokens.json")) << to;
  }
  write(good);
  EXPECT_TRUE(tokens.find(made.secret, now_));
}

}  // namespace
}  // namespace precedent
