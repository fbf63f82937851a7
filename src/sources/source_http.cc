#include "sources/source_http.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "net/url.h"

namespace precedent {
namespace {

constexpr int kMaxAttempts = 5;
// Services ask for seconds to a minute or two; an hour is for the next sync.
constexpr std::chrono::seconds kMaxWait{120};
// Where a server that is overloaded names no time: 1, 2, 4, 8 seconds.
constexpr std::chrono::seconds kFirstWait{1};
// A request that gets no byte for so long is lost.
constexpr std::chrono::milliseconds kStall{60'000};

std::optional<int64_t> number_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Without the query, which may hold a cursor or a name.
std::string shown(const std::string& url) {
  const auto parsed = parse_url(url);
  if (!parsed) return "the address";
  const size_t path = url.find('/', url.find("://") + 3);
  const std::string rest = path == std::string::npos ? "" : url.substr(path, url.find('?') - path);
  return parsed->shown() + rest;
}

}  // namespace

SourceHttp::SourceHttp(HttpClient& client, const Clock& clock, SourceHttpOptions options)
    : client_(client), clock_(clock), options_(std::move(options)) {}

Result<std::string> SourceHttp::next_address(std::string_view link) const {
  const Url base = TRY(parse_url(options_.base_url));
  const size_t host_end = options_.base_url.find('/', options_.base_url.find("://") + 3);
  const std::string root = options_.base_url.substr(0, host_end);
  const std::string path = host_end == std::string::npos ? "" : options_.base_url.substr(host_end);
  if (link.starts_with('/') && !link.starts_with("//"))
    return fmt::format("{}{}", link.starts_with(path + "/") ? root : options_.base_url, link);
  const auto next = parse_url(link);
  if (next && !next->has_user && next->scheme == base.scheme && next->host == base.host &&
      next->port == base.port)
    return std::string(link);
  return fail(ErrorCode::kPermission,
              fmt::format("{} sends on to {}, another host, which is not asked: the token is for "
                          "the configured one alone",
                          base.shown(), next ? next->shown() : "something that is no address"));
}

std::optional<std::chrono::seconds> SourceHttp::retry_after(const HttpResponse& response,
                                                            int attempt) const {
  const bool limited = response.status == 403 && (!response.header("Retry-After").empty() ||
                                                  response.header("X-RateLimit-Remaining") == "0");
  if (response.status != 429 && response.status < 500 && !limited) return std::nullopt;
  if (const std::string_view after = response.header("Retry-After"); !after.empty()) {
    if (const auto seconds = number_in(after))
      return std::chrono::seconds(std::clamp<int64_t>(*seconds, 0, 1 << 30));
    if (const auto time = parse_time(after))
      return std::max(std::chrono::seconds(0), *time - clock_.now());
  }
  if (limited || response.status == 429)
    if (const auto reset = number_in(response.header("X-RateLimit-Reset")))
      return std::max(std::chrono::seconds(1),
                      TimePoint(std::chrono::seconds(*reset)) - clock_.now());
  return kFirstWait * (1 << attempt);
}

Result<void> SourceHttp::wait_for(std::chrono::seconds time, const std::string& url,
                                  const CancelToken& cancel) const {
  if (time > kMaxWait)
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} asks to wait {} s, as it was asked too often; sync again then",
                            shown(url), time.count()));
  return options_.wait(time, cancel);
}

std::unexpected<Error> SourceHttp::refusal(const HttpResponse& response,
                                           const std::string& url) const {
  const std::string where = shown(url);
  const std::string token = options_.token_env.empty() ? "no token is configured (token_env)"
                                                       : "the token of " + options_.token_env;
  if (response.status >= 300 && response.status < 400) {
    const auto to = parse_url(response.header("Location"));
    return fail(ErrorCode::kPermission,
                fmt::format("{} redirects to {}, which is not followed: the token is for the "
                            "configured host alone; check 'url'",
                            where, to ? to->shown() : "another place"));
  }
  switch (response.status) {
    case 401:
      return fail(
          ErrorCode::kPermission,
          fmt::format("{} does not accept {}: it may have expired; make a new one", where, token));
    case 403:
      return fail(ErrorCode::kPermission,
                  fmt::format("{} refuses: {} has not the right to read it", where, token));
    case 404:
    case 410:
      return fail(ErrorCode::kNotFound,
                  fmt::format("{} is not there, or is not shown to {}; check 'url' and names",
                              where, token));
    default:
      return fail(ErrorCode::kUnavailable,
                  fmt::format("{} answered with HTTP {}; try again later", where, response.status));
  }
}

Result<HttpResponse> SourceHttp::send(HttpRequest request, std::initializer_list<int> good,
                                      const CancelToken& cancel) const {
  request.headers.insert(request.headers.begin(), options_.headers.begin(), options_.headers.end());
  request.headers.push_back({"User-Agent", "precedent"});
  if (options_.authorize)
    request.headers.push_back({"Authorization", TRY(options_.authorize(cancel))});
  request.stall_timeout = kStall;
  request.max_response_bytes = kMaxSourceReply;
  for (int attempt = 0;; ++attempt) {
    HttpResponse response = TRY(client_.send(request, {cancel}));
    if (std::ranges::find(good, response.status) != good.end()) return response;
    const auto wait = retry_after(response, attempt);
    if (!wait || !options_.wait || attempt + 1 == kMaxAttempts)
      return refusal(response, request.url);
    TRY(wait_for(*wait, request.url, cancel));
  }
}

Result<HttpResponse> SourceHttp::get(const std::string& url, const CancelToken& cancel,
                                     std::vector<HttpHeader> more) const {
  const bool conditional = !more.empty();
  HttpRequest request{.url = url, .headers = std::move(more)};
  return conditional ? send(std::move(request), {200, 304}, cancel)
                     : send(std::move(request), {200}, cancel);
}

namespace {

Result<nlohmann::json> object_in(const HttpResponse& response, const std::string& url) {
  nlohmann::json reply = parse_json(response.body);
  if (reply.is_object()) return reply;
  return fail(ErrorCode::kCorrupt,
              fmt::format("{} answered with what is no JSON object; check 'url': a sign-in page "
                          "looks so",
                          shown(url)));
}

}  // namespace

Result<nlohmann::json> SourceHttp::get_json(const std::string& url,
                                            const CancelToken& cancel) const {
  HttpRequest request{.url = url, .headers = {{"Accept", "application/json"}}};
  return object_in(TRY(send(std::move(request), {200}, cancel)), url);
}

Result<nlohmann::json> SourceHttp::post_json(const std::string& url, const nlohmann::json& body,
                                             const CancelToken& cancel) const {
  HttpRequest request{.method = "POST",
                      .url = url,
                      .headers = {{"Content-Type", "application/json"}},
                      .body = dump_json(body)};
  return object_in(TRY(send(std::move(request), {200, 201}, cancel)), url);
}

}  // namespace precedent
