#include "sources/source_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sources/source_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class SourceHttpTest : public testing::Test {
 protected:
  Result<nlohmann::json> ask() {
    return vendor_.http("/wiki", {{"Authorization", "Bearer hunter2"}})
        .get_json(vendor_.url("/wiki/x?cursor=c"), cancel_);
  }
  void expect_error(ErrorCode code, const std::string& part) {
    const auto reply = ask();
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, code) << reply.error().text();
    EXPECT_THAT(reply.error().text(), HasSubstr(part));
    EXPECT_THAT(reply.error().text(), Not(HasSubstr("hunter2")));
    EXPECT_THAT(reply.error().text(), Not(HasSubstr("cursor=c")));
  }
  std::function<ServedResponse(const ServedRequest&)> answer_;
  VendorLab vendor_{[this](const ServedRequest& request) { return answer_(request); }};
  CancelToken cancel_;
};

TEST_F(SourceHttpTest, ARedirectIsNotFollowed) {
  answer_ = [](const ServedRequest&) {
    return ServedResponse{.status = 302, .headers = {{"Location", "https://evil.example/x"}}};
  };
  expect_error(ErrorCode::kPermission, "redirects to evil.example");
  EXPECT_EQ(vendor_.requests().size(), 1U);
}

TEST_F(SourceHttpTest, RefusalsNameTheToken) {
  for (const auto& [status, code, part] :
       {std::tuple(401, ErrorCode::kPermission, "LAB_TOKEN: it may have expired"),
        std::tuple(403, ErrorCode::kPermission, "LAB_TOKEN has not the right"),
        std::tuple(404, ErrorCode::kNotFound, "check 'url'"),
        std::tuple(400, ErrorCode::kUnavailable, "HTTP 400")}) {
    answer_ = [status = status](const ServedRequest&) { return ServedResponse{.status = status}; };
    expect_error(code, part);
    EXPECT_EQ(vendor_.requests().size(), 1U) << status;
  }
}

TEST_F(SourceHttpTest, AnOverloadedServerIsAskedAgain) {
  int asked = 0;
  answer_ = [&](const ServedRequest&) {
    ++asked;
    if (asked == 1) return ServedResponse{.status = 503};
    if (asked == 2)
      return ServedResponse{.status = 503,
                            .headers = {{"Retry-After", "Tue, 24 Nov 2026 12:00:20 GMT"}}};
    return ServedResponse{.body = R"({"ok":true})"};
  };
  const auto reply = ask();
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_THAT(vendor_.waited, ElementsAre(1, 20));

  answer_ = [](const ServedRequest&) { return ServedResponse{.status = 500}; };
  vendor_.waited.clear();
  expect_error(ErrorCode::kUnavailable, "HTTP 500");
  EXPECT_THAT(vendor_.waited, ElementsAre(1, 2, 4, 8));
}

TEST_F(SourceHttpTest, WhatIsNoJsonObjectIsAnError) {
  answer_ = [](const ServedRequest&) { return ServedResponse{.body = "<html>Log in</html>"}; };
  expect_error(ErrorCode::kCorrupt, "no JSON object");
}

TEST_F(SourceHttpTest, TheNextPageIsOnTheSameHost) {
  const SourceHttp http = vendor_.http("/wiki");
  EXPECT_EQ(http.next_address("/wiki/api?c=1").value(), vendor_.url("/wiki/api?c=1"));
  EXPECT_EQ(http.next_address("/rest/api?start=2").value(), vendor_.url("/wiki/rest/api?start=2"));
  EXPECT_EQ(http.next_address(vendor_.url("/any")).value(), vendor_.url("/any"));
  for (const char* link : {"//evil.example/x", "https://evil.example/", "http://127.0.0.1:1/x",
                           "http://u:p@127.0.0.1/x", "x", ""})
    EXPECT_FALSE(http.next_address(link)) << link;
  std::string other = vendor_.url("/wiki/x");
  other.replace(other.find("127.0.0.1"), 9, "localhost");
  EXPECT_FALSE(http.next_address(other));
}

}  // namespace
}  // namespace precedent
