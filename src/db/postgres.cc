#include "db/postgres.h"

#include <fmt/format.h>

#include <charconv>
#include <pqxx/pqxx>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"

namespace precedent::db {
namespace {

constexpr std::string_view kSchema = "precedent";
// An advisory lock of ours: "prec" in ASCII, then what it is for.
constexpr int64_t kAloneLock = 0x7072656300000001;
constexpr int64_t kMigrateLock = 0x7072656300000002;
// Of a session that is there for a lock: how long it waits (what a killed process held is free a
// moment later), and that it counts as gone a minute after its machine fell silent.
constexpr std::string_view kForLock =
    "SELECT set_config('lock_timeout', '1s', false), set_config('tcp_keepalives_idle', '30', "
    "false),"
    " set_config('tcp_keepalives_interval', '10', false),"
    " set_config('tcp_keepalives_count', '3', false)";

// --- Values: PostgreSQL's text format, in which bytes are hexadecimal.

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "\\x";
  text.reserve(2 + 2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

unsigned nibble(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

std::string unhex(std::string_view text) {
  std::string bytes;
  if (!text.starts_with("\\x")) return bytes;
  text.remove_prefix(2);
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<char>(nibble(text[i]) << 4 | nibble(text[i + 1])));
  return bytes;
}

struct Parameters {
  std::vector<std::string> texts;
  std::vector<const char*> pointers;  // null: NULL

  explicit Parameters(std::span<const SqlValue> values) {
    texts.reserve(values.size());
    for (const SqlValue& value : values) {
      if (const auto* number = std::get_if<int64_t>(&value))
        texts.push_back(std::to_string(*number));
      if (const auto* text = std::get_if<std::string_view>(&value)) texts.emplace_back(*text);
      if (const auto* blob = std::get_if<Blob>(&value)) texts.push_back(hex(blob->bytes));
      const bool null = std::holds_alternative<std::nullptr_t>(value);
      pointers.push_back(null ? nullptr : texts.back().c_str());
    }
  }
};

class Row final : public SqlRow {
 public:
  explicit Row(const pqxx::row& row) : row_(row) {}
  bool is_null(int column) const override { return at(column).is_null(); }
  int64_t integer(int column) const override {
    const std::string_view digits = text(column);
    int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  std::string_view text(int column) const override {
    const pqxx::field field = at(column);
    return {field.c_str(), field.size()};
  }
  std::string_view blob(int column) const override {
    blob_ = unhex(text(column));
    return blob_;
  }

 private:
  pqxx::field at(int column) const { return row_[static_cast<pqxx::row::size_type>(column)]; }
  const pqxx::row& row_;
  mutable std::string blob_;
};

// --- Errors

// SQLSTATE classes (PostgreSQL manual, appendix A).
ErrorCode code_of(std::string_view state) {
  if (state.starts_with("40") || state == "55P03" || state == "23505") return ErrorCode::kConflict;
  if (state.starts_with("53")) return ErrorCode::kResourceExhausted;
  if (state.starts_with("57") || state.starts_with("08")) return ErrorCode::kUnavailable;
  if (state.starts_with("28") || state == "42501") return ErrorCode::kPermission;
  if (state.starts_with("3D")) return ErrorCode::kNotFound;
  return ErrorCode::kInternal;
}

std::string_view remedy(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConflict: return "another process was faster; try again";
    case ErrorCode::kResourceExhausted:
      return "free space on its disk, or connections, and try again; nothing was lost";
    case ErrorCode::kUnavailable:
      return "check that it runs and can be reached, then try again; what was committed is kept";
    case ErrorCode::kPermission: return "check the role and its rights on the database";
    case ErrorCode::kNotFound: return "create the database, or correct its name";
    default: return "this is a bug of precedent";
  }
}

std::unexpected<Error> failure(ErrorCode code, std::string_view said) {
  // libpq says several lines; the first names the cause.
  const auto lines = split_lines(trim(said));
  return fail(code, fmt::format("PostgreSQL: {}; {}",
                                lines.empty() ? "no answer" : trim(lines.front()), remedy(code)));
}

// Runs `call`, with libpqxx's exceptions as errors.
template <typename Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const pqxx::broken_connection& e) {
    return failure(ErrorCode::kUnavailable, fmt::format("the connection was lost: {}", e.what()));
  } catch (const pqxx::sql_error& e) {
    return failure(code_of(e.sqlstate()), e.what());
  } catch (const std::exception& e) {
    return failure(ErrorCode::kInternal, e.what());
  }
}

// A server that does not answer is waited for so long, unless the connection string says otherwise:
// at a question's begin and end somebody waits.
constexpr std::pair<std::string_view, std::string_view> kPatience[] = {
    {"connect_timeout", "5"},        // seconds, until it speaks
    {"tcp_user_timeout", "20000"}};  // ms, for what was sent and is not acknowledged

// The connection string with those of kPatience that it does not set itself.
std::string with_patience(std::string url) {
  const bool uri = url.starts_with("postgresql://") || url.starts_with("postgres://");
  for (const auto& [name, value] : kPatience) {
    if (url.find(name) != std::string::npos) continue;
    const char separator = !uri ? ' ' : url.find('?') == std::string::npos ? '?' : '&';
    url += fmt::format("{}{}={}", separator, name, value);
  }
  return url;
}

class PostgresConnection final : public SqlConnection {
 public:
  using SqlConnection::run;
  PostgresConnection(const std::string& url, std::shared_ptr<Watchdog> watchdog)
      : watchdog_(std::move(watchdog)), connection_(with_patience(url)) {
    pqxx::nontransaction setup(connection_);
    setup.exec(
        fmt::format("SET search_path TO {}; SET client_min_messages TO warning; "
                    "SET lock_timeout TO '10s'",
                    kSchema));
  }

  Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values,
                      const OnRow& on_row) override {
    return watched([&]() -> Result<int64_t> {
      const Parameters parameters({values.begin(), values.size()});
      const std::string name = prepared(sql);
      const pqxx::result rows = within([&](pqxx::transaction_base& t) {
        return t.exec_prepared(name, pqxx::prepare::make_dynamic_params(parameters.pointers));
      });
      for (const pqxx::row row : rows) TRY(on_row(Row(row)));
      return rows.empty() ? static_cast<int64_t>(rows.affected_rows())
                          : static_cast<int64_t>(rows.size());
    });
  }

