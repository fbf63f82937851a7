// precedent ingest: files and folders into the knowledge base.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/command/progress_bar.h"
#include "cli/knowledge/writer.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "ingest/reading/repo_reader.h"

namespace precedent {
namespace {

struct IngestArgs : CommonOptions {
  std::vector<std::string> paths;
  std::string repo, name;
  bool work_tree = false;
  std::string kind;
  std::vector<std::string> map, services, tags;
  bool prune = false, dry_run = false, strict = false, int8 = false, follow_links = false;
};

// "--map title=Summary opened_at=Raised": what follows a mapping and is no file is another one.
void take_mappings(IngestArgs& args) {
  if (args.map.empty()) return;
  std::error_code ignored;
  const auto is_mapping = [&](const std::string& path) {
    return path.contains('=') && !std::filesystem::exists(path, ignored);
  };
  std::ranges::copy_if(args.paths, std::back_inserter(args.map), is_mapping);
  std::erase_if(args.paths, is_mapping);
}

// Of complaints of one kind; --json has all.
constexpr size_t kShown = 20;

void print_bad(const IngestReport& report) {
  size_t told = 0;
  for (size_t i = 0; i < std::min(kShown, report.bad.size()); ++i) {
    to_stderr("bad: {}\n", printable(report.bad[i].text()));
    told += 1 + report.bad[i].alike;
  }
  if (report.bad_count > told)
    to_stderr("bad: and {} more; --json lists up to {}\n", report.bad_count - told,
              kMaxReportedBad);
}

void print_not_pruned(const IngestReport& report) {
  size_t shown = 0;
  for (const auto& [path, count] : report.not_pruned) {
    if (++shown > kShown) {
      to_stderr("note: and documents of {} more files; --json lists them\n",
                report.not_pruned.size() - kShown);
      return;
    }
    to_stderr(
        "note: {} document{} of {} not pruned, as not all of it could be read; mend it and "
        "run this again\n",
        count, count == 1 ? "" : "s", printable(path));
  }
}

std::string first_of(const LeftOut& files) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> paths(
      files.paths.begin(),
      files.paths.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, files.paths.size())));
  if (files.count > paths.size())
    paths.push_back(fmt::format("and {} more", files.count - paths.size()));
  return printable(join(paths, ", "));
}

void print_report(const IngestReport& r, const IngestArgs& args, const std::string& without_weights,
                  const std::string& without_symbols) {
  print_bad(r);
  for (size_t i = 0; i < std::min(kShown, r.warnings.size()); ++i)
    to_stderr("note: {}\n", printable(r.warnings[i]));
  if (r.warnings.size() > kShown)
    to_stderr("note: and {} more; --json lists all\n", r.warnings.size() - kShown);
  for (const auto& [extension, files] : r.ignored) {
    to_stderr("note: {} file{} passed over ({}): {}\n", files.count, files.count == 1 ? "" : "s",
              extension.empty() ? "no extension" : printable(extension), first_of(files));
  }
  for (const auto& [reason, files] : r.left_out)
    to_stderr("note: {} left out ({}): {}\n", files.count, printable(reason), first_of(files));
  print_not_pruned(r);
  if (!r.repaired.empty()) fmt::print("repaired: {}\n", r.repaired);
  if (r.refused) {
    fmt::print("nothing was loaded: {} bad record{} and --strict\n", r.bad_count,
               r.bad_count == 1 ? "" : "s");
    return;
  }
  fmt::print(
      "{}{} added, {} changed, {} unchanged, {} removed, {} bad; {} chunks, {} embedded, {} from "
      "the cache, {:.1f} s\n",
      args.dry_run ? "dry run, nothing was changed: " : "", r.added, r.changed, r.unchanged,
      r.removed, r.bad_count, r.chunks, r.embedded, r.cached, r.seconds);
  std::vector<std::string> kinds;
  for (const auto& [kind, of_kind] : r.kinds)
    kinds.push_back(
        fmt::format("{} {} ({})", of_kind.count, name(kind),
                    printable(of_kind.count == 1 ? of_kind.example : of_kind.example + " …")));
  if (!kinds.empty())
    fmt::print("read as {}{}\n", join(kinds, ", "),
               args.kind.empty() ? "; --kind, or `type:` at the top of a file, changes it" : "");
  if (r.cancelled)
    fmt::print("interrupted: what was loaded is searchable; run it again for the rest\n");
  if (!args.repo.empty() && !without_symbols.empty()) to_stderr("note: {}\n", without_symbols);
  if (!without_weights.empty() && !args.dry_run) to_stderr("note: {}\n", without_weights);
  fmt::print("{} documents in {}\n", r.documents, data_dir_of(args).string());
}

nlohmann::json counts(const std::map<std::string, LeftOut>& files) {
  auto counts = nlohmann::json::object();
  for (const auto& [reason, some] : files) counts[reason] = some.count;
  return counts;
}

nlohmann::json paths(const std::map<std::string, LeftOut>& files) {
  auto paths = nlohmann::json::object();
  for (const auto& [reason, some] : files) paths[reason] = some.paths;
  return paths;
}

nlohmann::json of_kinds(const std::map<Kind, OfKind>& kinds) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [kind, of_kind] : kinds)
    out[std::string(name(kind))] = {{"count", of_kind.count}, {"example", of_kind.example}};
  return out;
}

