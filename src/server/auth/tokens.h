// Tokens: bearer tokens, hashed at rest.
//
// A token is "prc_ID_SECRET": eight hexadecimal digits by which it is found, and 256 random bits.
// Only the SHA-256 of the whole is kept (a slow hash would protect nothing: there is no dictionary
// of random bits), in tokens.json of the data directory, which `precedent tokens` writes and a
// running server reads again when it has changed. Format: docs/format/tokens.md.
//
// Thread safety: all members of TokenFile; the functions are pure but for the file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/mutex.h"
#include "base/time.h"
#include "server/auth/caller.h"

namespace precedent {

inline constexpr std::string_view kTokenPrefix = "prc_";
inline bool has_token_form(std::string_view text) { return text.starts_with(kTokenPrefix); }

struct AccessToken {
  std::string id;
  std::string name;  // of the person or program that has it
  AccessRole role = AccessRole::kUser;
  Scope scope = {};
  std::string sha256;  // hexadecimal
  TimePoint created_at{};
  std::optional<TimePoint> expires_at = {};
};

std::filesystem::path token_file(const std::filesystem::path& data_dir);
// None if there is no file. Errors: kCorrupt naming file and place; those of read_file.
Result<std::vector<AccessToken>> read_tokens(const std::filesystem::path& file);

struct MadeToken {
  AccessToken token;
  std::string secret;  // the whole token: to be shown once
};
// Adds one. Errors: kInvalidArgument for a name that is none, and for an editor or admin with a
// scope: whoever changes what all see must see it.
Result<MadeToken> create_token(const std::filesystem::path& file, AccessToken draft);
// Errors: kNotFound.
Result<void> revoke_token(const std::filesystem::path& file, std::string_view id);

// What a server asks at each request.
class TokenFile {
 public:
  explicit TokenFile(std::filesystem::path file) : file_(std::move(file)) {}
  // Whether any token was ever made here: then everybody needs one. Errors: as read_tokens().
  Result<bool> any() const;
  // Who has this token. Errors: kPermission, not saying why, for one that is unknown, revoked or
  // expired; as read_tokens().
  Result<Caller> find(std::string_view token, TimePoint now) const;

 private:
  Result<std::vector<AccessToken>> current() const;

  const std::filesystem::path file_;
  mutable Mutex mutex_;
  mutable std::string seen_ GUARDED_BY(mutex_);  // size and time of the file as it was read
  mutable std::vector<AccessToken> tokens_ GUARDED_BY(mutex_);
};

}  // namespace precedent
