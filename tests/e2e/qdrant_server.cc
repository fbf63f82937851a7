// The Qdrant fake (src/index/qdrant_fake.h) on a port of this machine: a program for the end-to-end
// tests. It prints its address and ends with its input.
#include <fmt/format.h>

#include <cstdio>

#include "base/strings.h"
#include "index/qdrant_fake.h"
#include "net/http_server.h"
#include "net/url.h"

namespace {

using namespace precedent;  // NOLINT

// As the client wrote it.
std::string target_of(const ServedRequest& request) {
  std::string target;
  for (const std::string_view part : split(request.path, '/'))
    if (!part.empty()) target += "/" + percent_encoded(part);
  for (size_t i = 0; i < request.query.size(); ++i)
    target += fmt::format("{}{}={}", i == 0 ? "?" : "&", request.query[i].first,
                          percent_encoded(request.query[i].second));
  return target.empty() ? "/" : target;
}

ServedResponse answer(QdrantFake& fake, const ServedRequest& request) {
  const CancelToken never;
  const auto response = fake.send({.method = request.method,
                                   .url = "http://qdrant.test" + target_of(request),
                                   .headers = request.headers,
                                   .body = request.body,
                                   .max_response_bytes = 256 * 1024 * 1024},
                                  {.cancel = never});
  if (!response) return {.status = 500, .body = response.error().text()};
  return {.status = response->status, .headers = response->headers, .body = response->body};
}

}  // namespace

int main() {
  QdrantFake fake;
  const auto server = HttpServer::start(
      {.max_body_bytes = 64 * 1024 * 1024},
      [&fake](const ServedRequest& request, const Respond& respond) {
        respond(answer(fake, request));
      },
      [](int status, std::string_view, std::string_view) {
        return ServedResponse{.status = status};
      });
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().text());
    return 1;
  }
  fmt::print("http://127.0.0.1:{}\n", (*server)->port());
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
  return 0;
}
