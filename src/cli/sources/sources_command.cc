// precedent sources: documents that live elsewhere, taken over and kept current.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/sources/source_world.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"

namespace precedent {
namespace {

using nlohmann::json;

struct SourcesArgs : CommonOptions {
  std::string config;
  std::vector<std::string> names;
  bool full = false, yes = false, dry_run = false;
};

// Of complaints about one source; --json has all.
constexpr size_t kShown = 10;
// Somebody who ingests meanwhile may take so long.
constexpr std::chrono::seconds kPatience{60};

Result<std::vector<SourceConfig>> configured(const SourcesArgs& args) {
  const ConfiguredSources found = TRY(find_sources(args.config, data_dir_of(args)));
  if (found.path.empty())
    return fail(ErrorCode::kInvalidArgument,
                "no sources.yaml: write one in config/ or in the data directory, or name it with "
                "--config; docs/sources.md has an example");
  const std::vector<SourceConfig>& all = found.sources;
  if (args.names.empty()) return all;
  std::vector<SourceConfig> chosen;
  for (const std::string& name : args.names) {
    const auto source = std::ranges::find(all, name, &SourceConfig::name);
    if (source == all.end()) {
      std::vector<std::string> names;
      for (const SourceConfig& one : all) names.push_back(one.name);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("there is no source '{}'; {} has {}", name, found.path,
                              names.empty() ? "none" : join(names, ", ")));
    }
    chosen.push_back(*source);
  }
  return chosen;
}

std::string place_of(const SourceConfig& source) {
  if (source.type == SourceConfig::Type::kFolder) return source.path;
  if (source.type == SourceConfig::Type::kGithub) return source.repo;
  return source.url;
}

int list(const SourcesArgs& args) {
  const auto sources = configured(args);
  if (!sources) return fail_with(sources.error());
  json all = json::array();
  for (const SourceConfig& source : *sources) {
    if (args.json)
      all.push_back({{"name", source.name},
                     {"type", name(source.type)},
                     {"place", printable(place_of(source))},
                     {"scope", scope_of(source)}});
    else
      fmt::print("{:<20} {:<11} {}\n", source.name, name(source.type), printable(place_of(source)));
  }
  if (args.json) fmt::print("{}\n", dump(all));
  return kExitOk;
}

// --- status

// One line for people.
std::string condition(const SourceState& state) {
  if (!state.error.empty())
    return fmt::format(
        "{}: {}", state.synced_at ? "stale since " + format_time(*state.synced_at) : "never synced",
        printable(state.error));
  if (!state.synced_at) return "never synced";
  return fmt::format("current as of {}", format_time(*state.synced_at));
}

json to_json(const std::string& name, const SourceState& state, bool is_configured) {
  const auto time = [](const std::optional<TimePoint>& at) {
    return at ? json(format_time(*at)) : json();
  };
  json notes = json::array();
  for (const std::string& note : state.notes) notes.push_back(printable(note));
  return {{"name", name},
          {"scope", state.scope},
          {"configured", is_configured},
          {"documents", state.documents},
          {"synced_at", time(state.synced_at)},
          {"swept_at", time(state.swept_at)},
          {"failed_at", time(state.failed_at)},
          {"stale", !state.error.empty() || !state.synced_at},
          {"error", printable(state.error)},
          {"notes", std::move(notes)}};
}

int status(const SourcesArgs& args) {
  const auto sources = configured(args);
  if (!sources) return fail_with(sources.error());
  const auto states = read_source_states(data_dir_of(args));
  if (!states) return fail_with(states.error());
  json all = json::array();
  bool stale = false;
  const auto tell = [&](const std::string& name, const SourceState& state, bool is_configured) {
    if (args.json) {
      all.push_back(to_json(name, state, is_configured));
      return;
    }
    fmt::print("{:<20} {:>6} documents, {}\n", printable(name), state.documents, condition(state));
    for (size_t i = 0; i < std::min(kShown, state.notes.size()); ++i)
      fmt::print("  {}\n", printable(state.notes[i]));
    if (!is_configured)
      fmt::print(
          "  is no longer in sources.yaml; `precedent remove --source {}` takes its "
          "documents out\n",
          printable(state.scope));
  };
  for (const SourceConfig& source : *sources) {
    const auto found = states->find(source.name);
    const SourceState state = found == states->end() ? SourceState() : found->second;
    stale |= !state.error.empty();
    tell(source.name, state, true);
  }
  if (args.names.empty())
    for (const auto& [name, state] : *states)
      if (std::ranges::find(*sources, name, &SourceConfig::name) == sources->end())
        tell(name, state, false);
  if (args.json) fmt::print("{}\n", dump(all));
  return stale ? kExitFailed : kExitOk;
}

// --- sync

void print_report(const SourceConfig& source, const SyncReport& report, bool dry_run) {
  for (size_t i = 0; i < std::min(kShown, report.ingest.bad.size()); ++i)
    to_stderr("bad: {}\n", printable(report.ingest.bad[i].text()));
  if (report.ingest.bad_count > kShown)
    to_stderr("bad: and {} more; --json lists up to {}\n", report.ingest.bad_count - kShown,
              kMaxReportedBad);
  for (const auto* notes : {&report.notes, &report.ingest.warnings})
    for (size_t i = 0; i < std::min(kShown, notes->size()); ++i)
      to_stderr("note: {}\n", printable((*notes)[i]));
  fmt::print("{}: {}{} added, {} changed, {} unchanged, {} removed, {} bad; {} documents\n",
             source.name, dry_run ? "dry run, nothing was changed: " : "", report.ingest.added,
             report.ingest.changed, report.unchanged, report.removed, report.ingest.bad_count,
             report.documents);
}

json to_json(const SourceConfig& source, const SyncReport& report) {
  json bad = json::array();
  for (const BadRecord& record : report.ingest.bad) bad.push_back(printable(record.text()));
  json notes = json::array();
  for (const auto* some : {&report.notes, &report.ingest.warnings})
    for (const std::string& note : *some) notes.push_back(printable(note));
  return {{"name", source.name},
          {"added", report.ingest.added},
          {"changed", report.ingest.changed},
          {"unchanged", report.unchanged},
          {"removed", report.removed},
          {"removed_documents", report.removed_ids},
          {"bad", std::move(bad)},
          {"bad_count", report.ingest.bad_count},
          {"swept", report.everything},
          {"notes", std::move(notes)},
          {"documents", report.documents}};
}

int sync(const SourcesArgs& args) {
  const auto sources = configured(args);
  if (!sources) return fail_with(sources.error());
  SourceSurroundings surroundings(
      {.data_dir = data_dir_of(args), .dry_run = args.dry_run, .patience = kPatience},
      interrupted());
  SyncOptions options;
  options.sweep = args.full;
  options.yes = args.yes;
  options.dry_run = args.dry_run;
  json all = json::array();
  int exit_code = kExitOk;
  for (const SourceConfig& source : *sources) {
    const auto report = sync_and_remember(source, options, surroundings.world(), interrupted());
    if (!report && report.error().code == ErrorCode::kCancelled) return interrupt_code();
    if (!report) {
      // The others are synced all the same.
      exit_code = report.error().code == ErrorCode::kConflict ? kExitNeedsInput : kExitFailed;
      Error error = report.error();
      if (args.json)
        all.push_back({{"name", source.name}, {"error", printable(error.text())}});
      else
        fail_with(std::move(error).within(source.name));
    } else if (args.json) {
      all.push_back(to_json(source, *report));
    } else {
      print_report(source, *report, args.dry_run);
    }
  }
  if (args.json) fmt::print("{}\n", dump(all));
  if (!args.json && !surroundings.without_weights().empty() && !args.dry_run)
    to_stderr("note: {}\n", surroundings.without_weights());
  return exit_code;
}

}  // namespace

void add_sources(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<SourcesArgs>();
  CLI::App* command = app.add_subcommand(
      "sources", "Sync documents that live elsewhere: folders, git, Confluence, GitHub issues");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, int (*run)(const SourcesArgs&)) {
    CLI::App* sub = command->add_subcommand(name, what);
    sub->add_option("name", args->names, "Only the sources of these names (default: all)");
    sub->add_option("--config", args->config,
                    "sources.yaml (default: config/sources.yaml, then the data directory's)")
        ->type_name("FILE");
    sub->add_flag("--json", args->json, "As JSON");
    add_data_dir(*sub, *args);
    sub->callback([args, run, &exit_code] { exit_code = run(*args); });
    return sub;
  };
  add("list", "List the configured sources", list);
  add("status", "Show how far each source is synced, and since when it is stale", status);
  CLI::App* sync_command =
      add("sync", "Take over what is new, changed or deleted, once; cron may run it", sync);
  sync_command->add_flag("--full", args->full, "Read everything again, not only changes");
  sync_command->add_flag("--yes", args->yes,
                         "Allow a sync to remove more than 20 documents and 80 % of a source");
  sync_command->add_flag("--dry-run", args->dry_run,
                         "Report what would happen, and change nothing");
}

}  // namespace precedent
