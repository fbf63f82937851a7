// Over 400 lines: one driver: statements, transactions, reconnecting and locks.
#include "db/postgres.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pqxx/pqxx>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/hex.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "db/database_place.h"

namespace precedent::db {
namespace {

constexpr std::string_view kSchema = "precedent";
// An advisory lock of ours: "prec" in ASCII, then what it is for.
constexpr int64_t kAloneLock = 0x7072656300000001;
constexpr int64_t kMigrateLock = 0x7072656300000002;
constexpr std::string_view kPatientLocks = "SET lock_timeout TO '10s'";
// Our statements are short look-ups: compiling one takes longer than any of them. Long texts are
// compressed by a method several times as fast as the usual one, where the server was built with
// it (14 and later).
constexpr std::string_view kForSpeed =
    "SELECT set_config(name, CASE name WHEN 'jit' THEN 'off' ELSE 'lz4' END, false) FROM "
    "pg_settings WHERE name = 'jit' OR (name = 'default_toast_compression' AND 'lz4' = "
    "ANY(enumvals))";
// Of a session that is there for a lock: how long it waits (what a killed process held is free a
// moment later), and that it counts as gone a minute after its machine fell silent.
constexpr std::string_view kForLock =
    "SELECT set_config('lock_timeout', '1s', false), set_config('tcp_keepalives_idle', '30', "
    "false),"
    " set_config('tcp_keepalives_interval', '10', false),"
    " set_config('tcp_keepalives_count', '3', false)";

// --- Values: PostgreSQL's text format, in which bytes are hexadecimal.

constexpr std::string_view kBytes = "\\x";

struct Parameters {
  std::vector<std::string> texts;
  std::vector<const char*> pointers;  // null: NULL

