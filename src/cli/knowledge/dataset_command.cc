// precedent dataset: versions of the incident data, from a file to the active one and back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/knowledge/dataset_desk.h"
#include "cli/knowledge/dataset_guess.h"
#include "cli/knowledge/golden_desk.h"
#include "cli/knowledge/version_report.h"
#include "cli/knowledge/writer.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "files/files.h"
#include "ingest/version_reading.h"
#include "server/knowledge/dataset_shape.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxMappingBytes = 1024 * 1024;

struct DatasetArgs : CommonOptions {
  std::vector<std::string> files;
  std::string mapping, name, note, by, why, file;
  uint64_t number = 0, to = 0;
  size_t keep = 5;
  bool all = false, force = false, markdown = false, int8 = false;
};

std::string by_of(const DatasetArgs& args) {
  if (!args.by.empty()) return args.by;
  const char* user = std::getenv("USER");
  return user == nullptr || *user == '\0' ? "operator" : user;
}

std::string one_line(const DatasetVersion& version) {
  return fmt::format("{:>3}  {:<10} {:>6} incidents  {}  by {}  {}", version.number,
                     name(version.state), version.counts.records, format_date(version.created_at),
                     version.created_by, version.name);
}

enum class Was : bool { kOtherwise, kSo };  // the state before a step

void print_state(const DatasetVersion& version, const DatasetArgs& args,
                 Was was = Was::kOtherwise) {
  if (args.json) {
    fmt::print("{}\n", dump_json(to_json(version)));
    return;
  }
  fmt::print("version {} is {}{}\n", version.number, name(version.state),
             was == Was::kSo ? " already" : "");
  fmt::print("{}", next_step(version));
}

// --------------------------------------------------------------------------------------- steps

// What a step of a version comes to; the writer holds the lock meanwhile.
template <typename Step>
int with_writer(const DatasetArgs& args, bool dense, Step step) {
  auto writer = KnowledgeWriter::open(
      {.data_dir = data_dir_of(args),
       .precision = args.int8 ? std::optional(Precision::kInt8) : std::nullopt,
       .dense = dense});
  if (!writer) return fail_with(writer.error());
  DatasetVersions versions(writer->store());
  const Result<void> done = step(*writer, versions);
  return done ? kExitOk : fail_with(done.error());
}

TimePoint now() { return SystemClock().now(); }

int create(const DatasetArgs& args) {
  return with_writer(args, false, [&](KnowledgeWriter&, DatasetVersions& versions) -> Result<void> {
    VersionDraft draft;
    draft.sources = TRY(version_sources(args.files));
    draft.created_by = by_of(args);
    draft.notes = args.note;
    draft.name = args.name.empty()
                     ? std::filesystem::path(draft.sources.front().path).filename().string()
                     : args.name;
    if (!args.mapping.empty()) {
      draft.mapping_path = args.mapping;
      draft.mapping = TRY(read_file(args.mapping, kMaxMappingBytes));
    }
    for (const std::string& harmless : TRY(check_draft(draft)))
      to_stderr("note: {}\n", printable(harmless));
    print_state(TRY(versions.create(draft, now())), args);
    return {};
  });
}

int validate(const DatasetArgs& args) {
  bool usable = true;
  const auto step = [&](KnowledgeWriter& writer, DatasetVersions&) -> Result<void> {
    const ValidatedVersion done =
        TRY(validate_version(writer, args.number, SystemClock(), interrupted()));
    usable = done.version.state == VersionState::kValidated;
    if (args.json)
      fmt::print("{}\n", dump_json(to_json(done)));
    else if (args.markdown)
      fmt::print("{}", done.markdown);
    else
      fmt::print("{}", VersionReportText(done.version, done.difference, done.limit).text());
    return {};
  };
  const int code = with_writer(args, false, step);
  return code == kExitOk && !usable ? kExitFailed : code;
}

Result<Was> was(const DatasetVersions& versions, uint64_t number, VersionState state) {
  return TRY(versions.find(number)).state == state ? Was::kSo : Was::kOtherwise;
}

int ingest_version(const DatasetArgs& args) {
  const auto step = [&](KnowledgeWriter& writer, DatasetVersions& versions) -> Result<void> {
    const Was before = TRY(was(versions, args.number, VersionState::kReady));
    print_state(TRY(embed_version(writer, args.number, SystemClock(), nullptr, interrupted())),
                args, before);
    if (!args.json && !writer.without_weights().empty())
      to_stderr("note: {}\n", writer.without_weights());
    return {};
  };
  return with_writer(args, true, step);
}

ActivationWish wish_of(const DatasetArgs& args) {
  return {by_of(args), args.force, args.why, args.keep};
}

// Said before anything happens to them.
Result<void> tell_replaced(const DatasetVersions& versions) {
  const std::vector<std::string> replaced = TRY(versions.replaced());
  if (!replaced.empty())
    to_stderr(
        "note: these incidents of the active version were replaced by an ingest or a removal "
        "since; "
        "those that the version to be activated has become its own again: {}\n",
        printable(join(replaced, ", ")));
  return {};
}

