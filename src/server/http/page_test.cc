#include "server/http/page.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

constexpr PageFile kFiles[] = {{"/assets/a-1.js", "text/javascript", "j1", "code", "packed"},
                               {"/index.html", "text/html", "h1", "<p>", "packed page"}};

ServedResponse get(std::span<const PageFile> files, const std::string& path,
                   std::vector<HttpHeader> headers = {}) {
  Router router;
  add_page_routes(router, files);
  ServedResponse got;
  router.dispatch({.method = "GET", .path = path, .headers = std::move(headers)},
                  [&](ServedResponse response) { got = std::move(response); });
  return got;
}

std::string header(const ServedResponse& response, std::string_view name) {
  for (const HttpHeader& one : response.headers)
    if (one.name == name) return one.value;
  return "";
}

TEST(PageTest, AFileIsServedAsTheClientCanReadIt) {
  const ServedResponse plain = get(kFiles, "/assets/a-1.js");
  EXPECT_EQ(plain.body, "code");
  EXPECT_EQ(header(plain, "Content-Encoding"), "");
  const ServedResponse packed = get(kFiles, "/assets/a-1.js", {{"Accept-Encoding", "br, gzip"}});
  EXPECT_EQ(packed.body, "packed");
  EXPECT_EQ(header(packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(packed, "Content-Type"), "text/javascript");
  EXPECT_TRUE(header(packed, "Cache-Control").contains("immutable"));
}

TEST(PageTest, ThePageItselfIsAskedForAgainAndSentOnlyWhenItChanged) {
  const ServedResponse page = get(kFiles, "/");
  EXPECT_EQ(page.body, "<p>");
  EXPECT_EQ(header(page, "Cache-Control"), "no-cache");
  EXPECT_TRUE(header(page, "Content-Security-Policy").contains("script-src 'self'"));
  const ServedResponse again = get(kFiles, "/", {{"If-None-Match", header(page, "ETag")}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
}

TEST(PageTest, WithoutAPageItIsSaidWhy) {
  const ServedResponse none = get({}, "/");
  EXPECT_EQ(none.status, 404);
  EXPECT_TRUE(none.body.contains("Node.js")) << none.body;
}

}  // namespace
}  // namespace precedent
