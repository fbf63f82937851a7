// precedent index: where the index is, whether it is right, and into another place with it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/command/progress_bar.h"
#include "cli/config/qdrant_place.h"
#include "cli/config/store_config.h"
#include "cli/index/index_desk.h"
#include "cli/knowledge/writer.h"
#include "cli/terminal/render.h"
#include "index/qdrant_index.h"
#include "ingest/publish/index_check.h"
#include "text/analyzer.h"

namespace precedent {
namespace {

using nlohmann::json;

struct IndexArgs : CommonOptions {
  std::string config, to, url;
  bool rebuild = false, list = false;
};

constexpr size_t kSampledQueries = 25;

// ---------------------------------------------------------------------------------------- status

json to_json(const IndexStatus& status) {
  return {{"place", status.place},
          {"collection", status.collection},
          {"alias", status.alias},
          {"documents", status.info.documents},
          {"chunks", status.info.chunks},
          {"model", status.info.model_id},
          {"bytes", status.info.bytes},
          {"index_change", status.check.index_version},
          {"store_change", status.check.store_version},
          {"sampled", status.check.sampled},
          {"differences", status.check.differences},
          {"retired", status.retired},
          {"elsewhere", status.elsewhere}};
}

void print_check(const IndexCheck& check) {
  if (check.lags())
    fmt::print("reflects change {} of {}; `precedent index repair` brings it up to date\n",
               check.index_version, check.store_version);
  for (const std::string& difference : check.differences)
    fmt::print("differs: {}\n", printable(difference));
  if (!check.differences.empty()) fmt::print("`precedent index repair` builds it anew\n");
  if (check.good())
    fmt::print("holds what the store says (counts of each kind, {} documents compared)\n",
               check.sampled);
}

int status(const IndexArgs& args) {
  const auto found = index_status(data_dir_of(args), args.config);
  if (!found) return fail_with(found.error());
  if (args.json) {
    fmt::print("{}\n", dump(to_json(*found), 2));
    return found->check.good() ? kExitOk : kExitFailed;
  }
  fmt::print("{}\n{} documents, {} chunks, vectors of {}\n", printable(found->place),
             found->info.documents, found->info.chunks,
             found->info.model_id.empty() ? "no model" : found->info.model_id);
  if (!found->alias.empty()) fmt::print("{}\n", printable(found->alias));
  print_check(found->check);
  for (const std::string& retired : found->retired)
    fmt::print("no longer searched; the next ingest deletes it: {}\n", retired);
  if (!found->elsewhere.empty()) fmt::print("{}\n", printable(found->elsewhere));
  return found->check.good() ? kExitOk : kExitFailed;
}

// --------------------------------------------------------------------------------------- migrate

Result<std::shared_ptr<QdrantApi>> target_server(const IndexArgs& args) {
  if (args.url.empty()) return qdrant_for_writing(data_dir_of(args), args.config);
  // Its keys come from the environment: those of the file are for the address there.
  auto config = TRY(read_qdrant_config([&](const char* name) {
    return std::string_view(name) == "PRECEDENT_QDRANT_URL" ? std::optional(args.url)
                                                            : qdrant_environment(name);
  }));
  return QdrantApi::open(std::move(*config));
}

// What the index in the new place says, against the store and against the one in the old place.
Result<IndexCheck> verify(const IndexArgs& args, KnowledgeWriter& writer, const IndexBuild& build,
                          const KnowledgeIndex& made, IndexCatalog& other_place) {
  IndexCheck check = TRY(check_index(writer.store(), build, made));
  const auto other = other_place.open(build.collection);
  const bool comparable = other && (*other)->info().version == check.store_version;
  if (!other && other.error().code != ErrorCode::kNotFound)
    to_stderr("note: not compared with the previous index: {}\n", printable(other.error().text()));
  const Analyzer analyzer;
  const SampledQueries queries = TRY(compare_queries(
      writer.store(), made, comparable ? other->get() : nullptr,
      [&](std::string_view text, Population) { return analyzer.terms(text); }, kSampledQueries));
  check.differences.insert(check.differences.end(), queries.differences.begin(),
                           queries.differences.end());
  if (check.good() && !args.json)
    fmt::print("verified: counts of each kind, {} documents, {} queries{}\n", check.sampled,
               queries.asked, comparable ? ", hits as before" : "");
  return check;
}

Result<void> migrate_index(const IndexArgs& args) {
  const std::filesystem::path data_dir = data_dir_of(args);
  const auto server = TRY(target_server(args));
  if (server == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                "no Qdrant is named; give --url, set PRECEDENT_QDRANT_URL, or write qdrant.url "
                "into precedent.yaml");
  }
  const bool to_server = args.to == "qdrant";
  KnowledgeWriter writer =
      TRY(KnowledgeWriter::open({.data_dir = data_dir, .dense = true, .config = args.config}));
  const auto on_server = open_index_catalog(data_dir, server);
  const auto in_folder = open_index_catalog(data_dir, nullptr);
  IndexCatalog& target = to_server ? *on_server : *in_folder;
  ProgressBar bar;
  const auto made = writer.fill_index(target, &bar, interrupted());
  bar.clear();
  if (!made && made.error().code == ErrorCode::kCancelled) {
    return fail(ErrorCode::kCancelled,
                "interrupted; copied documents are kept, run this again for the rest");
  }
  if (!made) return std::unexpected(made.error());
  const IndexBuild build = *TRY(writer.store().active_build());
  const IndexCheck check =
      TRY(verify(args, writer, build, **made, to_server ? *in_folder : *on_server));
  if (!check.good()) {
    return fail(ErrorCode::kConflict,
                fmt::format("the index in its new place differs: {}; nothing was switched; drop it "
                            "there and run this again",
                            join(check.differences, "; ")));
  }
  TRY(target.announce(build.collection));
  const auto used = TRY(configured_qdrant(data_dir, args.config));
  const std::string place = to_server ? fmt::format("Qdrant at {}", server->address())
                                      : index_folder(data_dir, build.collection).string();
  std::string next = "it is in use";
  if (to_server && (!used || used->url != server->config().url))
    next = fmt::format("to use it, set PRECEDENT_QDRANT_URL={}, or qdrant.url in precedent.yaml",
                       server->config().url);
  if (!to_server && used) next = fmt::format("to use it, unset {}", used->url_from);
  if (args.json) {
    fmt::print("{}\n", dump({{"place", place},
                             {"collection", build.collection},
                             {"documents", (*made)->info().documents},
                             {"chunks", (*made)->info().chunks},
                             {"next", next}}));
    return {};
  }
  fmt::print("{} documents, {} chunks in {}, collection {}; {}\n", (*made)->info().documents,
             (*made)->info().chunks, place, build.collection, next);
  return {};
}

int migrate(const IndexArgs& args) {
  const auto done = migrate_index(args);
  return done ? kExitOk : fail_with(done.error());
}

// ---------------------------------------------------------------------------------------- repair

int repair(const IndexArgs& args) {
  ProgressBar bar;
  const auto done = repair_index_of(data_dir_of(args), args.config, args.rebuild, &bar);
  bar.clear();
  if (!done) return fail_with(done.error());
  if (args.json) {
    fmt::print("{}\n", dump({{"repaired", *done}}));
  } else {
    fmt::print("{}\n", done->empty() ? "nothing to repair: the index holds what the store says"
                                     : printable(*done));
  }
  return kExitOk;
}

// -------------------------------------------------------------------------------------- snapshot

Result<void> snapshot_index(const IndexArgs& args) {
  const std::filesystem::path data_dir = data_dir_of(args);
  const auto server = TRY(qdrant_for_writing(data_dir, args.config));
  const IndexBuild build = TRY(build_in_use(data_dir, args.config));
  if (server == nullptr) {
    const StoreAddress store = TRY(configured_store(data_dir, args.config));
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the index is a folder, {}, and is built anew from the store at any "
                            "time; back up {}",
                            index_folder(data_dir, build.collection).string(), store.place()));
  }
  QdrantCollection collection(server, build.collection);
  std::vector<QdrantSnapshot> snapshots;
  if (args.list) {
    snapshots = TRY(collection.snapshots());
  } else {
    TRY(QdrantIndex::open(server, build.collection));  // never of somebody else's
    snapshots.push_back(TRY(collection.make_snapshot()));
  }
  json all = json::array();
  for (const QdrantSnapshot& each : snapshots) {
    const std::string address = collection.snapshot_address(each.name);
    all.push_back({{"name", each.name},
                   {"made_at", each.made_at},
                   {"bytes", each.bytes},
                   {"address", address}});
    if (!args.json)
      fmt::print("{}  {:.1f} MB  {}\n", printable(each.made_at),
                 static_cast<double>(each.bytes) / 1e6, printable(address));
  }
  if (args.json) {
    fmt::print("{}\n", dump(all, 2));
  } else if (snapshots.empty()) {
    fmt::print("there is none of {} yet; `precedent index snapshot` makes one\n", build.collection);
  } else {
    fmt::print("on the server's disk, in snapshots/{} of its storage\n", build.collection);
  }
  return {};
}

