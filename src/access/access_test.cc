#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "access/audit_log.h"
#include "access/rate_limit.h"
#include "access/token_store.h"
#include "base/foreign_json.h"
#include "files/files.h"
#include "files/temporary_folder.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;

constexpr size_t kMostBytes = 1 << 20;

class TokenStoreTest : public ::testing::Test {
 protected:
  TokenStoreTest() {
    auto store = TokenStore::open(file_);
    EXPECT_TRUE(store) << store.error().text();
    store_ = std::move(*store);
  }
  std::optional<Principal> find(const std::string& text, TimePoint at) {
    auto found = store_->find(text, at);
    EXPECT_TRUE(found) << found.error().text();
    return found.value_or(std::nullopt);
  }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "access.db";
  const TimePoint now_ = *parse_time("2026-05-04T10:00:00Z");
  std::unique_ptr<TokenStore> store_;
};

TEST_F(TokenStoreTest, ATokenNamesItsPrincipalUntilItIsRevoked) {
  const NewToken made = store_->create("Ada", Role::kEditor, {}, now_).value();
  EXPECT_THAT(made.text, testing::MatchesRegex("prc_[0-9a-f]{8}_[0-9a-f]{64}"));
  const auto found = find(made.text, now_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->id, made.token.id);
  EXPECT_EQ(found->name, "Ada");
  EXPECT_EQ(found->role, Role::kEditor);
  ASSERT_TRUE(store_->revoke(made.token.id, now_));
  EXPECT_FALSE(find(made.text, now_));
  EXPECT_TRUE(store_->list()->front().revoked);
}

TEST_F(TokenStoreTest, WhatIsNotTheWholeTokenIsNobody) {
  const NewToken made = store_->create("Ada", Role::kReader, {}, now_).value();
  std::string wrong = made.text;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& text : {wrong, made.text + "0", made.text.substr(1), made.token.id,
                                  std::string(), std::string("prc_")})
    EXPECT_FALSE(find(text, now_)) << text;
}

TEST_F(TokenStoreTest, ATokenExpires) {
  const NewToken made = store_->create("Ada", Role::kReader, now_ + 1h, now_).value();
  EXPECT_TRUE(find(made.text, now_ + 59min));
  EXPECT_FALSE(find(made.text, now_ + 1h));
  EXPECT_EQ(store_->create("Ada", Role::kReader, now_, now_).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(store_->create(" ", Role::kReader, {}, now_).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(TokenStoreTest, TheFileHoldsNoTokenAndOnlyItsOwnerReadsIt) {
  const NewToken made = store_->create("Ada", Role::kReader, {}, now_).value();
  store_.reset();
  const std::string bytes = read_file(file_, kMostBytes).value();
  EXPECT_THAT(bytes, testing::HasSubstr("Ada"));
  EXPECT_THAT(bytes, testing::Not(testing::HasSubstr(made.text.substr(13))));
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(file_).permissions() & (perms::group_all | perms::others_all),
            perms::none);
}

TEST_F(TokenStoreTest, AnotherProcessSeesARevocationAtOnce) {
  const NewToken made = store_->create("Ada", Role::kReader, {}, now_).value();
  auto other = TokenStore::open(file_).value();
  ASSERT_TRUE(other->revoke(made.token.id, now_));
  EXPECT_FALSE(find(made.text, now_));
  EXPECT_EQ(other->revoke("00000000", now_).error().code, ErrorCode::kNotFound);
}

TEST(RateLimitTest, EachPrincipalHasAMinutesWorthAndGetsMoreEvenly) {
  RateLimit limit(2);
  const RateLimit::Clock::time_point begin;
  EXPECT_FALSE(limit.take("a", begin));
  EXPECT_FALSE(limit.take("a", begin));
  EXPECT_EQ(limit.take("a", begin), 30s);
  EXPECT_FALSE(limit.take("b", begin));
  EXPECT_EQ(limit.take("a", begin + 20s), 10s);
  EXPECT_FALSE(limit.take("a", begin + 30s));
  EXPECT_FALSE(RateLimit(0).take("a", begin));
}

TEST(AuditLogTest, ALineSaysWhoDidWhat) {
  TemporaryFolder folder;
  const AuditLog log(folder.path() / "audit.jsonl");
  const AuditEntry entry{.at = *parse_time("2026-05-04T10:00:00Z"),
                         .principal = {"1a2b", "Ada \"A\"\n", Role::kUser},
                         .client = "127.0.0.1",
                         .method = "PUT",
                         .path = "/chat/rename/t-1",
                         .status = 200};
  ASSERT_TRUE(log.add(entry));
  ASSERT_TRUE(log.add(entry));
  const std::string text = read_file(folder.path() / "audit.jsonl", kMostBytes).value();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  const nlohmann::json line = parse_json(text.substr(0, text.find('\n')));
  EXPECT_EQ(line["principal"]["name"], "Ada \"A\"\n");
  EXPECT_EQ(line["path"], "/chat/rename/t-1");
  EXPECT_EQ(line["at"], "2026-05-04T10:00:00Z");
}

}  // namespace
}  // namespace precedent
