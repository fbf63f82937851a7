#include "db/sqlite.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <unordered_map>

#include "base/strings.h"

namespace precedent::db {
namespace {

constexpr std::string_view kMemory = ":memory:";

// Enough of a statement to recognise it in a message.
constexpr size_t kShownSql = 80;

std::string shown(std::string_view sql) {
  std::string text = squeeze(sql);
  if (text.size() > kShownSql) text = text.substr(0, kShownSql) + "…";
  return text;
}

// A write that the system refused for lack of room, in the forms that SQLite does not report as
// SQLITE_FULL.
bool is_out_of_space(int system_error) {
  return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

// Why no file can be created beside `path`, as errno; 0 if one can. Where SQLite may not create a
// file it tries to open it for reading instead, and reports that: "no such file".
int why_not_creatable(const std::filesystem::path& path) {
  const std::string probe = path.string() + ".probe";
  const int fd = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  ::close(fd);
  ::unlink(probe.c_str());
  return 0;
}

// The file is its owner's alone, whatever the umask; SQLite gives its log and its index the same
// rights. If it cannot be created, SQLite says why.
void create_private(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
}

struct Diagnosis {
  ErrorCode code;
  std::string_view remedy;
};

constexpr Diagnosis kFull = {ErrorCode::kResourceExhausted,
                             "free space on its disk and run it again, nothing was lost"};
constexpr Diagnosis kDamaged = {
    ErrorCode::kCorrupt, "restore it from a backup, or move it away and ingest the sources again"};

Diagnosis diagnose(int code, int system_error) {
  switch (code & 0xff) {
    case SQLITE_FULL: return kFull;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kConflict,
              "another process is writing to it; run it again when that has ended"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return kDamaged;
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
      return {ErrorCode::kPermission, "check the permissions of the file and its folder"};
    case SQLITE_CANTOPEN:
      if (is_out_of_space(system_error)) return kFull;
      return {system_error == EACCES || system_error == EPERM || system_error == EROFS
                  ? ErrorCode::kPermission
                  : ErrorCode::kUnavailable,
              "check that its folder exists and is accessible"};
    case SQLITE_IOERR:
      if (is_out_of_space(system_error)) return kFull;
      return {ErrorCode::kUnavailable, "check the disk (the system's log may say more)"};
    case SQLITE_NOMEM: return {ErrorCode::kResourceExhausted, "there is not enough memory"};
    case SQLITE_INTERRUPT: return {ErrorCode::kCancelled, "it was interrupted"};
    case SQLITE_TOOBIG:
      return {ErrorCode::kInvalidArgument, "a text or blob is larger than SQLite's limit"};
    default: return {ErrorCode::kInternal, "this is a bug of precedent"};
  }
}

}  // namespace

// Statements that nobody holds, by their text. A text may be prepared more than once if it is used
// while borrowed.
struct Connection::Cache {
  std::unordered_map<std::string_view, std::vector<sqlite3_stmt*>> free;
  std::unordered_map<std::string_view, std::unique_ptr<std::string>> texts;
};

// --- Statement

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)),
      sql_(other.sql_),
      bind_error_(other.bind_error_) {}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  connection_->give_back(sql_, statement_);
}

void Statement::rewind() {
  sqlite3_reset(statement_);
  bind_error_ = SQLITE_OK;
}

namespace {
void keep_first(int& error, int code) {
  if (error == SQLITE_OK) error = code;
}
}  // namespace

void Statement::bind_one(int index, std::nullptr_t) {
  keep_first(bind_error_, sqlite3_bind_null(statement_, index));
}

void Statement::bind_integer(int index, int64_t value) {
  keep_first(bind_error_, sqlite3_bind_int64(statement_, index, value));
}

void Statement::bind_one(int index, double value) {
  keep_first(bind_error_, sqlite3_bind_double(statement_, index, value));
}

void Statement::bind_one(int index, std::string_view value) {
  // A view of nothing has no address, which SQLite would store as NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  keep_first(bind_error_, sqlite3_bind_text64(statement_, index, data, value.size(), SQLITE_STATIC,
                                              SQLITE_UTF8));
}

void Statement::bind_one(int index, Bytes value) {
  if (value.empty()) return keep_first(bind_error_, sqlite3_bind_zeroblob(statement_, index, 0));
  keep_first(bind_error_,
             sqlite3_bind_blob64(statement_, index, value.data(), value.size(), SQLITE_STATIC));
}

