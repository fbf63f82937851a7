// precedent store: where the knowledge base is kept, and its move to another place.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/render.h"
#include "cli/store_config.h"
#include "cli/to_stderr.h"
#include "db/database_place.h"
#include "files/files.h"
#include "store/index_build.h"
#include "store/store_migration.h"

namespace precedent {
namespace {

struct StoreArgs : CommonOptions {
  std::string to;
};

struct Move {
  StoreAddress from, to;
};

// From the store that is configured; where that is the target already, from the file.
Result<Move> move_of(const StoreArgs& args, const std::filesystem::path& data_dir) {
  const StoreAddress configured = TRY(configured_store(data_dir));
  const StoreAddress file{store_file(data_dir)};
  if (args.to == "sqlite") {
    if (!configured.is_file()) return Move{configured, file};
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the knowledge base is in {} already; name the PostgreSQL that it comes "
                    "from in PRECEDENT_STORE_URL",
                    file.place()));
  }
  if (auto checked = check_store_url(args.to); !checked)
    return std::unexpected(std::move(checked).error().within("--to"));
  if (db::has_password(args.to) && args.to != configured.url)
    return fail(
        ErrorCode::kInvalidArgument,
        "--to: everybody on this machine can read a password that stands on a command line; "
        "leave it out and set PGPASSWORD or PGPASSFILE");
  const StoreAddress target{file.file, args.to};
  return Move{configured.url == args.to ? file : configured, target};
}

std::string ended(const Move& move) {
  if (move.to.is_file())
    return "unset PRECEDENT_STORE_URL (and `store` in precedent.yaml) to use it";
  return "name it in PRECEDENT_STORE_URL (or `store` in precedent.yaml) to use it; conversations "
         "stay where they are";
}

Result<int> migrate(const StoreArgs& args) {
  const std::filesystem::path data_dir = data_dir_of(args);
  const Move move = TRY(move_of(args, data_dir));
  TRY(make_directories(data_dir));
  const FileLock lock = TRY(FileLock::acquire(ingest_lock_file(data_dir)));
  const bool tells = !args.json && stderr_is_terminal();
  const auto progress = [&](const db::CopiedTable& table, uint64_t rows) {
    if (tells) to_stderr("\r{:<28} {:>10}", table.name, rows);
  };
  const auto tables = migrate_store(move.from, move.to, progress, interrupted());
  if (tells) to_stderr("\r{:<40}\r", "");
  if (!tables && tables.error().code == ErrorCode::kCancelled) {
    to_stderr("precedent: interrupted; the same command goes on where it was\n");
    return interrupt_code();
  }
  if (!tables) return std::unexpected(tables.error());
  if (args.json) {
    auto list = nlohmann::json::array();
    for (const db::TableContent& table : *tables)
      list.push_back({{"table", table.name},
                      {"rows", table.rows},
                      {"hash", fmt::format("{:016x}", table.hash)}});
    fmt::print(
        "{}\n",
        dump({{"from", move.from.place()}, {"to", move.to.place()}, {"tables", std::move(list)}}));
    return kExitOk;
  }
  for (const db::TableContent& table : *tables)
    fmt::print("{:<28} {:>10} rows  {:016x}\n", table.name, table.rows, table.hash);
  fmt::print("{} is now in {}, every row compared; {}\n", printable(move.from.place()),
             printable(move.to.place()), ended(move));
  return kExitOk;
}

}  // namespace

void add_store(CLI::App& app, int& exit_code) {
  CLI::App* store = app.add_subcommand("store", "Where the knowledge base is kept");
  store->require_subcommand(1);
  auto args = std::make_shared<StoreArgs>();
  CLI::App* command = store->add_subcommand(
      "migrate", "Copy the knowledge base into a PostgreSQL, or from there into a file");
  command
      ->add_option("--to", args->to,
                   "sqlite, or a PostgreSQL: postgresql://user@host/database (its password from "
                   "PGPASSWORD or PGPASSFILE)")
      ->required()
      ->type_name("PLACE");
  command->add_flag("--json", args->json, "Print the result as JSON");
  add_data_dir(*command, *args);
  command->footer(
      "The origin stays as it is. Every row is compared on both sides before the copy counts; "
      "interrupted, the same command goes on where it was.");
  command->callback([args, &exit_code] {
    const auto done = migrate(*args);
    exit_code = done ? *done : fail_with(done.error());
  });
}

}  // namespace precedent
