#include "server/auth/oidc_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "net/url.h"
#include "server/auth/oidc_config.h"

namespace precedent {
namespace {

using nlohmann::json;

// The documents of large providers have up to 20 kB.
constexpr size_t kMaxBytes = 256 * 1024;
constexpr std::chrono::milliseconds kConnectTime{3000};
constexpr std::string_view kDocument = "/.well-known/openid-configuration";

std::chrono::seconds fresh_for(std::string_view cache_control) {
  for (const std::string_view part : split(cache_control, ',')) {
    const std::string directive = ascii_lower(trim(part));
    if (directive == "no-store" || directive == "no-cache") return OidcKeys::kMinFresh;
    constexpr std::string_view kMaxAge = "max-age=";
    if (!directive.starts_with(kMaxAge)) continue;
    int64_t seconds = 0;
    const auto [end, error] = std::from_chars(directive.data() + kMaxAge.size(),
                                              directive.data() + directive.size(), seconds);
    if (error == std::errc())
      return std::clamp(std::chrono::seconds(seconds), OidcKeys::kMinFresh, OidcKeys::kMaxFresh);
  }
  return OidcKeys::kFreshUnsaid;
}

Result<HttpResponse> get(HttpClient& http, const std::string& url, const HttpContext& context) {
  HttpRequest request{.url = url, .headers = {{"Accept", "application/json"}}};
  request.connect_timeout = kConnectTime;
  request.max_response_bytes = kMaxBytes;
  HttpResponse response = TRY(http.send(request, context));
  if (response.status != 200)
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} answered with status {}", url, response.status));
  return response;
}

}  // namespace

OidcKeys::OidcKeys(std::string issuer, std::string jwks_uri, HttpClient& http, const Clock& clock)
    : issuer_(std::move(issuer)), jwks_uri_(std::move(jwks_uri)), http_(http), clock_(clock) {}

Result<std::string> OidcKeys::find_jwks_uri(const HttpContext& context) const {
  if (!jwks_uri_.empty()) return jwks_uri_;
  std::string url = issuer_;
  if (url.ends_with('/')) url.pop_back();
  url += kDocument;
  const json document = parse_json(TRY(get(http_, url, context)).body);
  const auto text = [&](const char* key) {
    return document.is_object() && document.contains(key) && document[key].is_string()
               ? document[key].get<std::string>()
               : std::string();
  };
  // Whoever answers for another issuer must not lend it keys.
  if (text("issuer") != issuer_)
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} is not of the issuer {}; write server.oidc.issuer exactly as the "
                            "document has it, with or without a slash at the end",
                            url, issuer_));
  std::string found = text("jwks_uri");
  const auto allowed = check_oidc_url(found);
  if (!allowed)
    return fail(ErrorCode::kUnavailable,
                fmt::format("the jwks_uri of {} {}", url, allowed.error().message));
  // A provider elsewhere has no say about what is asked of this machine.
  if (is_loopback(TRY(parse_url(found)).host) && !is_loopback(TRY(parse_url(issuer_)).host))
    return fail(ErrorCode::kUnavailable,
                fmt::format("the jwks_uri of {} is on this machine, the issuer is not", url));
  return found;
}

Result<OidcKeys::Fetched> OidcKeys::fetch() const {
  const CancelToken never;
  const HttpContext context{never, std::chrono::steady_clock::now() + kFetchTime};
  const std::string url = TRY(find_jwks_uri(context));
  const HttpResponse response = TRY(get(http_, url, context));
  auto keys = JwtKeys::parse(response.body);
  if (!keys) return std::unexpected(std::move(keys).error().within(url));
  return Fetched{std::make_shared<const JwtKeys>(std::move(*keys)),
                 fresh_for(response.header("Cache-Control"))};
}

bool OidcKeys::begins_fetch() {
  const TimePoint now = clock_.now();
  // A clock that was set back must not keep keys away.
  const bool pausing = now >= tried_at_ && now < tried_at_ + pause_;
  if (fetching_ || pausing) return false;
  fetching_ = true;
  return true;
}

void OidcKeys::fetch_and_keep() {
  auto fetched = fetch();
  const MutexLock lock(mutex_);
  const TimePoint now = clock_.now();
  fetching_ = false;
  tried_at_ = now;
  pause_ = fetched ? kPause : kPauseAfterFailure;
  failure_ = fetched ? "" : fetched.error().text();
  if (fetched) {
    keys_ = std::move(fetched->keys);
    fresh_until_ = now + fetched->fresh;
  }
  fetched_.notify_all();
}

void OidcKeys::wait_for_fetch() {
  const auto until = std::chrono::steady_clock::now() + kFetchTime;
  while (fetching_ && fetched_.wait_until(mutex_, until)) {
  }
}

bool OidcKeys::has_keys(TimePoint now) const {
  return keys_ != nullptr && now < fresh_until_ + kGrace;
}

Result<OidcKeys::Keys> OidcKeys::current() {
  bool fetches = false;
  {
    const MutexLock lock(mutex_);
    const TimePoint now = clock_.now();
    // Before tried_at_: the clock was set back, and fresh_until_ means nothing.
    if (!has_keys(now) || now >= fresh_until_ || now < tried_at_) fetches = begins_fetch();
    if (!fetches && !has_keys(now)) wait_for_fetch();
  }
  if (fetches) fetch_and_keep();
  const MutexLock lock(mutex_);
  if (has_keys(clock_.now())) return keys_;
  return fail(
      ErrorCode::kUnavailable,
      fmt::format("the keys of the identity provider cannot be had, so nobody can sign in "
                  "with it; it is asked again within {} seconds: {}",
                  kPauseAfterFailure.count(), failure_.empty() ? "it does not answer" : failure_));
}

OidcKeys::Keys OidcKeys::newer_than(const Keys& seen) {
  bool fetches = false;
  {
    const MutexLock lock(mutex_);
    if (keys_ != seen) return keys_;
    fetches = begins_fetch();
    if (!fetches) wait_for_fetch();
  }
  if (fetches) fetch_and_keep();
  const MutexLock lock(mutex_);
  return keys_;
}

}  // namespace precedent
