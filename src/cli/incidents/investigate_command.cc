// precedent investigate: from an incident to a verdict with its evidence; precedent snapshot: from
// the live systems to a folder that can be investigated again.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/strings.h"
#include "cli/command/command.h"
#include "cli/incidents/notes.h"
#include "cli/incidents/report_model.h"
#include "cli/incidents/systems_investigator.h"
#include "cli/terminal/render.h"
#include "cli/terminal/to_stderr.h"
#include "files/files.h"
#include "investigate/report/draft.h"
#include "investigate/report/report.h"
#include "investigate/report/report_html.h"
#include "investigate/report/report_schema.h"
#include "server/auth/digest.h"

namespace precedent {
namespace {

struct InvestigateOptions : CommonOptions {
  std::filesystem::path learn;
  LookInto wish{.incident = {}, .alert = {}, .files = true};
  std::string tools;
  std::string config, model;
  std::string resume;  // the id of a kept one
  bool html = false;
  bool schema = false;
  bool note = false;
  bool keep = false;
  bool stream = false;
};

// For somebody to review: nothing of it is known before it is ingested.
Result<void> write_drafts(const Investigation& made, const std::filesystem::path& folder,
                          TimePoint now) {
  TRY(make_directories(folder));
  for (const auto& [name, text] : {std::pair("postmortem.md", draft_postmortem(made, now)),
                                   std::pair("known-issue.md", draft_known_issue(made, now))}) {
    if (text.empty()) continue;
    const std::string_view parts[] = {text};
    TRY(write_file_atomically(folder / name, parts));
    to_stderr("precedent: wrote {}, a draft to be reviewed\n", (folder / name).string());
  }
  return {};
}

// Events as lines, but for the end: the report follows.
class Phases final : public EventSink {
 public:
  void emit(const Event& event) override {
    if (event.type != Event::Type::kComplete) lines_.emit(event);
  }

 private:
  JsonLines lines_;
};

// Says what it is kept as once there is something to keep: before that, an order may be refused.
class Named final : public EventSink {
 public:
  Named(EventSink& to, std::string id) : to_(to), id_(std::move(id)) {}
  void emit(const Event& event) override {
    if (!id_.empty()) to_stderr("precedent: investigation {}\n", std::exchange(id_, ""));
    to_.emit(event);
  }

