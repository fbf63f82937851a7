#include "index/qdrant_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
// Instead of an address: the embedded index, whatever precedent.yaml says.
constexpr std::string_view kOff = "off";

constexpr size_t kMaxKeyFileBytes = 64 * 1024;
constexpr size_t kMaxKeys = 2;

// `named_by`: the setting that names it.
Result<std::vector<std::string>> read_key_file(std::string_view named_by, const std::string& path) {
  const auto text = read_file(path, kMaxKeyFileBytes);
  if (!text)
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", named_by, text.error().message));
  std::vector<std::string> keys;
  for (const std::string_view line : split_lines(*text)) {
    if (const auto key = trim(line); !key.empty()) keys.emplace_back(key);
  }
  if (keys.empty() || keys.size() > kMaxKeys) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} has {} keys; write one or two, a line each", named_by, path,
                            keys.size()));
  }
  return keys;
}

// What a header can carry: visible ASCII.
bool is_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
}

constexpr std::string_view kKeys[] = {"url",      "timeout", "shards", "exact",
                                      "key_file", "key_env", "grace"};
// What Qdrant itself takes for a collection on one node is far more than anybody needs here.
constexpr int64_t kMostShards = 64;
// While somebody waits for an answer.
constexpr std::chrono::milliseconds kRest{5'000};
constexpr std::chrono::milliseconds kShortRetryAfter{1'000};

Result<void> read_environment_keys(const QdrantEnvironment& environment, QdrantConfig& config) {
  if (const auto file = environment(kKeyFile)) config.keys = TRY(read_key_file(kKeyFile, *file));
  for (const char* name : {kKey, kSecondKey}) {
    const auto key = environment(name);
    if (!key) continue;
    if (environment(kKeyFile)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} and {} are both set; keep one of them", name, kKeyFile));
    }
    config.keys.push_back(*key);
  }
  return {};
}

Result<void> read_times(const ConfigSection& section, QdrantConfig& config) {
  std::chrono::milliseconds timeout{0};
  TRY(section.read("timeout", timeout));
  if (section.has("timeout") && timeout == timeout.zero())
    TRY(section.settle(section.wrong("timeout", "is 0; write a time like 5s")));
  if (timeout > timeout.zero()) config.read_timeout = config.answer_timeout = timeout;
  return section.read("grace", config.grace);
}

// Files are read and variables looked up only where they are used.
Result<void> read_section_keys(const ConfigSection& section, const QdrantEnvironment& environment,
                               QdrantConfig& config) {
  std::string file;
  std::vector<std::string> names;
  TRY(section.read("key_file", file));
  TRY(section.read("key_env", names));
  if (!file.empty() && !names.empty())
    return section.wrong("key_env", "key_file is there, too; keep one of them");
  if (names.size() > kMaxKeys)
    return section.wrong("key_env", "names more than two variables; two are enough to change keys");
  if (!file.empty()) {
    config.keys_from = "qdrant.key_file";
    auto keys = read_key_file("key_file", file);
    if (!keys) return section.wrong("key_file", keys.error().message);
    config.keys = std::move(*keys);
  }
  for (const std::string& name : names) {
    config.keys_from = "qdrant.key_env";
    // While keys are changed, one of them may be gone.
    if (auto key = environment(name.c_str())) config.keys.push_back(std::move(*key));
  }
  if (!names.empty() && config.keys.empty())
    return section.wrong("key_env", fmt::format("{} is not set", fmt::join(names, " or ")));
  return {};
}

Result<void> read_section(const ConfigSection& section, const QdrantEnvironment& environment,
                          bool own_address, QdrantConfig& config) {
  TRY(section.check(kKeys));
  TRY(section.read("url", config.url));
  TRY(read_times(section, config));
  int64_t shards = config.shards;
  TRY(section.read("shards", shards, 1, kMostShards));
  config.shards = static_cast<int>(shards);
  const std::string exact = section.text("exact");
  if (!exact.empty() && exact != "true" && exact != "false")
    TRY(section.settle(section.wrong("exact", "write true for exhaustive searches, or false")));
  config.exact = exact == "true";
  if (config.url.empty()) {
    return section.settle(
        section.wrong("url", "is missing; write where the Qdrant is, like http://localhost:6333"));
  }
  if (!own_address) return {};
  config.url_from = "qdrant.url";
  TRY(section.settle(read_section_keys(section, environment, config)));
  const auto checked = check_qdrant_config(config);
  if (checked) return {};
  return section.settle(section.wrong(
      checked.error().code == ErrorCode::kPermission || config.keys.empty() ? "url" : "key_file",
      checked.error().message));
}

}  // namespace

Result<std::optional<QdrantConfig>> read_qdrant_config(const QdrantEnvironment& environment) {
  return read_qdrant_config("", "", environment);
}

Result<std::optional<QdrantConfig>> read_qdrant_config(std::string_view yaml, std::string_view path,
                                                       const QdrantEnvironment& environment,
                                                       ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  const auto url = environment(kUrl);
  QdrantConfig config;
  if (root.has("qdrant"))
    TRY(read_section(root.section("qdrant"), environment, !url.has_value(), config));
  if (url) {
    if (*url == kOff) return std::nullopt;
    config.url = *url;
    config.keys.clear();
    TRY(read_environment_keys(environment, config));
  }
  if (const auto exact = environment(kExact)) {
    if (*exact != "0" && *exact != "1")
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is '{}'; write 1 for exhaustive searches, or 0", kExact, *exact));
    config.exact = *exact == "1";
  }
  if (config.url.empty()) return std::nullopt;
  if (url) TRY(check_qdrant_config(config));
  return config;
}

std::optional<std::string> qdrant_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

Result<std::optional<QdrantConfig>> qdrant_config_of_environment() {
  return read_qdrant_config(qdrant_environment);
}

QdrantConfig impatient(QdrantConfig config) {
  config.read_timeout = config.answer_timeout;
  config.attempts = 2;
  config.max_retry_after = kShortRetryAfter;
  config.rest = kRest;
  return config;
}

Result<void> check_qdrant_config(const QdrantConfig& config) {
  const auto parsed = parse_url(config.url);
  if (!parsed) return std::unexpected(Error(parsed.error()).within("the address of Qdrant"));
  const Url& url = *parsed;
  if (url.has_user || config.url.find_first_of("?#") != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the address of Qdrant at {} has a user, a query or a fragment; write "
                            "it like https://qdrant.example.com:6333, and the key in {}",
                            url.shown(), config.keys_from));
  }
  if (!std::ranges::all_of(config.keys, is_key)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a key of Qdrant at {} is empty or has characters that no header can "
                            "carry; check {}",
                            url.shown(), config.keys_from));
  }
  if (!config.keys.empty() && url.scheme != "https" && !is_loopback(url.host)) {
    return fail(ErrorCode::kPermission,
                fmt::format("the key of Qdrant at {} would travel in the clear; use https, or "
                            "unset {}",
                            url.shown(), config.keys_from));
  }
  return {};
}

}  // namespace precedent
