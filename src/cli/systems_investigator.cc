#include "cli/systems_investigator.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/input.h"
#include "cli/store_config.h"
#include "cli/version.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "investigate/bundle.h"
#include "investigate/incident_source.h"
#include "investigate/knowledge.h"
#include "investigate/pagerduty.h"
#include "investigate/report.h"
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

Result<IncidentBrief> from_file(const std::string& path, const CancelToken& cancel) {
  const std::string text = TRY(read_input(path, kMaxAlertBytes));
  return JsonIncident(text, path == "-" ? "standard input" : path).fetch("", cancel);
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
  const bool described = !wish.description.empty() || !wish.service.empty();
  if (wish.files && fs::is_directory(incident, ignored)) {
    if (out.folder.empty()) out.folder = incident;
    auto brief = FolderIncident(incident).fetch("", cancel);
    if (!brief && !described) return std::unexpected(brief.error());
    if (brief) out.brief = std::move(*brief);
  } else if (wish.files && (incident == "-" || fs::exists(incident, ignored))) {
    out.brief = TRY(from_file(incident, cancel));
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
    out.brief = TRY(JsonIncident(wish.alert, "the alert").fetch("", cancel));
  } else if (!described) {
    return fail(ErrorCode::kInvalidArgument,
                "nothing to investigate; name an incident, or say which service and what is wrong "
                "(--service, --description)");
  }
  return out;
}

void add_known(const fs::path& data_dir, TimePoint now, Investigation& investigation) {
  const auto base = open_knowledge(data_dir);
  if (!base) {
    investigation.evidence.missing.push_back("the knowledge base: " + base.error().text());
    return;
  }
  search_known((*base)->search(), now, investigation);
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
  return fmt::format("recorded {} to {}: {} metrics ({} series), {} alerts, {} changes",
                     format_time(window.from), format_time(window.to), recording.metrics,
                     recording.series, recording.alerts, recording.changes);
}

Result<Investigation> look_into(const LookInto& wish, const Systems& systems, const Clock& clock,
                                const std::function<void(std::string_view)>& say,
                                const CancelToken& cancel) {
  GatherOptions gathering;
  gathering.now = clock.now();
  gathering.brief = TRY(by_hand(wish));
  const LiveIncident live =
      TRY(LiveIncident::open({.data_dir = systems.data_dir, .file = systems.tools}));
  Intake intake = TRY(take_in(wish, live, clock, cancel));
  std::optional<TemporaryFolder> own;
  if (intake.folder.empty() && live.has_sources()) {
    if (wish.record.empty()) own.emplace();
    intake.folder = own ? own->path() / "incident" : wish.record;
    const Window window = window_of(intake.brief, gathering.brief, gathering.now);
    say("Reading metrics, alerts and changes");
    say(told(TRY(live.record(window, intake.folder, cancel)), window));
  }
  say("Looking for the cause");
  Investigation made =
      TRY(precedent::investigate(intake.brief, intake.folder, gathering, SourceContext{cancel}));
  if (!wish.bundle.empty()) {
    const BundleInput input{intake.brief, intake.folder, gathering, version_text()};
    say(TRY(write_bundle(input, made, systems.data_dir, wish.bundle, cancel)));
  }
  say("Searching the knowledge base");
  add_known(systems.data_dir, gathering.now, made);
  return made;
}

Result<InvestigationReport> SystemsInvestigator::investigate(
    const InvestigationOrder& order, const std::function<void(std::string_view)>& say,
    const CancelToken& cancel) {
  const Investigation made = TRY(look_into({.incident = order.incident,
                                            .alert = order.alert,
                                            .files = false,
                                            .snapshot = {},
                                            .record = {},
                                            .service = order.service,
                                            .since = order.since,
                                            .until = order.until,
                                            .description = order.description},
                                           systems_, clock_, say, cancel));
  return InvestigationReport{to_json(made), to_markdown(made)};
}

Result<void> SystemsInvestigator::tell(const InvestigationOrder& order, const std::string& id,
                                       const InvestigationReport& report,
                                       const CancelToken& cancel) {
  if (systems_.notes == nullptr || !systems_.notes->check(order.incident)) return {};
  const fs::path file = systems_.data_dir / "investigations" / (id + ".json");
  return systems_.notes->write(
      report.report, order.incident, systems_.notes->link_to(id, file), [](std::string_view) {},
      cancel);
}

}  // namespace precedent