Result<bool> Statement::step() {
  if (bind_error_ != SQLITE_OK) return std::unexpected(connection_->error(bind_error_, sql_));
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = connection_->error(code, sql_);
  sqlite3_reset(statement_);
  return std::unexpected(std::move(error));
}

Result<void> Statement::run() {
  while (TRY(step())) {
  }
  sqlite3_reset(statement_);
  return {};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return data == nullptr ? std::string_view()
                         : std::string_view(
                               data, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

Bytes Statement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  return {data,
          data == nullptr ? 0 : static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

// --- Connection

Connection::Connection(std::filesystem::path path, bool read_only)
    : path_(std::move(path)), read_only_(read_only), cache_(std::make_unique<Cache>()) {}

Connection::Connection(Connection&& other) noexcept
    : path_(std::move(other.path_)),
      read_only_(other.read_only_),
      handle_(std::exchange(other.handle_, nullptr)),
      cache_(std::move(other.cache_)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(read_only_, other.read_only_);
  std::swap(handle_, other.handle_);
  std::swap(cache_, other.cache_);
  return *this;
}

Connection::~Connection() {
  if (cache_ != nullptr) {
    for (const auto& [sql, statements] : cache_->free) {
      for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
    }
  }
  sqlite3_close_v2(handle_);
}

namespace {

// `immutable` tells SQLite that nobody can change the file, so that it needs no lock and no log
// beside it.
std::string uri_of(const std::filesystem::path& path, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    if (c == '?' || c == '#' || c == '%') {
      fmt::format_to(std::back_inserter(uri), "%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri.append("?").append(parameters);
}

}  // namespace

Result<Connection> Connection::open(const std::filesystem::path& path, const OpenOptions& options) {
  const bool memory = path == kMemory;
  std::error_code ignored, looked;
  if (options.read_only && !memory && !std::filesystem::exists(path, looked)) {
    if (looked) {
      return fail(
          looked == std::errc::permission_denied ? ErrorCode::kPermission : ErrorCode::kUnavailable,
          fmt::format("cannot open {}: {}; check who owns the folder and who may read it",
                      path.string(), looked.message()));
    }
    return fail(ErrorCode::kNotFound,
                fmt::format("{} does not exist; ingest something first", path.string()));
  }
  const auto attempt = [&](std::string_view parameters) -> Result<Connection> {
    Connection connection(path, options.read_only);
    const int flags =
        SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE |
        (options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    const std::string name = memory ? std::string(kMemory) : uri_of(path, parameters);
    const int code = sqlite3_open_v2(name.c_str(), &connection.handle_, flags, nullptr);
    if (code != SQLITE_OK) return std::unexpected(connection.error(code, ""));
    TRY(connection.configure(options));
    return connection;
  };
  if (!options.read_only && !memory) create_private(path);
  auto connection = attempt(options.read_only ? "mode=ro" : "mode=rwc");
  if (connection || !options.read_only || memory) return connection;
  // A file in WAL mode whose log is gone (a copy, an image mounted read-only) cannot be read
  // without creating the log. Where we may not create it and there is none to read, the file alone
  // is the whole truth.
  const ErrorCode code = connection.error().code;
  const bool refused = code == ErrorCode::kPermission || code == ErrorCode::kUnavailable;
  if (!refused || std::filesystem::exists(path.string() + "-wal", ignored)) return connection;
  return attempt("mode=ro&immutable=1");
}

Result<void> Connection::configure(const OpenOptions& options) {
  sqlite3_busy_timeout(handle_, static_cast<int>(options.busy_timeout.count()));
  TRY(script(
      fmt::format("PRAGMA foreign_keys = ON; PRAGMA cache_size = -{}; PRAGMA temp_store = MEMORY;",
                  options.cache_kb)));
  if (!options.read_only) TRY(configure_writer(options));
  // Reads the header: a file that is no database is refused here and not in the middle of the work.
  TRY(integer("PRAGMA schema_version"));
  return {};
}

// WAL: readers and the one writer do not wait for each other. synchronous = FULL unless told
// otherwise: a commit must be on the disk before the derived index is published, or a power cut
// could leave the index ahead of the truth, with change numbers that are then given out a second
// time. One fsync a transaction of hundreds of documents costs little.
Result<void> Connection::configure_writer(const OpenOptions& options) {
  const bool disk = options.durable == OpenOptions::Durable::kDisk;
  TRY(script("PRAGMA journal_mode = WAL;"));
  TRY(script(disk ? "PRAGMA synchronous = FULL;" : "PRAGMA synchronous = NORMAL;"));
  // The limit of the log's size, in bytes, also makes SQLite empty it when the last writer leaves.
  TRY(script(fmt::format("PRAGMA wal_autocheckpoint = {}; PRAGMA journal_size_limit = 67108864;",
                         options.log_pages)));
  // The log and its index stay beside the file (emptied) when the last writer leaves: readers that
  // may not create them can then still follow a writer that comes later.
  int persist = 1;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_PERSIST_WAL, &persist);
  return {};
}

Result<Statement> Connection::prepare(std::string_view sql) {
  if (const auto found = cache_->free.find(sql);
      found != cache_->free.end() && !found->second.empty()) {
    sqlite3_stmt* statement = found->second.back();
    found->second.pop_back();
    return Statement(this, statement, found->first);
  }
  auto text = cache_->texts.find(sql);
  if (text == cache_->texts.end()) {
    auto owned = std::make_unique<std::string>(sql);
    const std::string_view key = *owned;
    text = cache_->texts.emplace(key, std::move(owned)).first;
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code, sql));
  return Statement(this, statement, text->first);
}

void Connection::give_back(std::string_view sql, sqlite3_stmt* statement) {
  cache_->free[sql].push_back(statement);
}

Result<void> Connection::script(std::string_view sql) {
  const int code = sqlite3_exec(handle_, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(error(code, sql));
  return {};
}

int64_t Connection::changes() const { return sqlite3_changes64(handle_); }
bool Connection::in_transaction() const { return sqlite3_get_autocommit(handle_) == 0; }

Error Connection::error(int code, std::string_view sql) const {
  const int last_error = errno;
  int system_error = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  // Of a failed COMMIT SQLite keeps no errno; what the thread has is then from the same write.
  if ((code & 0xff) == SQLITE_IOERR && system_error == 0) system_error = last_error;
  const bool could_write = !read_only_ && path_ != kMemory;
  if ((code & 0xff) == SQLITE_CANTOPEN && could_write) {
    if (const int why = why_not_creatable(path_); why != 0) system_error = why;
  }
  const Diagnosis diagnosis = diagnose(code, system_error);
  std::string said = handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
  const int primary = code & 0xff;
  if (system_error != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN)) {
    said += fmt::format(" ({})", std::generic_category().message(system_error));
  }
  std::string message = fmt::format("{}: {}; {}", path_.string(), said, diagnosis.remedy);
  if (!sql.empty()) message += fmt::format(" [{}]", shown(sql));
  return {diagnosis.code, std::move(message)};
}

// --- Transaction

Result<Transaction> Transaction::begin(Connection& connection, Kind kind) {
  TRY(connection.run(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  return Transaction(&connection);
}

Transaction::~Transaction() {
  // SQLite itself rolls back on some errors (a full disk); then there is nothing left to do.
  if (connection_ != nullptr && connection_->in_transaction())
    static_cast<void>(connection_->run("ROLLBACK"));
}

Result<void> Transaction::commit() {
  TRY(connection_->run("COMMIT"));
  connection_ = nullptr;
  return {};
}

Result<std::vector<std::string>> integrity_problems(Connection& connection, size_t limit) {
  std::vector<std::string> problems;
  Statement check = TRY(connection.prepare(fmt::format("PRAGMA integrity_check({})", limit)));
  while (TRY(check.step())) {
    if (check.text(0) != "ok") problems.push_back(check.string(0));
  }
  return problems;
}

Result<void> check_pages(Connection& connection) {
  Statement check = TRY(connection.prepare("PRAGMA quick_check(1)"));
  while (TRY(check.step())) {
    if (check.text(0) == "ok") continue;
    return fail(kDamaged.code, fmt::format("{} is damaged ({}); {}", connection.path().string(),
                                           squeeze(check.text(0)), kDamaged.remedy));
  }
  return {};
}

}  // namespace precedent::db
