#include "agent/plan/live_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "changes/last_deploy.h"
#include "telemetry/query_text.h"

namespace precedent {
namespace {

// Further metrics of the same system that may move with the one that is asked about.
constexpr size_t kMaxCompanions = 4;
constexpr int kMaxOpen = 3;
constexpr int kOpenDays = 90;
// As long ago as a flag may have been switched, or a file written.
constexpr std::string_view kFlagWindow = "730d";
constexpr int kMostFlags = 100;
// How far back alerts that are over are looked for.
constexpr int kAlertDays = 7;

}  // namespace

namespace {

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::ranges::find(list, item) != list.end();
}

}  // namespace

const Subject* subject_of(const Intent& intent, SubjectKind kind) {
  const auto found = std::ranges::find(intent.subjects, kind, &Subject::kind);
  return found == intent.subjects.end() ? nullptr : &*found;
}

namespace {

// The times of the question but for those that it only compares to: "compare it with last week".
std::vector<TimeHint> window_hints(const Intent& intent) {
  std::vector<TimeHint> hints = intent.times;
  std::erase_if(hints, [&](const TimeHint& hint) {
    const std::vector<TimeHint>& compared = intent.qualifiers.compared;
    return std::ranges::find(compared, hint.begin, &TimeHint::begin) != compared.end();
  });
  return hints;
}

// What the question is about in time; where it only says when that ended, a day before it.
TimeRange asked_range(const Intent& intent) {
  TimeRange range = intersection(window_hints(intent));
  if (!range.from && range.to && *range.to < intent.now)
    range.from = *range.to - std::chrono::days(1);
  return range;
}

}  // namespace

std::string window_of(const Intent& intent) {
  constexpr std::chrono::hours kDay{24};
  if (intent.deploy && intent.deploy->deploy) {
    const TimePoint at = intent.deploy->deploy->change.at;
    return intent.now - at <= kDay ? "window=24h" : "since=" + format_time(at);
  }
  TimeRange range = asked_range(intent);
  // "Since yesterday's deploy", which no source knows: since that day, not on it.
  if (intent.deploy && intent.deploy->day.from) range = {intent.deploy->day.from, std::nullopt};
  if (!range.from || *range.from >= intent.now) return "window=24h";
  std::string window = "since=" + format_time(*range.from);
  if (range.to && *range.to < intent.now) window += " until=" + format_time(*range.to);
  return window;
}

namespace {

// The name under which a metric is configured, for how a question calls it; "" if there is none.
std::string configured_name(const std::string& said, const MetricsConfig* names) {
  if (names == nullptr) return "";
  if (const MetricTemplate* known = names->find(said)) return known->name;
  if (said.contains('_')) return "";  // by its own name
  const std::string bare = bare_name(said);
  for (const MetricTemplate& known : names->names)
    if (bare_name(known.name).find(bare) != std::string::npos ||
        bare.find(bare_name(known.name)) != std::string::npos)
      return known.name;
  return "";
}

// What the question is about, as metrics: named ones, else what is usually looked at first.
std::vector<std::string> asked_metrics(const Intent& intent, const MetricsConfig* names) {
  std::vector<std::string> metrics;
  const auto add = [&](std::string name) {
    if (!name.empty() && !has(metrics, name)) metrics.push_back(std::move(name));
  };
  for (const Subject& subject : intent.subjects) {
    if (subject.kind != SubjectKind::kMetric) continue;
    const std::string known = configured_name(subject.text, names);
    // A metric by its own name is asked for as such.
    add(known.empty() && subject.text.contains('_') ? subject.text : known);
  }
  const Signals& s = intent.signals;
  const bool percentile = std::ranges::any_of(
      metrics, [](const std::string& name) { return name.ends_with("_latency"); });
  if (s.latency && !percentile) add("p95_latency");
  if (s.errors) add("error_rate");
  if (s.throughput && metrics.empty()) add("throughput");
  if (s.saturation) add("saturation");
  if (metrics.empty()) add("p95_latency"), add("error_rate");
  return metrics;
}

// Configured metrics whose name shares a word with the system's.
std::vector<std::string> companions(const Intent& intent, const std::vector<std::string>& asked,
                                    const MetricsConfig* names) {
  std::vector<std::string> found;
  if (names == nullptr) return found;
  const std::set<std::string> words = system_words(intent);
  const auto add = [&](const MetricTemplate& known) {
    if (found.size() < kMaxCompanions && !has(asked, known.name) && !has(found, known.name))
      found.push_back(known.name);
  };
  for (const MetricTemplate& known : names->names) {
    std::set<std::string> its = telling_words(known.name);
    for (const std::string& metric : known.metrics) its.merge(telling_words(metric));
    if (std::ranges::any_of(words, [&](const std::string& w) { return its.contains(w); }))
      add(known);
  }
  for (const MetricTemplate& known : names->names)
    if (known.name == "saturation") add(known);
  return found;
}

}  // namespace