  explicit Parameters(std::span<const SqlValue> values) {
    texts.reserve(values.size());
    for (const SqlValue& value : values) {
      if (const auto* number = std::get_if<int64_t>(&value))
        texts.push_back(std::to_string(*number));
      if (const auto* text = std::get_if<std::string_view>(&value))
        texts.push_back(postgres_text(*text));
      if (const auto* blob = std::get_if<Blob>(&value))
        texts.push_back(std::string(kBytes) + to_hex(blob->bytes));
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
    const std::string_view digits = text(column);
    blob_ = digits.starts_with(kBytes) ? from_hex(digits.substr(kBytes.size())).value_or("") : "";
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
  // 25006: a reader that wants to write.
  if (state.starts_with("28") || state == "42501" || state == "25006")
    return ErrorCode::kPermission;
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
  PostgresConnection(const std::string& url, std::shared_ptr<Watchdog> watchdog)
      : watchdog_(std::move(watchdog)),
        connection_(with_patience(url)),
        place_(database_place(url)) {
    pqxx::nontransaction setup(connection_);
    setup.exec(
        fmt::format("SET search_path TO {}; SET client_min_messages TO warning; "
                    "SET standard_conforming_strings TO on; {}; {}",
                    kSchema, kPatientLocks, kForSpeed));
  }

  Engine engine() const override { return Engine::kPostgres; }
  const std::string& place() const override { return place_; }

  Result<int64_t> run_values(std::string_view sql, std::span<const SqlValue> values,
                             const OnRow& on_row) override {
    const pqxx::result rows = TRY(execute(sql, values));
    for (const pqxx::row row : rows) TRY(on_row(Row(row)));
    return rows.empty() ? static_cast<int64_t>(rows.affected_rows())
                        : static_cast<int64_t>(rows.size());
  }

  Result<void> stream_values(std::string_view sql, std::span<const SqlValue> values,
                             const OnRow& on_row) override {
    const std::string declare = fmt::format("DECLARE stream NO SCROLL CURSOR FOR {}", sql);
    TRY(execute(declare, values));
    const auto read = fetch_all(on_row);
    // Where the transaction has failed there is nothing to close.
    const auto closed = execute_once("CLOSE stream");
    if (read && !closed) return std::unexpected(closed.error());
    return read;
  }

  Result<void> script(std::string_view sql) override {
    TRY(execute_once(std::string(sql)));
    return {};
  }

  Result<void> begin() override {
    return watched([&]() -> Result<void> {
      work_ = std::make_unique<pqxx::work>(connection_);
      return {};
    });
  }
  // Not one of libpqxx's transactions: they begin with their first statement, and whoever begins
  // wants to know whether the server is there.
  Result<void> begin_reading() override {
    TRY(watched([&]() -> Result<void> {
      work_ = std::make_unique<pqxx::nontransaction>(connection_);
      return {};
    }));
    const auto begun = execute_once("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    if (!begun) {
      end();
      return std::unexpected(begun.error());
    }
    reads_ = true;
    return {};
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
    if (reads_) static_cast<void>(execute_once("ROLLBACK"));
    const Watchdog::Watch watch(*watchdog_, connection_.sock());
    end();
  }

  Result<void> be_alone() override {
    TRY(lock(kAloneLock));
    takes_long_ = true;
    return {};
  }
  Result<void> take_turns(std::string_view name) override {
    return lock(static_cast<int64_t>(hash64(name)));
  }
  Result<bool> hold(std::string_view name) override {
    TRY(execute_once("SET lock_timeout TO '1s'"));
    const auto locked = run("SELECT pg_advisory_lock($1)", {static_cast<int64_t>(hash64(name))});
    TRY(execute_once(std::string(kPatientLocks)));
    if (!locked && locked.error().code == ErrorCode::kConflict) return false;
    if (!locked) return std::unexpected(locked.error());
    return true;
  }

  Result<void> migrate(const SqlSchema& schema) override {
    auto transaction = TRY(SqlTransaction::begin(*this));
    TRY(lock(kMigrateLock));
    TRY(
        script(fmt::format("CREATE SCHEMA IF NOT EXISTS {}; CREATE TABLE IF NOT EXISTS "
                           "formats(name TEXT PRIMARY KEY, version BIGINT NOT NULL)",
                           kSchema)));
    int64_t version = TRY(format_of(schema));
    const auto known = static_cast<int64_t>(schema.migrations.size());
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

  Result<void> check_format(const SqlSchema& schema) override {
    const bool any =
        TRY(integer("SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = 'formats'",
                    {kSchema}))
            .has_value();
    const int64_t version = any ? TRY(format_of(schema)) : 0;
    if (version == 0)
      return fail(
          ErrorCode::kNotFound,
          fmt::format("{} has no tables '{}' yet; ingest something first", place_, schema.name));
    if (version < static_cast<int64_t>(schema.migrations.size()))
      return fail(ErrorCode::kConflict,
                  fmt::format("{}: the tables '{}' have format {}, this precedent reads format {}; "
                              "run `precedent ingest` once, it brings them up to date",
                              place_, schema.name, version, schema.migrations.size()));
    return {};
  }

  Result<void> check_pages() override { return {}; }
  Result<std::vector<std::string>> integrity_problems(size_t) override {
    return std::vector<std::string>();
  }

 private:
  // Of 30 values each: far below the 65,535 that a statement takes.
  size_t most_rows() const override { return 256; }

  // 0: there are none. Errors: kInvalidArgument if a newer precedent wrote them.
  Result<int64_t> format_of(const SqlSchema& schema) {
    const int64_t version =
        TRY(integer("SELECT version FROM formats WHERE name = $1", {schema.name})).value_or(0);
    const auto known = static_cast<int64_t>(schema.migrations.size());
    if (version <= known) return version;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the tables '{}' have format {}, written by a newer precedent; "
                            "this one knows formats up to {}: upgrade it, or use another database",
                            place_, schema.name, version, known));
  }

  Result<pqxx::result> execute(std::string_view sql, std::span<const SqlValue> values) {
    return watched([&]() -> Result<pqxx::result> {
      const Parameters parameters(values);
      const std::string name = prepared(sql);
      return within([&](pqxx::transaction_base& t) {
        return t.exec_prepared(name, pqxx::prepare::make_dynamic_params(parameters.pointers));
      });
    });
  }
  // As many rows at once as make up kBatchBytes, going by the last ones.
  Result<void> fetch_all(const OnRow& on_row) {
    constexpr size_t kFirstBatch = 16, kMaxBatch = 4096, kBatchBytes = 1 << 20;
    for (size_t batch = kFirstBatch;;) {
      const pqxx::result rows = TRY(execute_once(fmt::format("FETCH {} FROM stream", batch)));
      size_t bytes = 1;
      for (const pqxx::row row : rows) {
        for (const pqxx::field field : row) bytes += field.size();
        TRY(on_row(Row(row)));
      }
      if (rows.size() < batch) return {};
      batch = std::clamp<size_t>(batch * kBatchBytes / bytes, 1, std::min(kMaxBatch, batch * 4));
    }
  }
  // Without values, and not kept as a prepared statement.
  Result<pqxx::result> execute_once(const std::string& sql) {
    return watched([&]() -> Result<pqxx::result> {
      return within([&](pqxx::transaction_base& t) { return t.exec(sql); });
    });
  }

  // Guarded, and given up if the server says nothing.
  template <typename Call>
  auto watched(Call call) -> decltype(call()) {
    // libpqxx would make a new session, which knows nothing of what this one was told: its schema,
    // its views, its locks.
    if (!connection_.is_open()) return failure(ErrorCode::kUnavailable, "the connection was lost");
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
    takes_long_ = reads_ = false;
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
  const std::string place_;
  std::unique_ptr<pqxx::transaction_base> work_;
  bool takes_long_ = false;  // what the open transaction does
  bool reads_ = false;       // the open transaction is one of begin_reading()
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

// Nearly every text is that already.
std::string postgres_text(std::string_view text) {
  if (text.find('\0') == std::string_view::npos && !invalid_utf8_at(text)) return std::string(text);
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
  std::string clean;
  for (const char c : repair_utf8(text)) {
    if (c == '\0') {
      clean += kReplacement;
    } else {
      clean += c;
    }
  }
  return clean;
}

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
