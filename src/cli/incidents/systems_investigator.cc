#include "cli/incidents/systems_investigator.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/redact.h"
#include "cli/command/input.h"
#include "cli/command/version.h"
#include "cli/config/store_config.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "graph/sql_checkpointer.h"
#include "investigate/bundle.h"
#include "investigate/case_graph.h"
#include "investigate/intake/incident_source.h"
#include "investigate/intake/pagerduty.h"
#include "investigate/knowledge/knowledge.h"
#include "investigate/report/report.h"
#include "llm/model_config.h"
#include "net/curl_http_client.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxAlertBytes = 16ull << 20;

Result<std::optional<Instant>> time_of(const std::string& text, std::string_view flag) {
  if (text.empty()) return std::nullopt;
  const auto time = parse_time(text);
  if (!time)
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", flag, time.error().text()));
  return Instant(*time);
}

// The token and, for another region, the address come from the environment.
Result<IncidentBrief> from_pagerduty(const std::string& id, const Clock& clock,
                                     const CancelToken& cancel) {
  PagerDutyOptions options;
  options.token = system_environment("PAGERDUTY_TOKEN").value_or("");
  options.url = system_environment("PAGERDUTY_URL").value_or(options.url);
  CurlHttpClient client;
  const auto source = TRY(PagerDutyIncidents::open(std::move(options), client, clock));
  return source.fetch(id, cancel);
}

// What has no path and no prefix is the name of an alert.
Result<IncidentBrief> from_alerts(const LookInto& wish, const LiveIncident& live,
                                  const Clock& clock, const CancelToken& cancel) {
  if (live.alerts() != nullptr)
    return AlertIncidents(*live.alerts(), clock).fetch(wish.incident, cancel);
  return fail(
      ErrorCode::kNotFound,
      fmt::format("{} {}, and no source of alerts is configured (tools.yaml); name {}an "
                  "incident of PagerDuty (PD-…)",
                  wish.files ? "there is no file or folder" : "no alert is known as", wish.incident,
                  wish.files ? "a frozen incident, a JSON file of an alert, - for standard "
                               "input, or "
                             : ""));
}

Result<IncidentBrief> from_file(const std::string& path, const std::optional<Instant>& fired,
                                const CancelToken& cancel) {
  const std::string text = TRY(read_input(path, kMaxAlertBytes));
  return JsonIncident(text, path == "-" ? "standard input" : path, fired).fetch("", cancel);
}

// What is known before anything was looked at, and the folder that its evidence is in; "": none
// was named.
struct Intake {
  IncidentBrief brief;
  fs::path folder;
};

Result<Intake> take_in(const LookInto& wish, const LiveIncident& live, const Clock& clock,
                       const CancelToken& cancel) {
  Intake out;
  std::error_code ignored;
  out.folder = wish.snapshot;
  const std::string& incident = wish.incident;
  const auto until = TRY(time_of(wish.until, "until"));
  const bool described = !wish.description.empty() || !wish.service.empty();
  if (wish.files && fs::is_directory(incident, ignored)) {
    if (out.folder.empty()) out.folder = incident;
    auto brief = FolderIncident(incident, until).fetch("", cancel);
    if (!brief && !described) return std::unexpected(brief.error());
    if (brief) out.brief = std::move(*brief);
  } else if (wish.files && (incident == "-" || fs::exists(incident, ignored))) {
    out.brief = TRY(from_file(incident, until, cancel));
  } else if (is_pagerduty_id(incident)) {
    // The webhook that named it said what it is called: better than nothing, where the API is down.
    auto brief = from_pagerduty(incident, clock, cancel);
    if (!brief && !described) return std::unexpected(brief.error());
    if (brief)
      out.brief = std::move(*brief);
    else
      out.brief.missing.push_back(brief.error().text());
  } else if (!incident.empty()) {
    out.brief = TRY(from_alerts(wish, live, clock, cancel));
  } else if (!wish.alert.empty()) {
    out.brief = TRY(JsonIncident(wish.alert, "the alert", until).fetch("", cancel));
  } else if (!described) {
    return fail(ErrorCode::kInvalidArgument,
                "nothing to investigate; name an incident, or say which service and what is wrong "
                "(--service, --description)");
  }
  return out;
}

