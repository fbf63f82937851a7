#include "sources/link_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;

TEST(LinkPattern, ForgesAddressTheirFiles) {
  const LinkPattern::File file{"group/sub/docs", "feat/x", "0a1b2c3d", "run books/a&b?.md"};
  const auto check = [&](const char* pattern, const char* link) {
    const auto parsed = LinkPattern::parse(pattern);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->link(file), link);
  };
  check("https://git.example.com/{repo}/-/blob/{commit}/{path}",
        "https://git.example.com/group/sub/docs/-/blob/0a1b2c3d/run%20books/a%26b%3F.md");
  check("https://git.example.com:3000/{repo}/src/branch/{branch}/{path}",
        "https://git.example.com:3000/group/sub/docs/src/branch/feat/x/run%20books/a%26b%3F.md");
  check("http://bitbucket.example.com/projects/OPS/repos/docs/browse/{path}?at=refs/heads/{branch}",
        "http://bitbucket.example.com/projects/OPS/repos/docs/browse/run%20books/a%26b%3F.md"
        "?at=refs/heads/feat/x");
  EXPECT_TRUE(LinkPattern().empty());
  EXPECT_EQ(LinkPattern().link(file), "");
}

TEST(LinkPattern, WhatIsNoneIsNamedWithItsRemedy) {
  const auto refused = [](const std::string& pattern, const char* part) {
    const auto parsed = LinkPattern::parse(pattern);
    ASSERT_FALSE(parsed) << pattern;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(parsed.error().message, HasSubstr(part)) << pattern;
  };
  refused("https://git.example.com/{repo}/blob/{branch}", "has no {path}");
  refused("https://git.example.com/{ref}/{path}", "'{ref}' is none of {repo}, {branch}, {commit}");
  refused("https://git.example.com/{path", "'{path}' is none of");
  refused("https://{repo}/{path}", "a host that is not written out");
  refused("https://git.example.com{path}", "a host that is not written out");
  refused("https://ana:secret@git.example.com/{path}", "a user or a password");
  refused("javascript:alert({path})", "http");
  refused("ftp://git.example.com/{path}", "http");
  refused("/blob/{path}", "http");
  refused("https://git.example.com/a b/{path}", "is no address");
  refused("https://git.example.com/\"/{path}", "is no address");
  refused("https://git.example.com/{path}" + std::string(1000, 'x'), "is no address");
}

}  // namespace
}  // namespace precedent
