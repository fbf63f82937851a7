#include "index/qdrant_api.h"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "net/curl_http_client.h"
#include "net/url.h"

namespace precedent {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

// Facets and pages of texts stay far below; a server that sends more is not the one we know.
constexpr size_t kMaxResponseBytes = size_t{64} * 1024 * 1024;
constexpr milliseconds kFirstDelay{200};
constexpr size_t kShownErrorBytes = 400;

constexpr int kOldestMinor = 16;  // of 1.x: what the calls here need

bool is_worth_repeating(int status) {
  return status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

std::optional<milliseconds> seconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data() || !(value >= 0 && value < 1e6))
    return std::nullopt;
  return milliseconds(static_cast<int64_t>(value * 1000));
}

// What the server says is wrong, or the beginning of whatever it sent.
std::string error_in(std::string_view body) {
  const json said = parse_json(body);
  std::string text(body);
  if (said.is_object() && said.contains("status") && said["status"].is_object() &&
      said["status"].contains("error") && said["status"]["error"].is_string())
    text = said["status"]["error"].get<std::string>();
  return std::string(utf8_prefix(squeeze(text), kShownErrorBytes));
}

// What to do about it, where the server's words do not say.
std::string_view remedy_for(int status, std::string_view said) {
  if (status == 413) return "; raise service.max_request_size_mb of the server";
  if (status == 507) return "; give the server more room";
  if (said.contains("Limit exceeded") || said.contains("Index required but not found") ||
      said.contains("strict mode"))
    return "; this is the strict mode of the collection: change its strict_mode_config";
  return "";
}

}  // namespace

std::optional<milliseconds> retry_after_in(std::string_view text) {
  constexpr std::string_view kSays = "Retry after ";
  const size_t at = text.find(kSays);
  if (at == std::string_view::npos) return std::nullopt;
  return seconds(text.substr(at + kSays.size()));
}

QdrantApi::QdrantApi(std::shared_ptr<HttpClient> http, QdrantConfig config, Wait wait, Now now)
    : http_(std::move(http)),
      config_(std::move(config)),
      wait_(wait ? std::move(wait)
                 : Wait([](milliseconds time) { std::this_thread::sleep_for(time); })),
      now_(now ? std::move(now) : Now(std::chrono::steady_clock::now)) {
  const auto url = parse_url(config_.url);
  address_ = url ? url->shown() : "";
}

std::shared_ptr<QdrantApi> QdrantApi::open(QdrantConfig config) {
  return std::make_shared<QdrantApi>(std::make_shared<CurlHttpClient>(), std::move(config));
}

Result<void> QdrantApi::admit() {
  const MutexLock lock(mutex_);
  if (!gone_) return {};
  const auto now = now_();
  if (now < rests_until_) return std::unexpected(*gone_);
  // This call looks; the others do not wait for it.
  rests_until_ = now + config_.rest;
  return {};
}

void QdrantApi::note(const Result<Answer>& answer) {
  const MutexLock lock(mutex_);
  if (answer || answer.error().code != ErrorCode::kUnavailable) {
    gone_.reset();
  } else if (config_.rest > config_.rest.zero()) {
    gone_ = answer.error();
    rests_until_ = now_() + config_.rest;
  }
}

Result<QdrantApi::Answer> QdrantApi::ask_once(std::string_view method, std::string_view path,
                                              std::string_view body, Use use) {
  std::string_view base = config_.url;
  while (base.ends_with('/')) base.remove_suffix(1);
  HttpRequest request{.method = std::string(method), .url = fmt::format("{}{}", base, path)};
  request.connect_timeout = config_.connect_timeout;
  request.max_response_bytes = kMaxResponseBytes;
  if (!body.empty()) {
    request.body = std::string(body);
    request.headers.push_back({"Content-Type", "application/json"});
  }
  const auto time = use == Use::kRead ? config_.read_timeout : config_.write_timeout;
  static const CancelToken kNever;
  for (size_t tried = 0;; ++tried) {
    const size_t key = key_.load(std::memory_order_relaxed);
    HttpRequest with_key = request;
    if (key < config_.keys.size()) with_key.headers.push_back({"api-key", config_.keys[key]});
    const auto response = http_->send(with_key, {kNever, std::chrono::steady_clock::now() + time});
    if (!response) return std::unexpected(response.error());
    if (response->status == 401 && tried + 1 < config_.keys.size()) {
      // Another thread may have found the right one meanwhile; then this changes nothing.
      size_t expected = key;
      key_.compare_exchange_strong(expected, (key + 1) % config_.keys.size());
      continue;
    }
    Answer answer{response->status, response->body, seconds(response->header("Retry-After"))};
    if (answer.status == 429 && !answer.retry_after)
      answer.retry_after = retry_after_in(answer.body);
    return answer;
  }
}