  Result<void> begin() override {
    return watched([&]() -> Result<void> {
      work_ = std::make_unique<pqxx::work>(connection_);
      return {};
    });
  }
  Result<void> commit() override {
    const Result<void> done = watched([&]() -> Result<void> {
      work_->commit();
      return {};
    });
    end();
    return done;
  }
  void roll_back() override {
    const Watchdog::Watch watch(*watchdog_, connection_.sock());
    end();
  }

  Result<void> be_alone() override {
    TRY(lock(kAloneLock));
    takes_long_ = true;
    return {};
  }

  Result<void> migrate(const SqlSchema& schema) override {
    auto transaction = TRY(SqlTransaction::begin(*this));
    TRY(lock(kMigrateLock));
    TRY(
        script(fmt::format("CREATE SCHEMA IF NOT EXISTS {}; CREATE TABLE IF NOT EXISTS "
                           "formats(name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
                           kSchema)));
    int64_t version = 0;
    TRY(run("SELECT version FROM formats WHERE name = $1", {schema.name},
            [&](const SqlRow& row) -> Result<void> {
              version = row.integer(0);
              return {};
            }));
    const auto known = static_cast<int64_t>(schema.migrations.size());
    if (version > known) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "PostgreSQL: the tables '{}' have format {}, written by a newer precedent; this "
              "one knows formats up to {}: upgrade it, or use another database",
              schema.name, version, known));
    }
    if (version == known) return transaction.commit();
    takes_long_ = true;
    for (; version < known; ++version)
      TRY(script(std::string(schema.migrations[static_cast<size_t>(version)].postgres)));
    TRY(
        run("INSERT INTO formats(name, version) VALUES ($1, $2) ON CONFLICT(name) DO UPDATE SET "
            "version = excluded.version",
            {schema.name, known}));
    return transaction.commit();
  }

 private:
  // Guarded, and given up if the server says nothing.
  template <typename Call>
  auto watched(Call call) -> decltype(call()) {
    if (takes_long_) return guarded(call);
    const Watchdog::Watch watch(*watchdog_, connection_.sock());
    auto result = guarded(call);
    if (!result && watch.is_over())
      return failure(ErrorCode::kUnavailable,
                     fmt::format("no answer within {} s",
                                 std::chrono::duration<double>(watchdog_->patience()).count()));
    return result;
  }

  void end() {
    work_.reset();
    takes_long_ = false;
  }

  // In the open transaction, or in one of its own.
  template <typename Call>
  pqxx::result within(Call call) {
    if (work_ != nullptr) return call(*work_);
    pqxx::nontransaction single(connection_);
    return call(single);
  }

  Result<void> lock(int64_t key) {
    TRY(run("SELECT pg_advisory_xact_lock($1)", {key}));
    return {};
  }

  Result<void> script(const std::string& sql) {
    return watched([&]() -> Result<void> {
      within([&](pqxx::transaction_base& t) { return t.exec(sql); });
      return {};
    });
  }

  // Statements are the program's own, so that their number is bounded by the program.
  std::string prepared(std::string_view sql) {
    const auto found = names_.find(std::string(sql));
    if (found != names_.end()) return found->second;
    std::string name = fmt::format("s{}", names_.size());
    connection_.prepare(name, std::string(sql));
    names_.emplace(sql, name);
    return name;
  }

  std::shared_ptr<Watchdog> watchdog_;
  pqxx::connection connection_;
  std::unique_ptr<pqxx::work> work_;
  bool takes_long_ = false;  // what the open transaction does
  std::unordered_map<std::string, std::string> names_;
};

// Given up by a statement: the end of a session is noticed later than the next turn may begin.
class AdvisoryLock final : public SqlLock {
 public:
  AdvisoryLock(std::unique_ptr<SqlConnection> session, int64_t key)
      : session_(std::move(session)), key_(key) {}
  ~AdvisoryLock() override {
    static_cast<void>(session_->run("SELECT pg_advisory_unlock($1)", {key_}));
  }

 private:
  const std::unique_ptr<SqlConnection> session_;
  const int64_t key_;
};

}  // namespace

Result<std::unique_ptr<SqlConnection>> PostgresDatabase::connect() {
  return guarded([&]() -> Result<std::unique_ptr<SqlConnection>> {
    try {
      return std::make_unique<PostgresConnection>(url_, watchdog_);
    } catch (const pqxx::broken_connection& e) {
      return failure(ErrorCode::kUnavailable, e.what());
    }
  });
}

Result<std::unique_ptr<SqlLock>> PostgresDatabase::try_lock(std::string_view name) {
  const auto key = static_cast<int64_t>(hash64(name));
  std::unique_ptr<SqlConnection> session = TRY(connect());
  TRY(session->run(kForLock));
  const auto locked = session->run("SELECT pg_advisory_lock($1)", {key});
  if (!locked && locked.error().code == ErrorCode::kConflict) return nullptr;
  if (!locked) return std::unexpected(locked.error());
  return std::make_unique<AdvisoryLock>(std::move(session), key);
}

}  // namespace precedent::db
