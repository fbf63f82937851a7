#include "agent/plan/live_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "changes/last_deploy.h"
#include "telemetry/query/query_text.h"

namespace precedent {
namespace {

// Further metrics of the same system that may move with the one that is asked about.
constexpr size_t kMaxCompanions = 4;
constexpr int kMaxOpen = 3;
constexpr int kOpenDays = 90;
// How long ago a flag may have been switched, or a file written.
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

// The times of the question without those that it only compares with: "compare it with last week".
std::vector<TimeHint> window_hints(const Intent& intent) {
  std::vector<TimeHint> hints = intent.times;
  std::erase_if(hints, [&](const TimeHint& hint) {
    const std::vector<TimeHint>& compared = intent.qualifiers.compared;
    return std::ranges::find(compared, hint.begin, &TimeHint::begin) != compared.end();
  });
  return hints;
}

// The time that the question is about; if it only gives an end, the day before that.
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
  // "Since yesterday's deploy", if no source knows it: since that day, not only on it.
  if (intent.deploy && intent.deploy->day.from) range = {intent.deploy->day.from, std::nullopt};
  if (!range.from || *range.from >= intent.now) return "window=24h";
  std::string window = "since=" + format_time(*range.from);
  if (range.to && *range.to < intent.now) window += " until=" + format_time(*range.to);
  return window;
}

namespace {

// The configured name of a metric that a question calls so; "" if there is none.
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

// The metrics that the question is about: those that it names, else what is usually looked at
// first.
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

namespace {

// Which series are meant: those that are named, those of the endpoint, else of the service.
std::string filter_of(const Intent& intent) {
  if (!intent.series.empty()) return intent.series;
  if (const Subject* endpoint = subject_of(intent, SubjectKind::kEndpoint))
    return "endpoint=" + endpoint->text;
  return intent.service.empty() ? "" : "service=" + intent.service;
}

// The active alerts, or the one that the question names; of that one, those that are over may be
// asked for, too.
TelemetryQuery alerts_of(const Intent& intent) {
  TelemetryQuery query;
  // "SearchLatencyHigh" is the name of one.
  const Subject* named = subject_of(intent, SubjectKind::kSymbol);
  query.alert = named != nullptr ? named->text : std::string(kAllAlerts);
  if (named == nullptr) query.filter = filter_of(intent);
  if (!intent.times.empty())
    query.window = window_of(intent);
  else if (named != nullptr && intent.qualifiers.ever)
    query.window = fmt::format("window={}d", kAlertDays);
  return query;
}

}  // namespace

void plan_metrics(std::vector<PlannedCall>& calls, const Intent& intent, const Demand& demand,
                  const MetricsConfig* names) {
  if (intent.signals.firing && intent.type != QuestionType::kDebugIncident) {
    calls.push_back({alerts_of(intent), "which alerts are active", demand.rule});
    return;
  }
  std::string window = window_of(intent);
  const std::vector<std::string> asked = asked_metrics(intent, names);
  const std::string& label = intent.qualifiers.label;
  // The slowest now need not be the slowest on average since yesterday.
  if (!label.empty() && intent.times.empty() && !intent.deploy) window = "window=1h";
  for (const std::string& metric : asked) {
    calls.push_back({TelemetryQuery{metric, "", window, filter_of(intent), label},
                     "what it does now, and since when", demand.rule});
  }
  for (const std::string& metric : companions(intent, asked, names))
    calls.push_back({TelemetryQuery{metric, "", window}, "what moved with it", demand.rule});
}

namespace {

// The release before a late one: what the late one brought may have been written weeks before it.
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

namespace {

// The kinds of changes that a question names; none: all are asked for.
std::vector<ChangeKind> kinds_of(const Qualifiers& q) {
  std::vector<ChangeKind> kinds;
  const auto add = [&](bool wanted, std::initializer_list<ChangeKind> named) {
    if (wanted) kinds.insert(kinds.end(), named);
  };
  // "Which flags were flipped": flags, and settings that act as flags.
  add(q.flags, {ChangeKind::kFlag, ChangeKind::kConfig});
  // A tag does not say in which environment it runs.
  if (q.environment.empty()) add(q.deploys, {ChangeKind::kTag});
  add(q.deploys, {ChangeKind::kDeploy, ChangeKind::kRollback, ChangeKind::kVersionSeen});
  if (kinds.empty()) add(q.rollbacks, {ChangeKind::kRollback});
  add(q.commits, {ChangeKind::kCommit});
  return kinds;
}

// What may be behind trouble: every change of the system since some days before it.
ChangesQuery changes_before(const Intent& intent, const ChangeSource* source) {
  constexpr std::chrono::days kBefore{7};
  ChangesQuery query{.service = intent.service};
  const TimeRange asked = asked_range(intent);
  if (asked.from && *asked.from < intent.now) {
    const TimePoint from = *asked.from - kBefore;
    if (asked.to && *asked.to < intent.now)
      query.window = format_time(from) + "/" + format_time(*asked.to);
    else if (intent.now - *asked.from > kBefore)
      query.window = "since=" + format_time(from);
  } else if (intent.deploy && intent.deploy->deploy &&
             intent.now - intent.deploy->deploy->change.at > kBefore) {
    query.window = "since=" + format_time(intent.deploy->deploy->change.at - kBefore);
  }
  if (!query.window.empty()) return query;
  const auto since = before_late_release(intent, source, intent.now - kBefore);
  if (since && *since < intent.now - kBefore) query.window = "since=" + format_time(*since);
  return query;
}

// The changes that a question asks for.
ChangesQuery named_changes(const Intent& intent) {
  const Qualifiers& q = intent.qualifiers;
  if (!q.commit.empty()) return {.commit = q.commit};
  if (const Subject* flag = subject_of(intent, SubjectKind::kFlag))
    return {.window = std::string(kFlagWindow),
            .flag = flag->text == kAllFlags ? "" : flag->text,
            .kinds = {ChangeKind::kFlag},
            .limit = kMostFlags};
  ChangesQuery query{.service = intent.service, .about = intent.changed};
  const TimeRange asked = asked_range(intent);
  if (asked.from && *asked.from < intent.now)
    query.window = asked.to && *asked.to < intent.now
                       ? format_time(*asked.from) + "/" + format_time(*asked.to)
                       : "since=" + format_time(*asked.from);
  else if (intent.deploy)
    query.window = "since=last-deploy";
  if (const Subject* person = subject_of(intent, SubjectKind::kPerson)) query.author = person->text;
  if (intent.times.empty() && (q.author || !intent.changed.empty())) query.window = kFlagWindow;
  // Commits touch files; a path may hold any word.
  if (subject_of(intent, SubjectKind::kFile) != nullptr && !intent.changed.empty()) {
    query.kinds = {ChangeKind::kCommit};
    return query;
  }
  query.environment = ascii_lower(q.environment);
  if (!intent.deploy) query.kinds = kinds_of(q);
  return query;
}

}  // namespace

ChangesQuery changes_query(const Intent& intent, const ChangeSource* source) {
  return intent.signals.changes ? named_changes(intent) : changes_before(intent, source);
}

std::string changes_purpose(const Intent& intent) {
  return intent.signals.changes ? "what the record of changes says" : "what was changed lately";
}

std::string code_query(const Intent& intent) {
  if (intent.type != QuestionType::kDebugIncident) return intent.asked.text.to_search();
  std::vector<std::string> words;
  for (const Subject& subject : intent.subjects)
    if (subject.kind != SubjectKind::kMetric && subject.kind != SubjectKind::kIncident)
      words.push_back(subject.text);
  if (!intent.service.empty() && !has(words, intent.service)) words.push_back(intent.service);
  return words.empty() ? intent.asked.text.to_search() : join(words, " ");
}

bool names_metric(const Intent& intent, const std::string& metric) {
  return std::ranges::any_of(intent.subjects, [&](const Subject& subject) {
    return subject.kind == SubjectKind::kMetric && subject.text == metric;
  });
}

PlannedCall metric_of(const MetricsResult& metric, const Intent& intent,
                      const std::pair<const std::string, std::string>& label) {
  return {TelemetryQuery{metric.metric, "", window_of(intent), label.first + "=" + label.second},
          "of " + label.second + " alone", "second_look"};
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
  // A record with an end is over, whatever its status is called.
  IncidentQuery query{.limit = kMaxOpen, .statuses = std::move(open), .open = true};
  if (of_all) {
    query.days = kOpenDays;
    return {{std::move(query), "whether an incident is open"}};
  }
  query.by = IncidentQuery::By::kApplication;
  query.application = name;
  return {{std::move(query), "whether an incident of it is open"}};
}

}  // namespace precedent
