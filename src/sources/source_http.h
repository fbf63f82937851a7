// Requests to one service, as its rules of conduct ask for: a token, limits, waiting when told to.
//
// Everything goes to the configured address alone. A redirect is refused, and so is a "next page"
// on another host, since the token would go along. Where a server says that it is asked too often
// (429, 503, or GitHub's 403), it is asked again after the time it names, if that is bearable.
//
// Errors name host and path and never a header: kPermission for an expired token, a missing right
// and a redirect; kNotFound; kUnavailable, also where the wait would be too long;
// kResourceExhausted above `max_bytes`; kCorrupt for what is no JSON.
// Thread safety: one thread. Ownership: borrows its client, which outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "net/http_client.h"

namespace precedent {

struct SourceHttpOptions {
  std::string base_url;  // without a slash at its end
  std::vector<HttpHeader> headers;
  std::string token_env;  // whose token it is: what a message tells to renew
  // None: it never waits, and the first refusal counts.
  std::function<Result<void>(std::chrono::seconds, const CancelToken&)> wait;
  // The value of Authorization, asked for before each request, where a token lives shorter than a
  // sync.
  std::function<Result<std::string>(const CancelToken&)> authorize = {};
};

// A page of anything that people wrote, with what JSON adds to it.
inline constexpr size_t kMaxSourceReply = 24 * 1024 * 1024;

class SourceHttp {
 public:
  SourceHttp(HttpClient& client, const Clock& clock, SourceHttpOptions options);

  // 200 or, with an ETag among `more`, 304. `url`: as address() gives it.
  Result<HttpResponse> get(const std::string& url, const CancelToken& cancel,
                           std::vector<HttpHeader> more = {}) const;
  // The same, read. Errors: kCorrupt unless it is a JSON object.
  Result<nlohmann::json> get_json(const std::string& url, const CancelToken& cancel) const;
  // Sends an object and reads the one that comes back, with 200 or 201.
  Result<nlohmann::json> post_json(const std::string& url, const nlohmann::json& body,
                                   const CancelToken& cancel) const;

  // "/api/v2/pages?limit=250" → the whole address.
  std::string address(std::string_view path) const { return options_.base_url + std::string(path); }
  // What a server calls the next page: a whole address, or a path with or without the path of the
  // base. Errors: kPermission for another host.
  Result<std::string> next_address(std::string_view link) const;
  const std::string& base_url() const { return options_.base_url; }

 private:
  // Until one of the statuses is answered, or no wait helps.
  Result<HttpResponse> send(HttpRequest request, std::initializer_list<int> good,
                            const CancelToken& cancel) const;
  Result<void> wait_for(std::chrono::seconds time, const std::string& url,
                        const CancelToken& cancel) const;
  // How long to wait before the same request, if that helps.
  std::optional<std::chrono::seconds> retry_after(const HttpResponse& response, int attempt) const;
  std::unexpected<Error> refusal(const HttpResponse& response, const std::string& url) const;

  HttpClient& client_;
  const Clock& clock_;
  SourceHttpOptions options_;
};

}  // namespace precedent
