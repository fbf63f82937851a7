#include "server/auth/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "files/files.h"
#include "server/auth/digest.h"

namespace precedent {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr size_t kMaxFile = 4 << 20;
constexpr size_t kMaxTokens = 5000;
constexpr size_t kMaxName = 100;

// Names stand in ids of conversations and in logs.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("-_.@+").contains(c);
  });
}

json to_json(const AccessToken& token) {
  json kinds = json::array();
  for (const Kind kind : token.scope.kinds) kinds.push_back(name(kind));
  return {{"id", token.id},
          {"name", token.name},
          {"role", name(token.role)},
          {"sha256", token.sha256},
          {"created_at", format_time(token.created_at)},
          {"expires_at", token.expires_at ? json(format_time(*token.expires_at)) : json()},
          {"kinds", std::move(kinds)},
          {"services", token.scope.services}};
}

std::optional<std::vector<std::string>> texts(const json& object, const char* key) {
  std::vector<std::string> all;
  if (!object.contains(key) || !object[key].is_array()) return std::nullopt;
  for (const json& item : object[key]) {
    if (!item.is_string()) return std::nullopt;
    all.push_back(item.get<std::string>());
  }
  return all;
}

// Nothing: it is none. A member that cannot be read never makes a token mightier.
std::optional<AccessToken> token_of(const json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto text = [&](const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>()
                                                           : std::string();
  };
  AccessToken token{.id = text("id"), .name = text("name"), .sha256 = text("sha256")};
  const auto role = parse_role(text("role"));
  const auto created = parse_time(text("created_at"));
  const auto kinds = texts(object, "kinds"), services = texts(object, "services");
  if (token.id.empty() || !is_name(token.name) || token.sha256.size() != 64 || !role || !created ||
      !kinds || !services || !object.contains("expires_at"))
    return std::nullopt;
  token.role = *role;
  token.created_at = *created;
  token.scope.services = *services;
  for (const std::string& kind : *kinds) {
    const auto known = parse_kind(kind);
    if (!known) return std::nullopt;
    token.scope.kinds.push_back(*known);
  }
  if (object["expires_at"].is_null()) return token;
  const auto expires = parse_time(text("expires_at"));
  if (!expires) return std::nullopt;
  token.expires_at = *expires;
  return token;
}

Result<std::vector<AccessToken>> parse_tokens(const std::string& text, const fs::path& file) {
  const json whole = parse_json(text);
  const auto corrupt = [&](const std::string& what) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{}: {}; nobody can sign in until it is mended, or removed to begin "
                            "anew",
                            file.string(), what));
  };
  if (!whole.is_object() || whole.value("format", json()) != kFormat ||
      !whole.value("tokens", json()).is_array())
    return corrupt("this is no list of tokens that this version reads");
  std::vector<AccessToken> tokens;
  for (const json& item : whole["tokens"]) {
    const auto token = token_of(item);
    if (!token) return corrupt(fmt::format("token {} cannot be read", tokens.size() + 1));
    tokens.push_back(*token);
  }
  return tokens;
}

Result<void> write_tokens(const fs::path& file, const std::vector<AccessToken>& tokens) {
  json all = json::array();
  for (const AccessToken& token : tokens) all.push_back(to_json(token));
  const std::string text = dump_json(json{{"format", kFormat}, {"tokens", std::move(all)}}) + "\n";
  const std::string_view whole = text;
  return write_file_atomically(file, std::span(&whole, 1));
}

// One who changes the file at a time.
Result<FileLock> lock_of(const fs::path& file) {
  return FileLock::acquire(fs::path(file).concat(".lock"));
}

}  // namespace

fs::path token_file(const fs::path& data_dir) { return data_dir / "tokens.json"; }

Result<std::vector<AccessToken>> read_tokens(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::vector<AccessToken>();
  return parse_tokens(TRY(read_file(file, kMaxFile)), file);
}

Result<MadeToken> create_token(const fs::path& file, AccessToken draft) {
  if (!is_name(draft.name))
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no name for a token; use 1 to {} letters, digits and -_.@+",
                            draft.name, kMaxName));
  if (draft.role >= AccessRole::kEditor && !draft.scope.everything())
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("an {} sees everything; leave --kind and --service out, or make it a "
                            "user",
                            name(draft.role)));
  const FileLock lock = TRY(lock_of(file));
  std::vector<AccessToken> tokens = TRY(read_tokens(file));
  if (tokens.size() >= kMaxTokens)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("there are {} tokens already; revoke some", tokens.size()));
  draft.id = random_hex(4);
  std::string secret = fmt::format("{}{}_{}", kTokenPrefix, draft.id, random_text(32));
  draft.sha256 = sha256_hex(secret);
  tokens.push_back(draft);
  TRY(write_tokens(file, tokens));
  return MadeToken{std::move(draft), std::move(secret)};
}

Result<void> revoke_token(const fs::path& file, std::string_view id) {
  const FileLock lock = TRY(lock_of(file));
  std::vector<AccessToken> tokens = TRY(read_tokens(file));
  if (std::erase_if(tokens, [&](const AccessToken& token) { return token.id == id; }) == 0)
    return fail(
        ErrorCode::kNotFound,
        fmt::format("there is no token '{}'; `precedent tokens list` shows those there are", id));
  return write_tokens(file, tokens);
}

Result<std::vector<AccessToken>> TokenFile::current() const {
  const MutexLock lock(mutex_);
  std::error_code missing;
  const auto changed = fs::last_write_time(file_, missing);
  const std::string seen = missing ? "none"
                                   : fmt::format("{} {}", fs::file_size(file_, missing),
                                                 changed.time_since_epoch().count());
  if (seen == seen_) return tokens_;
  tokens_ = TRY(read_tokens(file_));
  seen_ = seen;
  return tokens_;
}

Result<bool> TokenFile::any() const {
  // Also where all were revoked: a door that was locked does not open by itself.
  TRY(current());
  std::error_code ignored;
  return fs::exists(file_, ignored);
}

Result<Caller> TokenFile::find(std::string_view token, TimePoint now) const {
  const std::string given = sha256_hex(token);
  for (const AccessToken& known : TRY(current())) {
    if (!same_secret(known.sha256, given)) continue;
    if (known.expires_at && *known.expires_at <= now) break;
    return Caller{known.name, known.role, known.scope, "token"};
  }
  return fail(ErrorCode::kPermission, "the token is not valid here");
}

}  // namespace precedent
