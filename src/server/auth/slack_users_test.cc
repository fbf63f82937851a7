#include "server/auth/slack_users.h"

#include <gmock/gmock.h>

#include "server/auth/auth_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;

const TimePoint kNow = *parse_time("2026-05-04T10:00:00Z");

TEST(SlackUsers, AreReadFromTheSectionServer) {
  const auto users = read_slack_users("server: {slack_users: {U012ABCDEF: ann, W1A: ben}}", "p");
  ASSERT_TRUE(users) << users.error().text();
  EXPECT_EQ(*users, (SlackUsers{{"U012ABCDEF", "ann"}, {"W1A", "ben"}}));
  EXPECT_TRUE(read_slack_users("model: {}", "p")->empty());
  const auto error = [](std::string_view yaml) {
    const auto read = read_slack_users(yaml, "p.yaml");
    return read ? "" : read.error().text();
  };
  EXPECT_THAT(error("server: {slack_users: {ann: U012ABCDEF}}"), HasSubstr("p.yaml:1"));
  EXPECT_THAT(error("server: {slack_users: {ann: U012ABCDEF}}"), HasSubstr("Copy member ID"));
  EXPECT_THAT(error("server: {slack_users: {U012ABCDEF: a b}}"), HasSubstr("no name of a user"));
  EXPECT_THAT(error("server: {slack_users: {}}"), HasSubstr("names nobody"));
}

class SlackCallerTest : public AuthLab {
 protected:
  SlackBinding binding(bool identity_provider = false) const {
    return {{{"U1", "ann"}}, file(), identity_provider};
  }
  std::string refusal(const SlackBinding& binding, std::string_view member = "U1") const {
    const auto caller = slack_caller(binding, member, kNow);
    return caller ? "" : caller.error().text();
  }
};

TEST_F(SlackCallerTest, NobodyUnboundIsAnybody) {
  EXPECT_THAT(refusal(binding(), "U2"), HasSubstr("no user of precedent is bound"));
  EXPECT_EQ(refusal(binding()), "") << "nobody signs in here";
}

TEST_F(SlackCallerTest, AUserHasTheRoleOfTheirToken) {
  const MadeToken reader = make({.name = "ann", .role = AccessRole::kReader});
  EXPECT_THAT(refusal(binding()), HasSubstr("ann has the role 'reader'"));
  make({.name = "ann", .role = AccessRole::kEditor});
  EXPECT_EQ(slack_caller(binding(), "U1", kNow)->role, AccessRole::kEditor);
  EXPECT_EQ(slack_caller(binding(), "U1", kNow)->name, "ann");
}

TEST_F(SlackCallerTest, WhoseTokenIsGoneOrLimitedMayNoMore) {
  const MadeToken made = make({.name = "ann"});
  ASSERT_EQ(refusal(binding()), "");
  make({.name = "ben"});
  ASSERT_TRUE(revoke_token(file(), made.token.id));
  EXPECT_THAT(refusal(binding()), HasSubstr("no valid token"));
  EXPECT_EQ(refusal(binding(true)), "") << "signs in with an identity provider";
  make({.name = "ann", .expires_at = kNow});
  EXPECT_THAT(refusal(binding(true)), HasSubstr("no valid token"));
  make({.name = "ann", .scope = {.services = {"ledger"}}});
  EXPECT_THAT(refusal(binding(true)), HasSubstr("sees everything"));
}

}  // namespace
}  // namespace precedent
