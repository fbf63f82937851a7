#include "access/token_store.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <array>
#include <chrono>
#include <span>

#include "base/strings.h"
#include "db/migrations.h"

namespace precedent {
namespace {

// "prac" in ASCII.
constexpr int32_t kApplicationId = 0x70726163;
constexpr std::array<std::string_view, 1> kMigrations = {R"sql(
CREATE TABLE tokens(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  hash BLOB NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  revoked INTEGER);
)sql"};

constexpr std::string_view kPrefix = "prc_";
constexpr size_t kIdBytes = 4, kSecretBytes = 32, kHashBytes = 32;
constexpr size_t kMaxName = 100;

int64_t seconds_of(TimePoint time) { return time.time_since_epoch().count(); }
TimePoint time_of(int64_t seconds) { return TimePoint(std::chrono::seconds(seconds)); }

Result<std::string> random_hex(size_t bytes) {
  std::array<unsigned char, kSecretBytes> random{};
  if (RAND_bytes(random.data(), static_cast<int>(bytes)) != 1)
    return fail(ErrorCode::kUnavailable, "the system has no random bytes to make a token of");
  std::string hex;
  for (size_t i = 0; i < bytes; ++i) hex += fmt::format("{:02x}", random[i]);
  return hex;
}

std::string sha256(std::string_view text) {
  std::string hash(kHashBytes, '\0');
  unsigned int length = 0;
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(hash.data()), &length,
             EVP_sha256(), nullptr);
  return hash;
}

db::Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

bool equal_in_constant_time(db::Bytes one, const std::string& other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

// The ID of "prc_ID_SECRET"; "" for another form.
std::string_view id_of(std::string_view text) {
  constexpr size_t kIdEnd = kPrefix.size() + 2 * kIdBytes;
  const bool formed = text.size() == kIdEnd + 1 + 2 * kSecretBytes && text.starts_with(kPrefix) &&
                      text[kIdEnd] == '_';
  return formed ? text.substr(kPrefix.size(), 2 * kIdBytes) : std::string_view();
}

constexpr std::string_view kColumns = "id, name, role, created, expires, revoked";

AccessToken read_token(const db::Statement& row) {
  const auto time = [&](int column) {
    return row.is_null(column) ? std::nullopt : std::optional(time_of(row.integer(column)));
  };
  return {.id = row.string(0),
          .name = row.string(1),
          // What this program does not know may do the least.
          .role = role_of(row.text(2)).value_or(Role::kReader),
          .created = time_of(row.integer(3)),
          .expires = time(4),
          .revoked = time(5)};
}

}  // namespace

Result<std::unique_ptr<TokenStore>> TokenStore::open(const std::filesystem::path& file) {
  db::Connection connection = TRY(db::Connection::open(file));
  TRY(db::migrate(connection, {kApplicationId, kMigrations}));
  return std::unique_ptr<TokenStore>(new TokenStore(std::move(connection)));
}

Result<NewToken> TokenStore::create(std::string_view name, Role role,
                                    std::optional<TimePoint> expires, TimePoint now) {
  name = trim(name);
  if (name.empty() || name.size() > kMaxName)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a token's name has 1 to {} bytes; say whose it is", kMaxName));
  if (expires && *expires <= now)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the token would have expired at {}", format_time(*expires)));
  NewToken made;
  made.token = {TRY(random_hex(kIdBytes)), std::string(name), role, now, expires};
  made.text = fmt::format("{}{}_{}", kPrefix, made.token.id, TRY(random_hex(kSecretBytes)));
  const std::string hash = sha256(made.text);
  const MutexLock lock(mutex_);
  TRY(connection_.run(
      "INSERT INTO tokens(id, name, role, hash, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
      made.token.id, name, precedent::name(role), bytes_of(hash), seconds_of(now),
      expires ? std::optional(seconds_of(*expires)) : std::nullopt));
  return made;
}

Result<std::vector<AccessToken>> TokenStore::list() {
  static const std::string sql = fmt::format("SELECT {} FROM tokens ORDER BY number", kColumns);
  const MutexLock lock(mutex_);
  db::Statement statement = TRY(connection_.prepare(sql));
  std::vector<AccessToken> tokens;
  while (TRY(statement.step())) tokens.push_back(read_token(statement));
  return tokens;
}

Result<void> TokenStore::revoke(std::string_view id, TimePoint now) {
  const MutexLock lock(mutex_);
  TRY(connection_.run("UPDATE tokens SET revoked = coalesce(revoked, ?) WHERE id = ?",
                      seconds_of(now), id));
  if (connection_.changes() == 0)
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no token '{}'; `precedent tokens list` shows their ids", id));
  return {};
}

Result<std::optional<Principal>> TokenStore::find(std::string_view text, TimePoint now) {
  const std::string_view id = id_of(text);
  if (id.empty()) return std::nullopt;
  const std::string hash = sha256(text);
  static const std::string sql = fmt::format("SELECT {}, hash FROM tokens WHERE id = ?", kColumns);
  const MutexLock lock(mutex_);
  db::Statement statement = TRY(connection_.prepare(sql));
  if (!TRY(statement.bind(id).step())) return std::nullopt;
  constexpr int kHashColumn = 6;
  if (!equal_in_constant_time(statement.bytes(kHashColumn), hash)) return std::nullopt;
  const AccessToken token = read_token(statement);
  return token.valid_at(now) ? std::optional(token.principal()) : std::nullopt;
}

}  // namespace precedent