void add_known(const fs::path& data_dir, TimePoint now, Investigation& investigation) {
  // A report is sent to others.
  const auto base = open_knowledge_for_others(data_dir);
  if (!base) {
    investigation.evidence.missing.push_back("the knowledge base: " + base.error().text());
    return;
  }
  search_known((*base)->search(), now, investigation, [&](const std::string& id) {
    return (*base)->store().find(id).value_or(std::nullopt);
  });
}

Result<KnownOfAlerts> of_alerts(const fs::path& data_dir, const IncidentBrief& brief,
                                TimePoint now) {
  const auto base = TRY(open_knowledge_for_others(data_dir));
  return known_of_alerts(base->search(), brief, now);
}

// What it came to, for people: what had to be redacted may have been what a claim rests on.
Result<std::string> write_bundle(const BundleInput& input, const Investigation& made,
                                 const fs::path& data_dir, const fs::path& file,
                                 const CancelToken& cancel) {
  TRY(make_directories(data_dir));
  const BundleKey key = TRY(BundleKey::open_or_make(data_dir / "bundle.key"));
  const std::string text = TRY(make_bundle(input, made, key));
  const BundleCheck check = TRY(check_bundle(text, cancel));
  const std::string_view parts[] = {text};
  TRY(write_file_atomically(file, parts));
  return fmt::format("wrote {}, signed with {}: {} of {} claims hold in it", file.string(),
                     key.public_key().substr(0, 16), check.claims.size() - check.failed(),
                     check.claims.size());
}

Result<void> check_answers(const std::vector<std::string>& answers) {
  for (const std::string& answer : answers)
    if (!yes_or_no(answer))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is no answer to a deciding question; answer yes or no",
                              shown_text(answer, 100)));
  return {};
}

Result<LiveIncident> live_of(const Systems& systems) {
  return LiveIncident::open({.data_dir = systems.data_dir, .file = systems.tools});
}

// What a kept run recorded of live systems stays here until it is complete.
fs::path evidence_of(const fs::path& data_dir, const std::string& id) {
  return data_dir / "investigations" / "evidence" / id;
}

// For those who take lines of text.
class StatusTo final : public EventSink {
 public:
  explicit StatusTo(const std::function<void(std::string_view)>& say) : say_(say) {}
  void emit(const Event& event) override {
    if (event.type == Event::Type::kStatus) say_(event.text);
  }

 private:
  const std::function<void(std::string_view)>& say_;
};

// One run of the graph of phases over live systems, or over the folder that was named.
class CaseRun {
 public:
  CaseRun(const LookInto& wish, const std::string& id, const Systems& systems,
          const LiveIncident& live, const Clock& clock,
          const std::function<void(std::string_view)>& note, const CancelToken& cancel)
      : wish_(wish), systems_(systems), live_(live), note_(note), cancel_(cancel) {
    options_.thread = systems.kept == nullptr ? "" : id;
    options_.clock = &clock;
    options_.cancel = &cancel;
    // A disk that is full costs what is kept, not the report.
    options_.on_write_failure = WriteFailure::kGoOn;
  }

  Result<LookedInto> run(const CaseOrder& order, EventSink& events) {
    const auto graph = TRY(create_case_graph(desk(), systems_.kept));
    return ended(TRY(graph.run(case_input(order), options_, events)), events);
  }

  Result<LookedInto> resume(EventSink& events) {
    const auto graph = TRY(create_case_graph(desk(), systems_.kept));
    auto done = wish_.answers.empty() ? graph.resume(options_, events)
                                      : graph.resume(wish_.answers.front(), options_, events);
    for (size_t next = 1; done && next < wish_.answers.size(); ++next) {
      if (done->report.outcome != Outcome::kInterrupted) break;
      done = graph.resume(wish_.answers[next], options_, events);
    }
    return ended(TRY(std::move(done)), events);
  }

