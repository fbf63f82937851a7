// TokenStore: the bearer tokens that a server takes, and whose they are.
//
// A token is "prc_" ID "_" SECRET: 8 and 64 hexadecimal digits, from the system's source of
// randomness. Of the secret only its SHA-256 is kept: with 256 random bits nothing slower is needed
// (OWASP Password Storage asks for slow hashes of what people think up). It is compared in constant
// time. A token that was revoked or has expired stays in the list, so that the audit log can be
// read.
//
// Format: SQLite, beside the knowledge base, readable by its owner alone. Several processes may use
// it at once: what `precedent tokens` changes, a running server sees at the next request.
// Thread safety: all members. Errors: those of db/sqlite.h.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/principal.h"
#include "base/error.h"
#include "base/mutex.h"
#include "base/time.h"
#include "db/sqlite.h"

namespace precedent {

// Its name within a data directory.
inline constexpr const char* kAccessFile = "access.db";

struct AccessToken {
  std::string id;
  std::string name;
  Role role = Role::kReader;
  TimePoint created;
  std::optional<TimePoint> expires = {};
  std::optional<TimePoint> revoked = {};

  bool valid_at(TimePoint now) const { return !revoked && (!expires || now < *expires); }
  Principal principal() const { return {id, name, role}; }
};

// What is told once, and never again.
struct NewToken {
  AccessToken token;
  std::string text;
};

class TokenStore {
 public:
  // Creates the file where there is none.
  static Result<std::unique_ptr<TokenStore>> open(const std::filesystem::path& file);

  // Errors: kInvalidArgument for a name that is blank or too long, or an end that has passed.
  Result<NewToken> create(std::string_view name, Role role, std::optional<TimePoint> expires,
                          TimePoint now);
  // Oldest first.
  Result<std::vector<AccessToken>> list();
  // Errors: kNotFound.
  Result<void> revoke(std::string_view id, TimePoint now);
  // Whose token this is; nothing for one that never was, was revoked or has expired.
  Result<std::optional<Principal>> find(std::string_view text, TimePoint now);

 private:
  explicit TokenStore(db::Connection connection) : connection_(std::move(connection)) {}

  Mutex mutex_;
  db::Connection connection_ GUARDED_BY(mutex_);
};

}  // namespace precedent
