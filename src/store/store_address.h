// StoreAddress: where a knowledge store is: a file of SQLite, or a PostgreSQL.
//
// PRECEDENT_STORE_URL names a PostgreSQL for the knowledge base and, unless PRECEDENT_DATABASE_URL
// names another, for conversations; PRECEDENT_STORE_URL_FILE names a file that holds the same, so
// that a password need not be in the environment. Without either it is precedent.db in the data
// directory. A password is never part of a message. Thread safety: plain values.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"

namespace precedent {

struct StoreAddress {
  std::filesystem::path file;
  std::string url = {};  // of a PostgreSQL, instead of `file`: what libpq takes

  bool is_file() const { return url.empty(); }
  // For people. Never a password.
  std::string place() const;
};

// What the environment names. `environment` gives nothing for a variable that is not set. Errors:
// kInvalidArgument naming the variable.
Result<std::optional<std::string>> read_store_url(
    const std::function<std::optional<std::string>(const char*)>& environment);
// Of this process; else the file of the data directory.
Result<StoreAddress> store_address(const std::filesystem::path& data_dir);

// Errors: kInvalidArgument unless `url` is a libpq connection string or URL.
Result<void> check_store_url(const std::string& url);

}  // namespace precedent
