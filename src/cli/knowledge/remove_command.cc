// precedent remove: documents out of the knowledge base, whether or not their files are still
// there.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/knowledge/writer.h"
#include "cli/terminal/render.h"
#include "ingest/intake/removal.h"

namespace precedent {
namespace {

struct RemoveArgs : CommonOptions {
  Removal removal;
  std::string kind;
  bool dry_run = false;
};

void print_documents(const std::vector<DocumentState>& documents) {
  constexpr size_t kShown = 20;
  for (size_t i = 0; i < std::min(kShown, documents.size()); ++i) {
    const DocumentState& d = documents[i];
    fmt::print("{:<12} {}  {}\n", name(d.kind), printable(d.id), printable(d.path));
  }
  if (documents.size() > kShown)
    fmt::print("and {} more; --json lists all\n", documents.size() - kShown);
}

std::string by_kind(const std::vector<DocumentState>& documents) {
  std::map<std::string_view, size_t> counts;
  for (const DocumentState& d : documents) ++counts[name(d.kind)];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", count, kind));
  return join(parts, ", ");
}

nlohmann::json to_json(const std::vector<DocumentState>& documents) {
  auto list = nlohmann::json::array();
  for (const DocumentState& d : documents) {
    list.push_back({{"id", d.id}, {"kind", name(d.kind)}, {"path", d.path}, {"source", d.source}});
  }
  return list;
}

int remove_documents(RemoveArgs& args) {
  if (!args.kind.empty()) {
    args.removal.kind = parse_kind(args.kind);
    if (!args.removal.kind || args.removal.kind == Kind::kGolden)
      return fail_with(
          {ErrorCode::kInvalidArgument,
           fmt::format("--kind: '{}' is no kind of document that can be removed", args.kind)});
  }
  if (args.removal.says_nothing())
    return fail_with({ErrorCode::kInvalidArgument,
                      "say which documents: their ids, --path, --source or --kind"});
  auto writer = KnowledgeWriter::open({.data_dir = data_dir_of(args), .dry_run = args.dry_run});
  if (!writer) return fail_with(writer.error());
  const auto known = writer->store().states();
  if (!known) return fail_with(known.error());
  const auto documents = to_remove(args.removal, *known);
  if (!documents) return fail_with(documents.error());
  std::vector<std::string> ids;
  for (const DocumentState& document : *documents) ids.push_back(document.id);
  const auto report = writer->remove(ids, args.dry_run, interrupted());
  if (!report) return fail_with(report.error());
  if (args.json) {
    fmt::print("{}\n", dump({{"removed", report->removed},
                             {"dry_run", args.dry_run},
                             {"cancelled", report->cancelled},
                             {"removed_documents", to_json(*documents)},
                             {"documents", report->documents}}));
  } else {
    print_documents(*documents);
    fmt::print("{}{} removed ({}), {} left in {}\n",
               args.dry_run ? "dry run, nothing was changed: " : "", report->removed,
               by_kind(*documents), report->documents, data_dir_of(args).string());
  }
  return report->cancelled ? interrupt_code() : kExitOk;
}

}  // namespace

void add_remove(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<RemoveArgs>();
  CLI::App* command = app.add_subcommand(
      "remove", "Take documents out of the knowledge base; files are not touched");
  command->add_option("id", args->removal.ids, "Documents by their ids");
  command
      ->add_option("--path", args->removal.paths,
                   "What was read from this file, folder or pattern (runbooks/*.md)")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command
      ->add_option("--source", args->removal.sources,
                   "What was ingested from this file or folder, even if it is gone")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--kind", args->kind, "Documents of this kind: incident, runbook, ...");
  command->add_flag("--dry-run", args->dry_run, "List what would be removed, and remove nothing");
  command->add_flag("--json", args->json, "Print the result as JSON");
  add_data_dir(*command, *args);
  command->footer(
      "Several criteria must all hold. The next ingest of a file that still holds a document "
      "brings "
      "it back.");
  command->callback([args, &exit_code] { exit_code = remove_documents(*args); });
}

}  // namespace precedent