 private:
  CaseDesk desk() {
    return {.evidence = [this](const CaseOrder& order, EventSink& events,
                               const CancelToken& cancel) { return record(order, events, cancel); },
            .of_alerts = [this](const IncidentBrief& brief,
                                TimePoint now) { return of_alerts(systems_.data_dir, brief, now); },
            .known = [this](TimePoint now,
                            Investigation& made) { add_known(systems_.data_dir, now, made); }};
  }

  // What the live systems have, as a folder; "" where none is configured.
  Result<fs::path> record(const CaseOrder& order, EventSink& events, const CancelToken& cancel) {
    if (!live_.has_sources()) return fs::path();
    const bool kept = !options_.thread.empty();
    const fs::path own = evidence_of(systems_.data_dir, options_.thread);
    if (wish_.record.empty() && !kept) own_.emplace();
    const fs::path folder = !wish_.record.empty() ? wish_.record
                            : kept                ? own
                                                  : own_->path() / "incident";
    std::error_code ignored;
    // A recording is whole or not there: a run that was killed behind it has it already.
    if (folder == own && fs::exists(own, ignored)) return own;
    const Window window = window_of(order.brief, order.options.brief, order.options.now);
    events.status("Reading the live systems");
    if (kept) TRY(make_directories(own.parent_path()));
    IncidentBrief incident = order.brief;
    fill_in(incident, order.options.brief);
    note_(told(TRY(live_.record(window, incident, folder, cancel)), window));
    return fs::absolute(folder);
  }

  Result<LookedInto> ended(RunResult<CaseState> done, EventSink& events) {
    LookedInto out{investigation_of(done.state), done.report.outcome == Outcome::kInterrupted};
    if (!out.asks && systems_.model) {
      events.status("Asking the model about the report");
      systems_.model(out.made, cancel_);
    }
    if (!wish_.bundle.empty()) {
      const CaseOrder& order = done.state.order;
      std::error_code ignored;
      if (!order.folder.empty() && !fs::is_directory(order.folder, ignored))
        return fail(ErrorCode::kNotFound,
                    fmt::format("{}, which the evidence of this investigation was read from, is "
                                "not there any more; investigate again for a bundle",
                                order.folder));
      const BundleInput input{order.brief, order.folder, order.options, version_text()};
      note_(TRY(write_bundle(input, out.made, systems_.data_dir, wish_.bundle, cancel_)));
    }
    // What is complete has its report.
    if (!out.asks && !options_.thread.empty()) {
      std::ignore = systems_.kept->remove(options_.thread);
      std::error_code ignored;
      fs::remove_all(evidence_of(systems_.data_dir, options_.thread), ignored);
    }
    return out;
  }

  const LookInto& wish_;
  const Systems& systems_;
  const LiveIncident& live_;
  const std::function<void(std::string_view)>& note_;
  const CancelToken& cancel_;
  RunOptions options_;
  std::optional<TemporaryFolder> own_;
};

}  // namespace

Result<BriefOptions> by_hand(const LookInto& wish) {
  BriefOptions out;
  out.service = wish.service;
  out.description = wish.description;
  out.since = TRY(time_of(wish.since, "since"));
  out.until = TRY(time_of(wish.until, "until"));
  return out;
}

std::string told(const Recording& recording, const Window& window) {
  return fmt::format(
      "recorded {} to {}: {} metrics ({} series), {} alerts, {} changes, {} log lines, {} spans",
      format_time(window.from), format_time(window.to), recording.metrics, recording.series,
      recording.alerts, recording.changes, recording.lines, recording.spans);
}

