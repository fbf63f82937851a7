// The store of conversations that is configured: the PostgreSQL that PRECEDENT_DATABASE_URL names,
// else the one of the knowledge base (store_config.h), else threads.db in the data directory.
//
// Thread safety: pure but for the store itself.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/sql_checkpointer.h"
#include "store/store_address.h"

namespace precedent {

Result<std::unique_ptr<SqlCheckpointer>> open_threads(const std::filesystem::path& data_dir,
                                                      const std::string& config = "");

// Of a data directory, unless they are in a PostgreSQL.
std::filesystem::path threads_file(const std::filesystem::path& data_dir);

// The database of conversations that goes with this store; PRECEDENT_DATABASE_URL is not asked.
std::unique_ptr<db::SqlDatabase> threads_beside(const StoreAddress& store,
                                                const std::filesystem::path& data_dir,
                                                bool read_only);

// For people: the file, or server and database. Never a password.
std::string threads_place(const std::filesystem::path& data_dir);

// Every row read. Nothing: there is no store yet. Errors: of one that cannot be read at all.
Result<std::optional<std::vector<std::string>>> find_thread_problems(
    const std::filesystem::path& data_dir, size_t limit);

}  // namespace precedent