nlohmann::json to_json(const IngestReport& r) {
  nlohmann::json bad = nlohmann::json::array();
  for (const BadRecord& b : r.bad)
    bad.push_back({{"path", b.path},
                   {"line", b.line},
                   {"record", b.record},
                   {"field", b.field},
                   {"message", b.message},
                   {"alike", b.alike}});
  return {{"added", r.added},
          {"changed", r.changed},
          {"unchanged", r.unchanged},
          {"removed", r.removed},
          {"kinds", of_kinds(r.kinds)},
          {"bad", bad},
          {"bad_count", r.bad_count},
          {"ignored", counts(r.ignored)},
          {"ignored_files", paths(r.ignored)},
          {"left_out", counts(r.left_out)},
          {"left_out_files", paths(r.left_out)},
          {"not_pruned", r.not_pruned},
          {"warnings", r.warnings},
          {"chunks", r.chunks},
          {"embedded", r.embedded},
          {"cached", r.cached},
          {"seconds", r.seconds},
          {"repaired", r.repaired},
          {"cancelled", r.cancelled},
          {"refused", r.refused},
          {"documents", r.documents}};
}

int ingest(const IngestArgs& args) {
  IngestOptions options;
  options.read.paths = args.paths;
  options.read.map = args.map;
  options.read.services = args.services;
  options.read.tags = args.tags;
  options.read.follow_links = args.follow_links;
  options.prune = args.prune;
  options.dry_run = args.dry_run;
  options.strict = args.strict;
  if (!args.kind.empty()) {
    options.read.kind = parse_kind(args.kind);
    if (!options.read.kind) {
      std::vector<std::string> names;
      for (const Kind kind : kAllKinds) names.emplace_back(name(kind));
      return fail_with({ErrorCode::kInvalidArgument, fmt::format("--kind: '{}' is not one of {}",
                                                                 args.kind, join(names, ", "))});
    }
  }
  auto writer =
      KnowledgeWriter::open({.data_dir = data_dir_of(args),
                             .precision = args.int8 ? Precision::kInt8 : Precision::kFloat32,
                             .dry_run = args.dry_run});
  if (!writer) return fail_with(writer.error());
  DocumentReader read = read_documents;
  if (!args.repo.empty()) {
    // What vanished from a repository is gone: its history still has it.
    options.prune = true;
    read = [&](const ReadOptions& read_options, DocumentSink& sink) {
      return read_repository(
          {args.repo, args.name, args.work_tree, std::string(writer->cuts_code_by())},
          read_options.cancel, sink);
    };
  }
  ProgressBar bar;
  const auto report = writer->ingest(options, read, &bar, interrupted());
  bar.clear();
  if (!report) return fail_with(report.error());
  // What an interrupted `precedent golden` left; nothing at all otherwise.
  if (!args.dry_run && !report->cancelled) {
    if (const auto golden = writer->publish_golden(nullptr, interrupted()); !golden)
      return fail_with(golden.error());
  }
  if (args.json) {
    fmt::print("{}\n",
               to_json(*report).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_report(*report, args, writer->without_weights(), writer->without_symbols());
  }
  if (report->cancelled) return interrupt_code();
  return report->refused ||
                 (report->bad_count > 0 && report->added + report->changed + report->unchanged == 0)
             ? kExitFailed
             : kExitOk;
}

}  // namespace

void add_ingest(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<IngestArgs>();
  CLI::App* command = app.add_subcommand(
      "ingest",
      "Read incidents (JSON, JSON lines, CSV) and documents (Markdown) into the knowledge base");
  CLI::Option* paths = command->add_option("path", args->paths, "Files and folders");
  CLI::Option* repo =
      command
          ->add_option("--repo", args->repo, "A git repository: its tracked files at HEAD, as code")
          ->type_name("PATH")
          ->excludes(paths);
  command->add_flag("--work-tree", args->work_tree, "The files of --repo as they are on disk")
      ->needs(repo);
  command
      ->add_option("--name", args->name, "What --repo is called (default: as its origin or folder)")
      ->needs(repo);
  command->add_option("--kind", args->kind,
                      "Take everything as this kind: incident, runbook, postmortem, ...");
  command
      ->add_option(
          "--map", args->map,
          "field=column: which column holds a field, for example opened_at=Raised; several "
          "may follow")
      ->type_name("FIELD=COLUMN")
      ->allow_extra_args(false);
  command->add_option("--service", args->services, "Add this service to every document")
      ->allow_extra_args(false);
  command->add_option("--tag", args->tags, "Add this tag to every document")
      ->allow_extra_args(false);
  command->add_flag("--prune", args->prune, "Remove documents that are gone from these sources");
  command->add_flag("--follow-links", args->follow_links,
                    "Also follow symbolic links that lead out of a folder");
  command->add_flag("--dry-run", args->dry_run, "Report what would happen, and change nothing");
  command->add_flag("--strict", args->strict, "Load nothing if any record is bad");
  command->add_flag("--int8", args->int8,
                    "Embed in int8: several times faster for bulk, nearly the same vectors");
  command->add_flag("--json", args->json, "Print the report as JSON");
  add_data_dir(*command, *args);
  command->callback([args, repo, &exit_code] {
    take_mappings(*args);
    if (args->paths.empty() && !*repo) throw CLI::RequiredError("path or --repo");
    exit_code = ingest(*args);
  });
}

}  // namespace precedent
