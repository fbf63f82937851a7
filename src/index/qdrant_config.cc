#include "index/qdrant_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/strings.h"
#include "files/files.h"
#include "net/url.h"

namespace precedent {
namespace {

constexpr const char* kUrl = "PRECEDENT_QDRANT_URL";
constexpr const char* kKey = "PRECEDENT_QDRANT_API_KEY";
constexpr const char* kSecondKey = "PRECEDENT_QDRANT_API_KEY_2";
constexpr const char* kKeyFile = "PRECEDENT_QDRANT_API_KEY_FILE";
constexpr const char* kExact = "PRECEDENT_QDRANT_EXACT";

constexpr size_t kMaxKeyFileBytes = 64 * 1024;
constexpr size_t kMaxKeys = 2;

Result<std::vector<std::string>> read_key_file(const std::string& path) {
  const auto text = read_file(path, kMaxKeyFileBytes);
  if (!text)
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", kKeyFile, text.error().message));
  std::vector<std::string> keys;
  for (const std::string_view line : split_lines(*text)) {
    if (const auto key = trim(line); !key.empty()) keys.emplace_back(key);
  }
  if (keys.empty() || keys.size() > kMaxKeys) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} has {} keys; write one or two, a line each", kKeyFile, path,
                            keys.size()));
  }
  return keys;
}

// What a header can carry: visible ASCII.
bool is_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

Result<std::optional<QdrantConfig>> read_qdrant_config(
    const std::function<std::optional<std::string>(const char*)>& environment) {
  const auto url = environment(kUrl);
  if (!url) return std::nullopt;
  QdrantConfig config;
  config.url = *url;
  if (const auto file = environment(kKeyFile)) config.keys = TRY(read_key_file(*file));
  for (const char* name : {kKey, kSecondKey}) {
    const auto key = environment(name);
    if (!key) continue;
    if (environment(kKeyFile)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} and {} are both set; keep one of them", name, kKeyFile));
    }
    config.keys.push_back(*key);
  }
  if (const auto exact = environment(kExact)) {
    if (*exact != "0" && *exact != "1")
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is '{}'; write 1 for exhaustive searches, or 0", kExact, *exact));
    config.exact = *exact == "1";
  }
  TRY(check_qdrant_config(config));
  return config;
}

Result<std::optional<QdrantConfig>> qdrant_config_of_environment() {
  return read_qdrant_config([](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  });
}

Result<void> check_qdrant_config(const QdrantConfig& config) {
  const auto parsed = parse_url(config.url);
  if (!parsed) return std::unexpected(Error(parsed.error()).within("the address of Qdrant"));
  const Url& url = *parsed;
  if (url.has_user || config.url.find_first_of("?#") != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the address of Qdrant at {} has a user, a query or a fragment; write "
                            "it like https://qdrant.example.com:6333, and the key in {}",
                            url.shown(), kKey));
  }
  if (!std::ranges::all_of(config.keys, is_key)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a key of Qdrant at {} is empty or has characters that no header can "
                            "carry; check {}",
                            url.shown(), kKey));
  }
  if (!config.keys.empty() && url.scheme != "https" && !is_loopback(url.host)) {
    return fail(ErrorCode::kPermission,
                fmt::format("the key of Qdrant at {} would travel in the clear; use https, or "
                            "unset {}",
                            url.shown(), kKey));
  }
  return {};
}

}  // namespace precedent