int snapshot(const IndexArgs& args) {
  const auto done = snapshot_index(args);
  return done ? kExitOk : fail_with(done.error());
}

}  // namespace

void add_index(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<IndexArgs>();
  CLI::App* index =
      app.add_subcommand("index", "Check or repair the index, or move it into Qdrant and back");
  index->require_subcommand(1);
  CLI::App* status_command =
      index->add_subcommand("status", "Show where the index is, and whether it matches the store");
  status_command->callback([args, &exit_code] { exit_code = status(*args); });
  CLI::App* migrate_command = index->add_subcommand(
      "migrate",
      "Build the index in the other place, from the store; may be interrupted and run again");
  migrate_command->add_option("--to", args->to, "Where to: qdrant, embedded (the data directory)")
      ->required()
      ->check(CLI::IsMember({"qdrant", "embedded"}));
  migrate_command
      ->add_option("--url", args->url,
                   "The address of Qdrant, instead of the configured one; its keys come from the "
                   "environment")
      ->type_name("URL");
  migrate_command->callback([args, &exit_code] { exit_code = migrate(*args); });
  CLI::App* repair_command =
      index->add_subcommand("repair", "Compare the index with the store, and repair what differs");
  repair_command->add_flag("--rebuild", args->rebuild, "Rebuild it in any case");
  repair_command->callback([args, &exit_code] { exit_code = repair(*args); });
  CLI::App* snapshot_command =
      index->add_subcommand("snapshot", "Let Qdrant make a backup of the index");
  snapshot_command->add_flag("--list", args->list, "Only list the backups");
  snapshot_command->callback([args, &exit_code] { exit_code = snapshot(*args); });
  for (CLI::App* command : {status_command, migrate_command, repair_command, snapshot_command}) {
    command->add_flag("--json", args->json, "Print JSON");
    add_config(*command, args->config);
    add_data_dir(*command, *args);
  }
}

}  // namespace precedent
