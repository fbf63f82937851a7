// precedent investigate: from a frozen incident, or an alert as JSON, to a verdict with its
// evidence.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/sources/knowledge_base.h"
#include "base/strings.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/qdrant_place.h"
#include "cli/render.h"
#include "cli/to_stderr.h"
#include "investigate/incident_source.h"
#include "investigate/knowledge.h"
#include "investigate/report.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxAlertBytes = 16ull << 20;

struct InvestigateOptions : CommonOptions {
  std::string incident, snapshot, service, since, until, description;
};

Result<std::optional<Instant>> time_of(const std::string& text, std::string_view flag) {
  if (text.empty()) return std::nullopt;
  const auto time = parse_time(text);
  if (!time)
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", flag, time.error().text()));
  return Instant(*time);
}

// The alert, and the folder that its evidence is in.
struct Intake {
  IncidentBrief brief;
  fs::path folder;
};

Result<Intake> take_in(const InvestigateOptions& options) {
  Intake out;
  std::error_code ignored;
  out.folder = options.snapshot;
  const bool described = !options.description.empty() || !options.service.empty();
  if (fs::is_directory(options.incident, ignored)) {
    if (out.folder.empty()) out.folder = options.incident;
    auto brief = FolderIncident(options.incident).fetch("", interrupted());
    if (!brief && !described) return std::unexpected(brief.error());
    if (brief) out.brief = std::move(*brief);
    return out;
  }
  if (!options.incident.empty()) {
    const bool piped = options.incident == "-";
    if (!piped && !fs::exists(options.incident, ignored))
      return fail(ErrorCode::kNotFound,
                  fmt::format("there is no file or folder {}; name a frozen incident, a JSON file "
                              "of an alert, or - for standard input",
                              options.incident));
    const std::string text = TRY(read_input(options.incident, kMaxAlertBytes));
    out.brief = TRY(
        JsonIncident(text, piped ? "standard input" : options.incident).fetch("", interrupted()));
  } else if (!described) {
    return fail(ErrorCode::kInvalidArgument,
                "nothing to investigate; name a frozen incident or a JSON file of an alert, or say "
                "--service and --description");
  }
  return out;
}

void add_known(const InvestigateOptions& options, TimePoint now, Investigation& investigation) {
  const auto data_dir = data_dir_of(options);
  const auto server = qdrant_for_answers(data_dir);
  const auto base = server
                        ? KnowledgeBase::open(data_dir, *server)
                        : Result<std::unique_ptr<KnowledgeBase>>(std::unexpected(server.error()));
  if (!base) {
    investigation.evidence.missing.push_back("the knowledge base: " + base.error().text());
    return;
  }
  search_known((*base)->search(), now, investigation);
}

int run(const InvestigateOptions& options) {
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  GatherOptions gathering;
  gathering.now = (*clock)->now();
  gathering.brief.service = options.service;
  gathering.brief.description = options.description;
  for (auto [text, flag, into] : {std::tuple(&options.since, "--since", &gathering.brief.since),
                                  std::tuple(&options.until, "--until", &gathering.brief.until)}) {
    const auto time = time_of(*text, flag);
    if (!time) return fail_with(time.error());
    *into = *time;
  }
  auto intake = take_in(options);
  if (!intake) return fail_with(intake.error());
  auto investigation = investigate(std::move(intake->brief), intake->folder, gathering,
                                   SourceContext{interrupted()});
  if (!investigation) return fail_with(investigation.error());
  add_known(options, gathering.now, *investigation);
  if (options.json)
    fmt::print("{}\n", dump(to_json(*investigation), 2));
  else
    fmt::print("{}\n", trim(printable(to_markdown(*investigation))));
  return kExitOk;
}

}  // namespace

void add_investigate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InvestigateOptions>();
  CLI::App* command =
      app.add_subcommand("investigate", "Find what caused an incident, with the evidence");
  command
      ->add_option("incident", options->incident,
                   "A frozen incident's folder, a JSON file of an alert, or - for standard input")
      ->type_name("PATH");
  command
      ->add_option("--snapshot", options->snapshot,
                   "Where the evidence is, if the incident is not a folder")
      ->type_name("DIR");
  command
      ->add_option("--service", options->service,
                   "The service that fails, where the alert does not say it")
      ->type_name("NAME");
  command
      ->add_option("--since", options->since,
                   "Look at nothing before (default: six hours before the alert)")
      ->type_name("TIME");
  command
      ->add_option("--until", options->until,
                   "Look at nothing after (default: the end of the evidence)")
      ->type_name("TIME");
  command
      ->add_option("--description", options->description,
                   "What is wrong, in a sentence; error texts help")
      ->type_name("TEXT");
  command->add_flag("--json", options->json, "As JSON (docs/format/investigation.md)");
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace precedent
