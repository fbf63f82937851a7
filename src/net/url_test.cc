#include "net/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ParseUrl, ShowsHostAndPortAlone) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://API.example.com/v1?key=s3cret", "api.example.com"},
      {"http://user:s3cret@localhost:11434/v1", "localhost:11434"},
      {"http://[::1]:8080/", "[::1]:8080"},
  };
  for (const auto& [text, shown] : cases) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->shown(), shown);
  }
}

TEST(ParseUrl, RefusesWhatIsNoWebAddressWithoutShowingSecrets) {
  for (const char* text : {"", "api.example.com/v1", "ftp://example.com", "file:///etc/passwd",
                           "http://", "https://me:s3cret@", "http//x?key=s3cret"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(url.error().message, Not(HasSubstr("s3cret")));
    EXPECT_THAT(url.error().message, HasSubstr("https://api.example.com"));
  }
}

TEST(IsLoopback, KnowsThisMachineByItsNames) {
  for (const char* host : {"localhost", "app.localhost", "127.0.0.1", "127.9.9.9", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"127.0.0.1.example.com", "127.evil.com.de", "10.0.0.1", "localhost.com",
                           "example.com", "", "127.0.0"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(PercentEncoded, KeepsWhatNeedsNoEncoding) {
  EXPECT_EQ(percent_encoded("kb-1_a.b~c"), "kb-1_a.b~c");
  EXPECT_EQ(percent_encoded("a b/ü?"), "a%20b%2F%C3%BC%3F");
}

}  // namespace
}  // namespace precedent