std::string in_quotes(std::string_view filter) {
  return filter.find(' ') == std::string_view::npos ? std::string(filter)
                                                    : fmt::format("\"{}\"", filter);
}

namespace {

// Which series are meant: those that are named, those of the endpoint, else of the service.
std::string filter_of(const Intent& intent) {
  if (!intent.series.empty()) return " filter=" + in_quotes(intent.series);
  if (const Subject* endpoint = subject_of(intent, SubjectKind::kEndpoint))
    return " filter=" + in_quotes("endpoint=" + endpoint->text);
  return intent.service.empty() ? "" : " filter=" + in_quotes("service=" + intent.service);
}

}  // namespace

void plan_metrics(std::vector<PlannedCall>& calls, const Intent& intent, const Demand& demand,
                  const MetricsConfig* names) {
  if (intent.signals.firing && intent.type != QuestionType::kDebugIncident) {
    // "SearchLatencyHigh" is the name of one.
    const Subject* named = subject_of(intent, SubjectKind::kSymbol);
    std::string which =
        named != nullptr ? named->text : std::string(kAllAlerts) + filter_of(intent);
    // Of one, those that are over may be asked for, too.
    if (!intent.times.empty())
      which += " " + window_of(intent);
    else if (named != nullptr && intent.qualifiers.ever)
      which += fmt::format(" window={}d", kAlertDays);
    calls.push_back(
        {demand.tool, {{"query", "alert=" + which}}, "which alerts are active", demand.rule});
    return;
  }
  std::string window = window_of(intent);
  const std::vector<std::string> asked = asked_metrics(intent, names);
  const std::string& label = intent.qualifiers.label;
  // Who is slowest now is not who was slowest on average since yesterday.
  if (!label.empty() && intent.times.empty() && !intent.deploy) window = "window=1h";
  const std::string group = label.empty() ? "" : " by=" + label;
  for (const std::string& metric : asked) {
    calls.push_back(
        {demand.tool,
         {{"query", fmt::format("metric={} {}{}{}", metric, window, filter_of(intent), group)}},
         "what it does now, and since when",
         demand.rule});
  }
  for (const std::string& metric : companions(intent, asked, names)) {
    calls.push_back({demand.tool,
                     {{"query", fmt::format("metric={} {}", metric, window)}},
                     "what moved with it",
                     demand.rule});
  }
}

namespace {

// What a late release brought may have been written weeks before it: since the release before.
// Nothing if there is none.
std::optional<TimePoint> before_late_release(const Intent& intent, const ChangeSource* source,
                                             TimePoint late) {
  constexpr std::chrono::days kLongest{60};
  if (source == nullptr || intent.service.empty()) return std::nullopt;
  const auto latest = last_deploy(*source, intent.service, intent.now);
  if (!latest || !*latest || (*latest)->change.at < late) return std::nullopt;
  const TimePoint at = (*latest)->change.at;
  const auto before = last_deploy(*source, intent.service, at - std::chrono::seconds(1));
  if (!before || !*before) return std::nullopt;
  return std::max((*before)->change.at, at - kLongest);
}

}  // namespace