Result<QdrantApi::Answer> QdrantApi::ask(std::string_view method, std::string_view path,
                                         std::string_view body, Use use) {
  TRY(admit());
  auto answer = ask_patiently(method, path, body, use);
  // An answer that says "later" is none, either.
  if (answer && is_worth_repeating(answer->status)) answer = refusal(*answer, path);
  note(answer);
  return answer;
}

Result<QdrantApi::Answer> QdrantApi::ask_patiently(std::string_view method, std::string_view path,
                                                   std::string_view body, Use use) {
  for (int attempt = 1;; ++attempt) {
    const auto answer = ask_once(method, path, body, use);
    const bool again = answer ? is_worth_repeating(answer->status)
                              : answer.error().code == ErrorCode::kUnavailable;
    milliseconds pause = kFirstDelay * (1 << std::min(attempt - 1, 10));
    if (answer && answer->retry_after) pause = std::max(pause, *answer->retry_after);
    if (again && attempt < config_.attempts && pause <= config_.max_retry_after) {
      wait_(pause);
      continue;
    }
    if (answer) return *answer;
    const ErrorCode code =
        answer.error().code == ErrorCode::kTimeout ? ErrorCode::kUnavailable : answer.error().code;
    return fail(code, fmt::format("Qdrant at {}, which {} names: {}", address_, config_.url_from,
                                  answer.error().message));
  }
}

std::unexpected<Error> QdrantApi::refusal(const Answer& answer, std::string_view path) const {
  const std::string said = error_in(answer.body);
  const auto error = [&](ErrorCode code, std::string_view remedy) {
    return fail(code, fmt::format("Qdrant at {} answered {} to {}: {}{}", address_, answer.status,
                                  path.substr(0, path.find('?')), said, remedy));
  };
  switch (answer.status) {
    case 401:
    case 403:
      return error(ErrorCode::kPermission,
                   fmt::format("; set {} to a key that may write", config_.keys_from));
    case 404: return error(ErrorCode::kNotFound, "");
    case 409: return error(ErrorCode::kConflict, "");
    case 429:
      return error(ErrorCode::kUnavailable,
                   "; raise the rate limits in the collection's strict_mode_config, or ask less");
    default:
      if (answer.status >= 500 && answer.status != 507) return error(ErrorCode::kUnavailable, "");
      return error(
          answer.status == 507 ? ErrorCode::kResourceExhausted : ErrorCode::kInvalidArgument,
          remedy_for(answer.status, said));
  }
}

Result<std::string> QdrantApi::version() {
  const Answer answer = TRY(ask("GET", "/", {}, Use::kRead));
  if (answer.status != 200) return refusal(answer, "/");
  const json said = parse_json(answer.body);
  const auto text = [&](const char* key) {
    return said.is_object() && said.contains(key) && said[key].is_string()
               ? said[key].get<std::string>()
               : std::string();
  };
  if (!text("title").starts_with("qdrant"))
    return fail(ErrorCode::kCorrupt, fmt::format("what answers at {} is no Qdrant; check {}",
                                                 address_, config_.url_from));
  const std::string version = text("version");
  int major = 0, minor = 0;
  const char* end = version.data() + version.size();
  auto read = std::from_chars(version.data(), end, major);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == '.')
    read = std::from_chars(read.ptr + 1, end, minor);
  if (major < 1 || (major == 1 && minor < kOldestMinor)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("Qdrant at {} is version '{}'; precedent needs 1.{} or later", address_,
                            utf8_prefix(version, 40), kOldestMinor));
  }
  return version;
}

Result<json> QdrantApi::call(std::string_view method, std::string_view path, std::string_view body,
                             Use use) {
  const Answer answer = TRY(ask(method, path, body, use));
  if (answer.status != 200) return refusal(answer, path);
  json said = parse_json(answer.body);
  if (!said.is_object() || !said.contains("result")) {
    return fail(
        ErrorCode::kCorrupt,
        fmt::format("Qdrant at {} answered {} with something else than a result; check that "
                    "nothing stands between",
                    address_, path.substr(0, path.find('?'))));
  }
  return std::move(said["result"]);
}

}  // namespace precedent