void print_active(const MadeActive& made, const DatasetArgs& args) {
  if (args.json) {
    fmt::print("{}\n", dump_json(to_json(made)));
    return;
  }
  if (made.before) {
    fmt::print("version {} was active already{}{}\n", made.version.number,
               made.difference.replaced.empty() ? ", so nothing changed"
                                                : "; its own incidents are in their place again",
               args.number == 0
                   ? "; to go further back, name a version: precedent dataset rollback N"
                   : "");
    return;
  }
  fmt::print("version {} is active ({:.2f} s); {}\n", made.version.number, made.seconds,
             summary_of(made.difference));
  if (!made.discarded.empty())
    to_stderr("note: no longer kept for a rollback (--keep {}), and discarded: {}\n", args.keep,
              fmt::join(made.discarded, ", "));
  if (!made.golden_to_review.empty())
    to_stderr(
        "note: these golden examples cite incidents that are different now; review them: {}\n",
        printable(join(made.golden_to_review, ", ")));
}

int activate(const DatasetArgs& args) {
  return with_writer(
      args, true, [&](KnowledgeWriter& writer, DatasetVersions& versions) -> Result<void> {
        TRY(tell_replaced(versions));
        print_active(
            TRY(activate_version(writer, args.number, wish_of(args), SystemClock(), interrupted())),
            args);
        return {};
      });
}

int rollback(const DatasetArgs& args) {
  return with_writer(args, true,
                     [&](KnowledgeWriter& writer, DatasetVersions& versions) -> Result<void> {
                       TRY(tell_replaced(versions));
                       print_active(TRY(roll_back_version(writer, args.number, wish_of(args),
                                                          SystemClock(), interrupted())),
                                    args);
                       return {};
                     });
}

int discard(const DatasetArgs& args) {
  const auto step = [&](KnowledgeWriter& writer, DatasetVersions& versions) -> Result<void> {
    const Was before = TRY(was(versions, args.number, VersionState::kDiscarded));
    print_state(TRY(discard_version(writer, args.number, SystemClock())), args, before);
    return {};
  };
  return with_writer(args, false, step);
}

// ------------------------------------------------------------------------------------- reading

int list(const DatasetArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const auto versions = DatasetVersions(*store).list();
  if (!versions) return fail_with(versions.error());
  json all = json::array();
  size_t hidden = 0;
  for (const DatasetVersion& version : *versions) {
    if (!args.all && version.state == VersionState::kDiscarded) {
      ++hidden;
    } else if (args.json) {
      all.push_back(to_json(version));
    } else {
      fmt::print("{}\n", printable(one_line(version)));
    }
  }
  if (args.json) {
    fmt::print("{}\n", dump_json(all));
  } else if (versions->empty()) {
    to_stderr("there are no versions yet; make one with `precedent dataset create FILE`\n");
  } else if (hidden > 0) {
    to_stderr("{} discarded; --all shows them too\n", hidden);
  }
  return kExitOk;
}

int show(const DatasetArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const auto version = DatasetVersions(*store).find(args.number);
  if (!version) return fail_with(version.error());
  if (args.json) {
    fmt::print("{}\n", dump_json(to_json(*version)));
    return kExitOk;
  }
  fmt::print("{}\n", printable(one_line(*version)));
  for (const VersionSource& source : version->sources)
    fmt::print("from {} ({} bytes)\n", printable(source.path), source.bytes);
  if (!version->mapping_path.empty()) fmt::print("by {}\n", printable(version->mapping_path));
  if (!version->notes.empty()) fmt::print("{}\n", printable(version->notes));
  for (const VersionActivation& activation : version->activations)
    fmt::print("{} {}\n", format_time(activation.at), printable(told(activation)));
  if (!version->report.empty()) fmt::print("{}\n", summary_of(*version));
  fmt::print("{}", next_step(*version));
  return kExitOk;
}

int diff(const DatasetArgs& args) {
  const auto store = open_store(args);
  if (!store) return fail_with(store.error());
  const DatasetVersions versions(*store);
  const auto found = args.to == 0 ? versions.against_active(args.number)
                                  : versions.difference(args.number, args.to);
  if (!found) return fail_with(found.error());
  if (args.json) {
    fmt::print("{}\n", dump_json(to_json(*found)));
    return kExitOk;
  }
  fmt::print("{}\n", summary_of(*found));
  const auto print_ids = [](std::string_view what, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) fmt::print("{} {}\n", what, printable(id));
  };
  print_ids("+", found->added);
  print_ids("~", found->changed);
  print_ids("-", found->vanished);
  if (!found->replaced.empty())
    fmt::print("replaced by an ingest or a removal since version {} became active:\n", found->from);
  print_ids("!", found->replaced);
  return kExitOk;
}