 private:
  EventSink& to_;
  std::string id_;
};

// Reading live systems takes its time, and an answer may come tomorrow: such a run is kept. A
// frozen incident is investigated again as quickly.
// `id`: becomes the name under which it is kept; "": it is not.
Result<LookedInto> look(const InvestigateOptions& options, const Clock& clock,
                        const std::function<void(std::string_view)>& note, std::string& id) {
  const bool frozen =
      !options.wish.snapshot.empty() || std::filesystem::is_directory(options.wish.incident);
  const bool keep = options.keep || options.wish.ask || !options.resume.empty() || !frozen;
  Systems systems{data_dir_of(options), options.tools};
  systems.model = TRY(open_model_step(systems.data_dir, options.config, options.model));
  std::unique_ptr<Checkpointer> kept;
  if (keep) {
    auto opened = open_kept_cases(systems.data_dir);
    // Nobody asked for it: a disk that is full costs what is kept, not the report.
    const bool asked_for = options.keep || options.wish.ask || !options.resume.empty();
    if (!opened && asked_for) return std::unexpected(opened.error());
    if (opened)
      kept = std::move(*opened);
    else
      to_stderr("precedent: the phases are not kept: {}\n", printable(opened.error().text()));
  }
  systems.kept = kept.get();
  id = !options.resume.empty() ? options.resume : keep ? "i-" + random_hex(8) : "";
  Phases lines;
  StatusLine line(!options.stream && stderr_is_terminal());
  Named events(options.stream ? static_cast<EventSink&>(lines) : line,
               kept && options.resume.empty() ? id : "");
  const auto tell = [&](std::string_view text) { line.clear(), note(text); };
  auto done = options.resume.empty()
                  ? look_into(options.wish, id, systems, clock, events, tell, interrupted())
                  : go_on(options.wish, id, systems, clock, events, tell, interrupted());
  line.clear();
  const bool open = done ? done->asks : kept && kept->head(id).value_or(std::nullopt).has_value();
  if (open)
    to_stderr("Go on with: precedent investigate --resume {}{}\n", id,
              done ? " --answer yes|no" : "");
  return done;
}

int run(const InvestigateOptions& options) {
  if (options.schema) {
    fmt::print("{}", report_schema());
    return kExitOk;
  }
  const auto clock = clock_of(options.now);
  if (!clock) return fail_with(clock.error());
  // What is missing is said before anything is looked into.
  std::unique_ptr<Notes> notes;
  if (options.note) {
    auto opened = Notes::open(data_dir_of(options), false);
    if (!opened) return fail_with(opened.error());
    notes = std::move(*opened);
    if (const auto place = notes->check(options.wish.incident); !place)
      return fail_with(place.error());
  }
  const auto say = [](std::string_view line) { to_stderr("precedent: {}\n", line); };
  std::string id;
  const auto looked = look(options, **clock, say, id);
  if (!looked) return fail_with(looked.error());
  const Investigation* made = &looked->made;
  if (!options.learn.empty())
    if (const auto done = write_drafts(*made, options.learn, (*clock)->now()); !done)
      return fail_with(done.error());
  if (options.stream)
    fmt::print("{}\n", dump({{"event", "report"}, {"data", to_json(*made)}}));
  else if (options.json)
    fmt::print("{}\n", dump(to_json(*made), 2));
  else if (options.html)
    fmt::print("{}", to_html(*made));
  else
    fmt::print("{}\n", trim(printable(to_markdown(*made))));
  const int code = looked->asks ? kExitNeedsInput : kExitOk;
  if (notes == nullptr) return code;
  // The report is out, whatever becomes of the note.
  std::fflush(stdout);
  const std::string link =
      options.wish.bundle.empty() ? "" : std::filesystem::absolute(options.wish.bundle).string();
  const nlohmann::json report = to_json(*made);
  const auto told =
      notes->write({report, options.wish.incident, id, link, looked->asks}, say, interrupted());
  return told ? code : fail_with(told.error());
}

Result<void> take_snapshot(const InvestigateOptions& options) {
  const auto clock = TRY(clock_of(options.now));
  const LiveIncident live =
      TRY(LiveIncident::open({.data_dir = data_dir_of(options), .file = options.tools}));
  if (!live.has_sources())
    return fail(ErrorCode::kNotFound,
                "there is nothing to record: tools.yaml names no metrics, alerts, changes, logs "
                "or traces; see docs/investigate.md, or name a file with --tools-config");
  const Window window = window_of({}, TRY(by_hand(options.wish)), clock->now());
  const Recording done = TRY(
      live.record(window, {.service = options.wish.service}, options.wish.record, interrupted()));
  to_stderr("precedent: {}\n", told(done, window));
  for (const std::string& missing : done.missing)
    to_stderr("precedent: missing: {}\n", printable(missing));
  return {};
}

void add_times(CLI::App& command, InvestigateOptions& options) {
  command
      .add_option("--since", options.wish.since,
                  "Ignore everything before this (default: six hours before the alert)")
      ->type_name("TIME");
  command
      .add_option("--until", options.wish.until,
                  "Ignore everything after this (default: the end of the evidence, or now)")
      ->type_name("TIME");
}

}  // namespace

void add_investigate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InvestigateOptions>();
  CLI::App* command =
      app.add_subcommand("investigate", "Find what caused an incident, with the evidence");
  command
      ->add_option("incident", options->wish.incident,
                   "A frozen incident's folder, a JSON file of an alert, - for standard input, "
                   "PD-ID of PagerDuty, or the name of an active alert")
      ->type_name("INCIDENT");
  command
      ->add_option("--snapshot", options->wish.snapshot,
                   "Where the evidence is, instead of the live systems of tools.yaml")
      ->type_name("DIR");
  command
      ->add_option("--service", options->wish.service,
                   "The failing service, if the alert does not name it")
      ->type_name("NAME");
  add_times(*command, *options);
  command
      ->add_option("--description", options->wish.description,
                   "What is wrong, in a sentence; error messages help")
      ->type_name("TEXT");
  command
      ->add_option("--record", options->wish.record,
                   "Record what was read from the live systems into this new folder")
      ->type_name("DIR");
  command
      ->add_option("--bundle", options->wish.bundle,
                   "Write report and evidence into one signed file, for `precedent verify`")
      ->type_name("FILE");
  command
      ->add_option("--learn", options->learn,
                   "Write drafts of a post-mortem and a known issue into this folder, for review")
      ->type_name("DIR");
  command->add_flag("--ask", options->wish.ask,
                    "If inconclusive, stop and wait for the answer to the deciding question");
  command
      ->add_option("--answer", options->wish.answers,
                   "The answer to the deciding question, yes or no; again for the next one")
      ->type_name("yes|no")
      ->allow_extra_args(false);
  command->add_flag("--resumable", options->keep,
                    "Save each phase for --resume (always so with live systems and with "
                    "--ask)");
  command
      ->add_option("--resume", options->resume,
                   "Resume a stopped or waiting investigation from its last phase")
      ->type_name("ID");
  CLI::Option* json =
      command->add_flag("--json", options->json, "As JSON (docs/format/investigation.md)");
  command
      ->add_flag("--stream", options->stream,
                 "With --json: one event a line, each phase as it goes, then the report")
      ->needs(json);
  command->add_flag("--schema", options->schema,
                    "Print the JSON Schema of what --json prints, and investigate nothing");
  command->add_flag("--html", options->html, "As one HTML page that needs nothing else")
      ->excludes(json);
  command->add_flag(
      "--note", options->note,
      "Also write the result as a note on the incident of PagerDuty "
      "(PAGERDUTY_FROM), as a message to Slack (SLACK_WEBHOOK_URL) and as a card there "
      "with its thread (SLACK_BOT_TOKEN, SLACK_CHANNEL)");
  add_model(*command, options->config, options->model);
  add_tools_config(*command, options->tools);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

void add_snapshot(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InvestigateOptions>();
  CLI::App* command = app.add_subcommand(
      "snapshot",
      "Record the current metrics, alerts, changes, logs and traces into a folder "
      "(docs/investigate.md)");
  command->add_option("folder", options->wish.record, "A new folder")->required()->type_name("DIR");
  command
      ->add_option("--service", options->wish.service,
                   "Whose logs and traces come first (default: all services equally)")
      ->type_name("NAME");
  add_times(*command, *options);
  add_tools_config(*command, options->tools);
  add_now(*command, *options);
  add_data_dir(*command, *options);
  command->callback([options, &exit_code] {
    const auto done = take_snapshot(*options);
    exit_code = done ? kExitOk : fail_with(done.error());
  });
}

}  // namespace precedent
