#include "cli/config/thread_store.h"

#include <fmt/format.h>

#include "cli/config/store_config.h"
#include "db/database_place.h"
#include "db/postgres.h"
#include "db/sqlite.h"
#include "db/sqlite_sql.h"
#include "files/files.h"
#include "graph/thread_problems.h"
#include "graph/thread_schema.h"
#include "llm/model_config.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// Nothing: they are in a file.
Result<std::optional<std::string>> database_url(const fs::path& data_dir,
                                                const std::string& config = "") {
  if (auto url = system_environment("PRECEDENT_DATABASE_URL")) return url;
  StoreAddress store = TRY(configured_store(data_dir, config));
  if (store.is_file()) return std::nullopt;
  return std::move(store.url);
}

}  // namespace

fs::path threads_file(const fs::path& data_dir) { return data_dir / "threads.db"; }

std::unique_ptr<db::SqlDatabase> threads_beside(const StoreAddress& store, const fs::path& data_dir,
                                                bool read_only) {
  if (!store.is_file()) return std::make_unique<db::PostgresDatabase>(store.url);
  db::OpenOptions options;
  options.read_only = read_only;
  return std::make_unique<db::SqliteDatabase>(threads_file(data_dir), options);
}

std::string threads_place(const fs::path& data_dir) {
  const auto url = database_url(data_dir);
  return url && *url ? db::database_place(**url) : threads_file(data_dir).string();
}

Result<std::unique_ptr<SqlCheckpointer>> open_threads(const fs::path& data_dir,
                                                      const std::string& config) {
  if (const auto url = TRY(database_url(data_dir, config)))
    return SqlCheckpointer::open(std::make_unique<db::PostgresDatabase>(*url));
  const fs::path file = threads_file(data_dir);
  TRY(check_writable(file));
  return open_sqlite_checkpointer(file);
}

Result<std::optional<std::vector<std::string>>> find_thread_problems(const fs::path& data_dir,
                                                                     size_t limit) {
  if (const auto url = TRY(database_url(data_dir))) {
    const auto sql = TRY(db::PostgresDatabase(*url).connect());
    TRY(sql->migrate(thread_schema()));
    return TRY(thread_problems(*sql, limit));
  }
  const fs::path file = threads_file(data_dir);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  db::OpenOptions options;
  options.read_only = true;
  auto connection = TRY(db::Connection::open(file, options));
  auto problems = TRY(db::integrity_problems(connection, limit));
  if (!problems.empty()) return problems;
  const auto sql = TRY(db::SqliteDatabase(file, options).connect());
  return TRY(thread_problems(*sql, limit));
}

}  // namespace precedent
