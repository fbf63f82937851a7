#include "server/http/page.h"

#include <fmt/format.h>

#include <string>

#include "server/http/problem.h"

namespace precedent {
namespace {

constexpr std::string_view kEntry = "/index.html";
// Scripts, styles, images and questions go to this server alone; nothing may frame the page.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

ServedResponse served(const PageFile& file, const ServedRequest& request) {
  const std::string tag = fmt::format("\"{}\"", file.tag);
  const bool hashed = file.path.starts_with("/assets/");
  ServedResponse response;
  response.headers = {
      {"ETag", tag},
      {"Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache"},
      {"Content-Security-Policy", std::string(kPolicy)},
      {"Vary", "Accept-Encoding"}};
  if (request.header("If-None-Match") == tag) {
    response.status = 304;
    return response;
  }
  response.headers.push_back({"Content-Type", std::string(file.type)});
  if (request.header("Accept-Encoding").contains("gzip")) {
    response.headers.push_back({"Content-Encoding", "gzip"});
    response.body = file.gzip;
  } else {
    response.body = file.plain;
  }
  return response;
}

}  // namespace

void add_page_routes(Router& router, std::span<const PageFile> files) {
  for (const PageFile& file : files) {
    const auto handler = [file](const Routed& routed) { return served(file, routed.request); };
    router.add_now("GET", file.path, handler);
    if (file.path == kEntry) router.add_now("GET", "/", handler);
  }
  if (!files.empty()) return;
  router.add_now("GET", "/", [](const Routed&) {
    return problem(404,
                   "this program has no page: it was built without Node.js and npm. The API is "
                   "here all the same: see /openapi.json");
  });
}

}  // namespace precedent