// What CLI11 would say of "abc" is of its own.
std::string problem_of_number(const std::string& text) {
  const bool number = !text.empty() && std::ranges::all_of(text, is_digit) && text.size() < 10 &&
                      text.find_first_not_of('0') != std::string::npos;
  return number ? ""
                : fmt::format("'{}' is no version number; `precedent dataset list` shows them",
                              printable(text));
}

void add_reading(CLI::App& command, const std::shared_ptr<DatasetArgs>& args, int& exit_code) {
  CLI::App* list_command = command.add_subcommand("list", "List the versions, oldest first");
  list_command->add_flag("--all", args->all, "Discarded ones too");
  list_command->callback([args, &exit_code] { exit_code = list(*args); });
  CLI::App* show_command = command.add_subcommand(
      "show", "Show one version: where it came from, and what was found in it");
  show_command->add_option("version", args->number, "Its number")
      ->required()
      ->check(problem_of_number);
  show_command->callback([args, &exit_code] { exit_code = show(*args); });
  CLI::App* diff_command = command.add_subcommand(
      "diff", "List the incidents that differ from the active version, or between two versions");
  diff_command
      ->add_option("version", args->number,
                   "The version to compare with the active one, or to start from")
      ->required()
      ->check(problem_of_number);
  diff_command->add_option("to", args->to, "With two, the version to compare it with")
      ->check(problem_of_number);
  diff_command->callback([args, &exit_code] { exit_code = diff(*args); });
  CLI::App* guess_command =
      command.add_subcommand("guess", "Print a first mapping for a file, from its columns");
  guess_command->add_option("file", args->file, "CSV or JSON")->required();
  guess_command->callback([args, &exit_code] { exit_code = print_first_mapping(args->file); });
  for (CLI::App* sub : {list_command, show_command, diff_command}) {
    sub->add_flag("--json", args->json, "Print JSON");
    add_data_dir(*sub, *args);
  }
}

void add_steps(CLI::App& command, const std::shared_ptr<DatasetArgs>& args, int& exit_code) {
  CLI::App* create_command = command.add_subcommand("create", "Make a version of these files");
  create_command->add_option("file", args->files, "Incidents: CSV, JSON, JSON lines")->required();
  create_command->add_option("--mapping", args->mapping, "How its columns become fields (YAML)");
  create_command->add_option("--name", args->name, "What it is called (default: the first file)");
  create_command->add_option("--notes", args->note, "A note on it");
  create_command->callback([args, &exit_code] { exit_code = create(*args); });
  CLI::App* validate_command = command.add_subcommand(
      "validate", "Read its files, keep their records, and report what is wrong with them");
  validate_command->add_flag("--markdown", args->markdown, "Print the report as Markdown");
  validate_command->callback([args, &exit_code] { exit_code = validate(*args); });
  CLI::App* ingest_command = command.add_subcommand(
      "ingest", "Embed what is new in it now, so that activating it is quick");
  ingest_command->add_flag("--int8", args->int8, "Embed in int8: several times faster");
  ingest_command->callback([args, &exit_code] { exit_code = ingest_version(*args); });
  CLI::App* activate_command =
      command.add_subcommand("activate", "Answer from this version from now on");
  activate_command->callback([args, &exit_code] { exit_code = activate(*args); });
  CLI::App* rollback_command =
      command.add_subcommand("rollback", "Go back to the version that was active before");
  rollback_command->add_option("version", args->number, "Another one that was active before")
      ->check(problem_of_number);
  rollback_command->callback([args, &exit_code] { exit_code = rollback(*args); });
  CLI::App* discard_command =
      command.add_subcommand("discard", "Delete the records of a version that is not active");
  discard_command->callback([args, &exit_code] { exit_code = discard(*args); });
  for (CLI::App* sub : {validate_command, ingest_command, activate_command, discard_command})
    sub->add_option("version", args->number, "Its number")->required()->check(problem_of_number);
  for (CLI::App* sub : {activate_command, rollback_command}) {
    sub->add_flag("--force", args->force, "Even if a limit in its mapping forbids it");
    sub->add_option("--why", args->why, "The reason, which is kept; --force needs one");
    sub->add_option("--keep", args->keep, "How many earlier versions to keep for a rollback");
  }
  for (CLI::App* sub : {create_command, activate_command, rollback_command})
    sub->add_option("--by", args->by, "Who makes this change (default: $USER)");
  for (CLI::App* sub : {create_command, validate_command, ingest_command, activate_command,
                        rollback_command, discard_command}) {
    sub->add_flag("--json", args->json, "Print JSON");
    add_data_dir(*sub, *args);
  }
}

}  // namespace

void add_dataset(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<DatasetArgs>();
  CLI::App* command = app.add_subcommand(
      "dataset", "Check, compare, activate or roll back versions of the incident data");
  command->require_subcommand(1);
  add_steps(*command, args, exit_code);
  add_reading(*command, args, exit_code);
}

}  // namespace precedent
