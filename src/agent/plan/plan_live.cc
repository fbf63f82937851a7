#include "agent/plan/plan_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/evidence/hypothesis.h"
#include "agent/plan/call_reasons.h"
#include "agent/plan/changed_code.h"
#include "agent/plan/live_calls.h"
#include "agent/plan/named_metrics.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "changes/last_deploy.h"
#include "telemetry/query/query_text.h"
#include "tools/metrics_query.h"

namespace precedent {
namespace {

constexpr int kCodeLimit = 5;
// If only code is asked for: at two places a file these are five files.
constexpr int kCodeLimitAlone = 10;
// How many earlier changes are shown if there was none in the time that was asked about.
constexpr std::chrono::days kFurtherBack{90};
constexpr int kMaxEarlier = 3;

bool is_planned(const PlannedCall& call, const std::vector<PlannedCall>& calls) {
  return std::ranges::any_of(
      calls, [&](const PlannedCall& other) { return other.arguments == call.arguments; });
}

// What several parts of a message plan is called once, and serves each of them.
void add_of_part(std::vector<PlannedCall>& calls, std::vector<PlannedCall> more, size_t part) {
  for (PlannedCall& call : more) {
    auto planned = std::ranges::find(calls, call.arguments, &PlannedCall::arguments);
    if (planned == calls.end()) planned = calls.insert(planned, std::move(call));
    std::vector<size_t>& parts = planned->parts;
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  }
}

// Whether a tool is there and has something to ask.
bool has_source(const std::string& tool, const Sources& sources) {
  if (!sources.tools.find(tool)) return false;
  if (tool != "repo_search") return true;
  Filter code;
  code.kinds = {Kind::kCode};
  const auto files = sources.search.index().count_documents(code);
  return !files || *files > 0;
}

}  // namespace

std::vector<PlannedCall> plan_live(const Reading& reading, const Sources& sources,
                                   const Policy& policy) {
  const Intent& intent = reading.intent;
  std::vector<PlannedCall> calls;
  for (size_t i = 0; i < reading.parts.size(); ++i)
    add_of_part(calls, plan_live(reading.parts[i], sources, policy), i);
  if (!reading.parts.empty()) return calls;
  // Preferred tools are called only if something is demanded.
  if (std::ranges::none_of(reading.demands, &Demand::must)) return calls;
  for (const Demand& demand : reading.demands) {
    if (!has_source(demand.tool, sources)) continue;
    if (demand.tool == "metrics_query")
      plan_metrics(calls, intent, demand, sources.live.metrics_config);
    if (demand.tool == "repo_search") {
      const bool alone = intent.type == QuestionType::kExplainCode;
      calls.push_back({CodeQuery{code_query(intent), alone ? kCodeLimitAlone : kCodeLimit},
                       "the code and the configuration of it", demand.rule});
    }
    if (demand.tool != "recent_changes") continue;
    ChangesQuery changes = changes_query(intent, sources.live.changes);
    calls.push_back({changes, changes_purpose(intent), demand.rule});
    if (intent.blamed.empty()) continue;
    changes.service = intent.blamed;
    calls.push_back({std::move(changes), "what was changed in what is blamed", demand.rule});
  }
  for (PlannedCall& call : open_incidents(intent, sources.search.index()))
    calls.push_back(std::move(call));
  return calls;
}

std::vector<PlannedCall> whole_plan(const Reading& reading, const Sources& sources,
                                    const Policy& policy) {
  std::vector<PlannedCall> calls = plan_live(reading, sources, policy);
  const auto keep_to_limit = [&] {
    if (calls.size() > policy.max_calls) calls.resize(policy.max_calls);
    return calls;
  };
  for (size_t i = 0; i < reading.parts.size(); ++i)
    add_of_part(calls, whole_plan(reading.parts[i], sources, policy), i);
  if (!reading.parts.empty()) return keep_to_limit();
  const Signals& asked = reading.intent.signals;
  const bool recorded = (!asked.changes || has_source("recent_changes", sources)) &&
                        (!asked.firing || has_source("metrics_query", sources));
  if (recorded && asks_only_for_records(reading.intent)) return calls;
  for (PlannedCall& call : plan(reading.intent)) {
    if (is_planned(call, calls)) continue;
    const auto preferred = std::ranges::find(reading.demands, call.tool(), &Demand::tool);
    if (preferred != reading.demands.end()) call.rule = preferred->rule;
    calls.push_back(std::move(call));
  }
  return keep_to_limit();
}

std::vector<PlannedCall> plan_again(const Reading& reading, const Sources& sources,
                                    const Policy& policy) {
  const Intent& intent = reading.intent;
  const std::vector<Receipt>& receipts = reading.receipts;
  std::vector<PlannedCall> calls;
  const size_t left = policy.max_calls - std::min(policy.max_calls, receipts.size());
  const auto keep_to_limit = [&] {
    if (calls.size() > left) calls.resize(left);
    return calls;
  };
  for (size_t i = 0; i < reading.parts.size(); ++i)
    add_of_part(calls, plan_again(part_of(reading, i), sources, policy), i);
  if (!reading.parts.empty()) return keep_to_limit();
  if (std::ranges::none_of(reading.demands, &Demand::must)) return calls;
  const auto add = [&](PlannedCall call) {
    const std::string args = arguments_of(call);
    const bool made = std::ranges::any_of(receipts, [&](const Receipt& receipt) {
      return receipt.tool == call.tool() && receipt.args == args;
    });
    if (!made && !is_planned(call, calls)) calls.push_back(std::move(call));
  };
  if (intent.type == QuestionType::kDebugIncident && has_source("repo_search", sources))
    for (PlannedCall& call : changed_code(receipts, sources.live.changes)) add(std::move(call));
  const std::set<std::string> words = system_words(intent);
  // If the system itself was not changed, something that it depends on may have been.
  const auto its_own = [](const MetricsResult&, const Receipt& r) { return is_narrowed(r); };
  if (const auto onset = find_onset(receipts, its_own, asked_direction(intent));
      onset && intent.type == QuestionType::kDebugIncident && !intent.service.empty() &&
      has_source("recent_changes", sources) &&
      !find_suspect(receipts, &*onset, intent.service, {})) {
    const TimePoint begun = std::chrono::floor<std::chrono::seconds>(onset->at());
    const std::string window =
        format_time(begun - kLongestLeadElsewhere) + "/" + format_time(begun);
    add({ChangesQuery{.window = window}, "what was changed elsewhere right before it",
         "second_look"});
  }
  for (const Receipt& receipt : receipts) {
    const auto* metrics = std::get_if<MetricsResult>(&receipt.result);
    if (metrics != nullptr && !is_narrowed(receipt)) {
      if (const TopSeries* own = own_series(*metrics, words))
        add(metric_of(*metrics, intent, *naming_label(own->labels, words)));
    }
    if (receipt.status == ReceiptStatus::kOk) continue;
    if (receipt.tool == "repo_search" && !intent.service.empty())
      add({CodeQuery{intent.service, kCodeLimit}, "again, with the name of the service alone",
           "second_look"});
    if (receipt.tool == "recent_changes" && !intent.qualifiers.commit.empty()) continue;
    if (receipt.tool == "recent_changes" && intent.signals.changes) {
      ChangesQuery query = changes_query(intent, sources.live.changes);
      const TimeRange asked = intersection(intent.times);
      query.window = asked.from
                         ? format_time(*asked.from - kFurtherBack) + "/" + format_time(*asked.from)
                         : fmt::format("{}d", kFurtherBack.count());
      query.limit = kMaxEarlier;
      add({std::move(query), "again, further back", "second_look"});
    } else if (receipt.tool == "recent_changes" && !intent.service.empty()) {
      ChangesQuery query = changes_query(intent, sources.live.changes);
      query.service.clear();
      add({std::move(query), "again, of any service", "second_look"});
    }
    // By the metric's name alone, however its series are labelled. An endpoint that no series has
    // does not exist.
    const bool unfit = metrics != nullptr &&
                       subject_of(intent, SubjectKind::kEndpoint) == nullptr && !metrics->summary &&
                       metrics->nearest.empty() && is_narrowed(receipt) &&
                       names_metric(intent, metrics->metric);
    if (unfit)
      add({TelemetryQuery{metrics->metric, "", window_of(intent)},
           "again, of whatever it is recorded for", "second_look"});
    // By the service that serves the endpoint.
    if (metrics != nullptr && !metrics->summary && !intent.service.empty() &&
        subject_of(intent, SubjectKind::kEndpoint) != nullptr && !metrics->metric.empty())
      add({TelemetryQuery{metrics->metric, "", window_of(intent), "service=" + intent.service},
           "again, of the whole service", "second_look"});
  }
  if (intent.type == QuestionType::kDebugIncident && has_source("metrics_query", sources))
    for (NamedMetric& named : metrics_in_runbooks(reading, sources))
      add({TelemetryQuery{std::move(named.metric), "", window_of(intent), std::move(named.filter)},
           "which the runbook says to look at", "second_look"});
  return keep_to_limit();
}

std::string not_configured(const Demand& demand) {
  if (demand.tool == "metrics_query")
    return "Metrics were not checked: no source of metrics is configured (name a Prometheus or a "
           "snapshot in config/tools.yaml).";
  if (demand.tool == "recent_changes")
    return "Changes were not checked: no source of changes is configured (name repositories or "
           "deploy logs in config/tools.yaml).";
  if (demand.tool == "repo_search")
    return "Code was not searched: no repository is indexed (precedent ingest --repo PATH indexes "
           "one).";
  return fmt::format("{} was not asked: it is not configured (config/tools.yaml).", demand.tool);
}

}  // namespace precedent
