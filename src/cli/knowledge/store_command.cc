// precedent store: where the knowledge base is kept, and its move to another place.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command/command.h"
#include "cli/config/store_config.h"
#include "cli/config/thread_store.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "db/database_place.h"
#include "files/files.h"
#include "graph/thread_schema.h"
#include "llm/model_config.h"
#include "store/index_build.h"
#include "store/store_migration.h"

namespace precedent {
namespace {

struct StoreArgs : CommonOptions {
  std::string to;
  bool without_conversations = false;
};

constexpr std::string_view kNotCarried =
    "the rest of the data directory is not copied: tokens, sources, synonyms, prompts, "
    "investigations, logs; and the index, which another machine's ingest builds anew";

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

// Where conversations are, if they do not go along: they have a PostgreSQL of their own, or were
// asked to stay.
std::optional<std::string> conversations_stay(const StoreArgs& args, const Move& move,
                                              const std::filesystem::path& data_dir) {
  if (system_environment("PRECEDENT_DATABASE_URL")) return threads_place(data_dir);
  if (!args.without_conversations) return std::nullopt;
  return move.from.is_file() ? threads_file(data_dir).string() : move.from.place();
}

std::string ended(const Move& move) {
  if (move.to.is_file())
    return "unset PRECEDENT_STORE_URL (and `store` in precedent.yaml) to use it";
  return "name it in PRECEDENT_STORE_URL (or `store` in precedent.yaml) to use it";
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
  const auto staying = conversations_stay(args, move, data_dir);
  const auto threads_from = threads_beside(move.from, data_dir, true);
  const auto threads_to = threads_beside(move.to, data_dir, false);
  std::vector<TableSet> along;
  if (!staying)
    along.push_back({"conversations", *threads_from, *threads_to, thread_schema(), thread_tables(),
                     "move those away, or leave the others behind with --without-conversations"});
  const auto tables = migrate_store(move.from, move.to, along, progress, interrupted());
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
    nlohmann::json told = {{"from", move.from.place()}, {"to", move.to.place()}};
    told["tables"] = std::move(list);
    if (staying) told["conversations_stay_in"] = *staying;
    fmt::print("{}\n", dump(told));
    return kExitOk;
  }
  for (const db::TableContent& table : *tables)
    fmt::print("{:<28} {:>10} rows  {:016x}\n", table.name, table.rows, table.hash);
  fmt::print("{} is now in {}, every row compared; {}\n", printable(move.from.place()),
             printable(move.to.place()), ended(move));
  if (staying) fmt::print("conversations stay in {}\n", printable(*staying));
  fmt::print("{}\n", kNotCarried);
  return kExitOk;
}

}  // namespace

void add_store(CLI::App& app, int& exit_code) {
  CLI::App* store = app.add_subcommand("store", "Where the knowledge base is kept");
  store->require_subcommand(1);
  auto args = std::make_shared<StoreArgs>();
  CLI::App* command = store->add_subcommand(
      "migrate",
      "Copy the knowledge base and its conversations into a PostgreSQL, or from there into files");
  command
      ->add_option("--to", args->to,
                   "sqlite, or a PostgreSQL: postgresql://user@host/database (its password from "
                   "PGPASSWORD or PGPASSFILE)")
      ->required()
      ->type_name("PLACE");
  command->add_flag("--without-conversations", args->without_conversations,
                    "Leave conversations where they are");
  command->add_flag("--json", args->json, "Print the result as JSON");
  add_data_dir(*command, *args);
  command->footer(
      "Carried: documents, chunks, vectors, dataset versions, golden examples, feedback; and "
      "conversations, unless PRECEDENT_DATABASE_URL gives them a place of their own. The origin "
      "stays as it is; nobody may write to it meanwhile. Every row is compared on both sides "
      "before "
      "the copy counts; interrupted, the same command goes on where it was.");
  command->callback([args, &exit_code] {
    const auto done = migrate(*args);
    exit_code = done ? *done : fail_with(done.error());
  });
}

}  // namespace precedent