Result<std::unique_ptr<Checkpointer>> open_kept_cases(const fs::path& data_dir) {
  const fs::path folder = data_dir / "investigations";
  TRY(make_directories(folder));
  std::unique_ptr<Checkpointer> kept = TRY(open_sqlite_checkpointer(folder / "phases.db"));
  for (const ThreadInfo& old : TRY(kept->threads(kMaxKeptCases, kMaxKeptCases)))
    TRY(kept->remove(old.name));
  std::error_code error;
  std::vector<fs::path> forgotten;
  for (fs::directory_iterator it(folder / "evidence", error), end; !error && it != end;
       it.increment(error))
    if (const auto head = kept->head(it->path().filename().string()); head && !*head)
      forgotten.push_back(it->path());
  for (const fs::path& each : forgotten) fs::remove_all(each, error);
  return kept;
}

Result<LookedInto> look_into(const LookInto& wish, const std::string& id, const Systems& systems,
                             const Clock& clock, EventSink& events,
                             const std::function<void(std::string_view)>& note,
                             const CancelToken& cancel) {
  CaseOrder order;
  order.options.now = clock.now();
  order.options.brief = TRY(by_hand(wish));
  order.options.brief.description = redact(order.options.brief.description);
  order.asks = wish.ask;
  TRY(check_answers(wish.answers));
  order.told = wish.answers;
  const LiveIncident live = TRY(live_of(systems));
  Intake intake = TRY(take_in(wish, live, clock, cancel));
  order.brief = std::move(intake.brief);
  order.folder = intake.folder.string();
  CaseRun run(wish, id, systems, live, clock, note, cancel);
  return run.run(order, events);
}

Result<LookedInto> go_on(const LookInto& wish, const std::string& id, const Systems& systems,
                         const Clock& clock, EventSink& events,
                         const std::function<void(std::string_view)>& note,
                         const CancelToken& cancel) {
  TRY(check_answers(wish.answers));
  if (systems.kept == nullptr || !TRY(systems.kept->head(id)))
    return fail(ErrorCode::kNotFound,
                fmt::format("no investigation '{}' is kept: what is complete is forgotten",
                            shown_text(id, 60)));
  const LiveIncident live = TRY(live_of(systems));
  CaseRun run(wish, id, systems, live, clock, note, cancel);
  return run.resume(events);
}

Result<InvestigationReport> SystemsInvestigator::investigate(
    const InvestigationOrder& order, const std::string& id,
    const std::function<void(std::string_view)>& say, const CancelToken& cancel) {
  StatusTo statuses(say);
  if (!id.empty() && systems_.kept != nullptr && TRY(systems_.kept->head(id))) {
    const LookedInto done = TRY(go_on({}, id, systems_, clock_, statuses, say, cancel));
    return InvestigationReport{to_json(done.made), to_markdown(done.made), done.asks};
  }
  const LookedInto done = TRY(look_into({.incident = order.incident,
                                         .alert = order.alert,
                                         .files = false,
                                         .snapshot = {},
                                         .record = {},
                                         .service = order.service,
                                         .since = order.since,
                                         .until = order.until,
                                         .description = order.description,
                                         .ask = order.ask},
                                        id, systems_, clock_, statuses, say, cancel));
  return InvestigationReport{to_json(done.made), to_markdown(done.made), done.asks};
}

Result<void> SystemsInvestigator::check(const InvestigationOrder& order,
                                        const CancelToken& cancel) {
  if (order.incident.empty() || is_pagerduty_id(order.incident)) return {};
  LookInto wish;
  wish.incident = order.incident;
  const auto live = live_of(systems_);
  if (!live) return {};
  const auto brief = from_alerts(wish, *live, clock_, cancel);
  if (!brief && brief.error().code == ErrorCode::kNotFound) return std::unexpected(brief.error());
  return {};
}

Result<InvestigationReport> SystemsInvestigator::answer(
    const std::string& id, const std::string& answer,
    const std::function<void(std::string_view)>& say, const CancelToken& cancel) {
  StatusTo statuses(say);
  LookInto wish;
  wish.answers = {answer};
  const LookedInto done = TRY(go_on(wish, id, systems_, clock_, statuses, say, cancel));
  return InvestigationReport{to_json(done.made), to_markdown(done.made), done.asks};
}

}  // namespace precedent
