#include "cli/thread_store.h"

#include <fmt/format.h>

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

std::optional<std::string> database_url() { return system_environment("PRECEDENT_DATABASE_URL"); }

fs::path file_of(const fs::path& data_dir) { return data_dir / "threads.db"; }

// The next word of "key='a b' key2=c", quotes and backslashes read as libpq does.
std::string next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  std::string word;
  bool quoted = false;
  while (!text.empty() && (quoted || std::string_view(" \t\n").find(text[0]) == text.npos)) {
    if (text[0] == '\'') {
      quoted = !quoted;
    } else {
      if (text[0] == '\\' && text.size() > 1) text.remove_prefix(1);
      word += text[0];
    }
    text.remove_prefix(1);
  }
  return word;
}

}  // namespace

std::string database_place(std::string_view url) {
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (!url.starts_with(scheme)) continue;
    const std::string_view rest = url.substr(scheme.size());
    std::string_view place = rest.substr(0, rest.find('?'));
    const size_t user = place.rfind('@');
    // A password with a '?' in it: rather no place than a part of that.
    if (user == std::string_view::npos && rest.find('@') != std::string_view::npos)
      return "PostgreSQL";
    if (user != std::string_view::npos) place.remove_prefix(user + 1);
    return fmt::format("PostgreSQL at {}", place);
  }
  std::string place;
  while (!url.empty()) {
    const std::string word = next_word(url);
    for (const std::string_view key : {"host=", "hostaddr=", "port=", "dbname=", "service="})
      if (word.starts_with(key)) place += " " + word;
  }
  return "PostgreSQL at" + (place.empty() ? " its default place" : place);
}

std::string threads_place(const fs::path& data_dir) {
  const auto url = database_url();
  return url ? database_place(*url) : file_of(data_dir).string();
}

Result<std::unique_ptr<SqlCheckpointer>> open_threads(const fs::path& data_dir) {
  if (const auto url = database_url())
    return SqlCheckpointer::open(std::make_unique<db::PostgresDatabase>(*url));
  const fs::path file = file_of(data_dir);
  TRY(check_writable(file));
  return open_sqlite_checkpointer(file);
}

Result<std::optional<std::vector<std::string>>> find_thread_problems(const fs::path& data_dir,
                                                                     size_t limit) {
  if (const auto url = database_url()) {
    const auto sql = TRY(db::PostgresDatabase(*url).connect());
    TRY(sql->migrate(thread_schema()));
    return TRY(thread_problems(*sql, limit));
  }
  const fs::path file = file_of(data_dir);
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