nlohmann::json changes_args(const Intent& intent, const ChangeSource* source) {
  constexpr std::chrono::days kBefore{7};
  nlohmann::json args = nlohmann::json::object();
  const Qualifiers& q = intent.qualifiers;
  if (intent.signals.changes && !q.commit.empty()) return {{"commit", q.commit}};
  if (!intent.service.empty()) args["service"] = intent.service;
  const TimeRange asked = asked_range(intent);
  if (asked.from && *asked.from < intent.now) {
    const TimePoint from = intent.signals.changes ? *asked.from : *asked.from - kBefore;
    const bool open = !asked.to || *asked.to >= intent.now;
    if (intent.signals.changes || !open || intent.now - *asked.from > kBefore)
      args["window"] =
          open ? "since=" + format_time(from) : format_time(from) + "/" + format_time(*asked.to);
  } else if (intent.signals.changes && intent.deploy) {
    args["window"] = "since=last-deploy";
  } else if (intent.deploy && intent.deploy->deploy &&
             intent.now - intent.deploy->deploy->change.at > kBefore) {
    args["window"] = "since=" + format_time(intent.deploy->deploy->change.at - kBefore);
  }
  if (!intent.signals.changes) {
    const auto since = args.contains("window")
                           ? std::nullopt
                           : before_late_release(intent, source, intent.now - kBefore);
    if (since && *since < intent.now - kBefore) args["window"] = "since=" + format_time(*since);
    return args;
  }
  if (const Subject* flag = subject_of(intent, SubjectKind::kFlag)) {
    args = {{"kinds", {name(ChangeKind::kFlag)}}, {"window", kFlagWindow}, {"limit", kMostFlags}};
    if (flag->text != kAllFlags) args["flag"] = flag->text;
    return args;
  }
  if (const Subject* person = subject_of(intent, SubjectKind::kPerson))
    args["author"] = person->text;
  if (!intent.changed.empty()) args["about"] = intent.changed;
  if (intent.times.empty() && (q.author || !intent.changed.empty())) args["window"] = kFlagWindow;
  // Commits touch files; a path may hold any word.
  if (subject_of(intent, SubjectKind::kFile) != nullptr && !intent.changed.empty()) {
    args["kinds"] = {name(ChangeKind::kCommit)};
    return args;
  }
  if (!q.environment.empty()) args["environment"] = ascii_lower(q.environment);
  // "Which flags were flipped": those, and what did it for them. A question that names no kind is
  // after all.
  nlohmann::json kinds = nlohmann::json::array();
  const auto add = [&](bool wanted, std::initializer_list<ChangeKind> named) {
    if (!wanted) return;
    for (const ChangeKind kind : named) kinds.push_back(name(kind));
  };
  add(q.flags, {ChangeKind::kFlag, ChangeKind::kConfig});
  // A tag says of no environment that it runs there.
  if (!args.contains("environment")) add(q.deploys, {ChangeKind::kTag});
  add(q.deploys, {ChangeKind::kDeploy, ChangeKind::kRollback, ChangeKind::kVersionSeen});
  if (kinds.empty()) add(q.rollbacks, {ChangeKind::kRollback});
  add(q.commits, {ChangeKind::kCommit});
  if (!kinds.empty() && !intent.deploy) args["kinds"] = std::move(kinds);
  return args;
}

std::string changes_purpose(const Intent& intent) {
  return intent.signals.changes ? "what the record of changes says" : "what was changed lately";
}

std::string code_query(const Intent& intent) {
  if (intent.type != QuestionType::kDebugIncident) return intent.question;
  std::vector<std::string> words;
  for (const Subject& subject : intent.subjects)
    if (subject.kind != SubjectKind::kMetric && subject.kind != SubjectKind::kIncident)
      words.push_back(subject.text);
  if (!intent.service.empty() && !has(words, intent.service)) words.push_back(intent.service);
  return words.empty() ? intent.question : join(words, " ");
}

bool names_metric(const Intent& intent, const std::string& metric) {
  return std::ranges::any_of(intent.subjects, [&](const Subject& subject) {
    return subject.kind == SubjectKind::kMetric && subject.text == metric;
  });
}

PlannedCall metric_of(const MetricsResult& metric, const Intent& intent,
                      const std::pair<const std::string, std::string>& label) {
  return {"metrics_query",
          {{"query", fmt::format("metric={} {} filter={}", metric.metric, window_of(intent),
                                 in_quotes(label.first + "=" + label.second))}},
          "of " + label.second + " alone",
          "second_look"};
}

std::vector<PlannedCall> open_incidents(const Intent& intent, const KnowledgeIndex& index) {
  const bool of_all = intent.qualifiers.everything && intent.service.empty();
  const TimeRange asked = intersection(window_hints(intent));
  const bool over = asked.to && *asked.to < intent.now;
  const Subject* application = subject_of(intent, SubjectKind::kApplication);
  const std::string& name = application != nullptr ? application->text : intent.service;
  if (!of_all && (intent.type != QuestionType::kDebugIncident || over || name.empty())) return {};
  std::vector<std::string> open;
  Filter incidents;
  incidents.kinds = {Kind::kIncident};
  const auto statuses = index.facet(Facet::kStatus, incidents);
  for (const FacetCount& status : statuses ? *statuses : std::vector<FacetCount>())
    if (!is_closed_status(status.value)) open.push_back(status.value);
  if (open.empty()) return {};
  if (of_all)
    return {{"get_recent_incidents",
             {{"status", open}, {"days", kOpenDays}, {"limit", kMaxOpen}},
             "whether an incident is open",
             {}}};
  return {{"get_incidents_by_application",
           {{"app_name", name}, {"status", open}, {"limit", kMaxOpen}},
           "whether an incident of it is open",
           {}}};
}

}  // namespace precedent
