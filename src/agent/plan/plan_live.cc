#include "agent/plan/plan_live.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "agent/evidence/hypothesis.h"
#include "agent/plan/changed_code.h"
#include "agent/plan/live_calls.h"
#include "agent/plan/named_metrics.h"
#include "agent/understand/system_words.h"
#include "base/strings.h"
#include "changes/last_deploy.h"
#include "telemetry/query_text.h"
#include "tools/metrics_query.h"

namespace precedent {
namespace {

constexpr int kCodeLimit = 5;
// Where code is all that is asked for: two places a file leave five files.
constexpr int kCodeLimitAlone = 10;
// Changes before the time that was asked about, where none was in it.
constexpr std::chrono::days kFurtherBack{90};
constexpr int kMaxEarlier = 3;
bool is_planned(const PlannedCall& call, const std::vector<PlannedCall>& calls) {
  return std::ranges::any_of(calls, [&](const PlannedCall& other) {
    return other.tool == call.tool && other.args == call.args;
  });
}

void add_new(std::vector<PlannedCall>& calls, std::vector<PlannedCall> more) {
  for (PlannedCall& call : more)
    if (!is_planned(call, calls)) calls.push_back(std::move(call));
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
  for (const Reading& part : reading.parts) add_new(calls, plan_live(part, sources, policy));
  if (!reading.parts.empty()) return calls;
  // What is only preferred is worth a call where something is demanded.
  if (std::ranges::none_of(reading.demands, &Demand::must)) return calls;
  for (const Demand& demand : reading.demands) {
    if (!has_source(demand.tool, sources)) continue;
    if (demand.tool == "metrics_query")
      plan_metrics(calls, intent, demand, sources.live.metrics_config);
    if (demand.tool == "repo_search") {
      calls.push_back(
          {demand.tool,
           {{"query", code_query(intent)},
            {"limit", intent.type == QuestionType::kExplainCode ? kCodeLimitAlone : kCodeLimit}},
           "the code and the configuration of it",
           demand.rule});
    }
    if (demand.tool != "recent_changes") continue;
    calls.push_back({demand.tool, changes_args(intent, sources.live.changes),
                     changes_purpose(intent), demand.rule});
    if (intent.blamed.empty()) continue;
    nlohmann::json of_the_blamed = calls.back().args;
    of_the_blamed["service"] = intent.blamed;
    calls.push_back(
        {demand.tool, std::move(of_the_blamed), "what was changed in what is blamed", demand.rule});
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
  for (const Reading& part : reading.parts) add_new(calls, whole_plan(part, sources, policy));
  if (!reading.parts.empty()) return keep_to_limit();
  const Signals& asked = reading.intent.signals;
  const bool recorded = (!asked.changes || has_source("recent_changes", sources)) &&
                        (!asked.firing || has_source("metrics_query", sources));
  if (recorded && asks_only_for_records(reading.intent)) return calls;
  for (PlannedCall& call : plan(reading.intent)) {
    if (is_planned(call, calls)) continue;
    const auto preferred = std::ranges::find(reading.demands, call.tool, &Demand::tool);
    if (preferred != reading.demands.end()) call.rule = preferred->rule;
    calls.push_back(std::move(call));
  }
  return keep_to_limit();
}

Reading with_own_receipts(const Reading& part, const std::vector<Receipt>& receipts,
                          const Sources& sources, const Policy& policy) {
  Reading own = part;
  const auto take = [&](const std::vector<PlannedCall>& calls) {
    for (const PlannedCall& call : calls) {
      const std::string args = arguments_of(call);
      for (const Receipt& receipt : receipts)
        if (receipt.tool == call.tool && receipt.args == args) own.receipts.push_back(receipt);
    }
  };
  take(whole_plan(part, sources, policy));
  take(plan_again(own, sources, policy));
  return own;
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
  for (const Reading& part : reading.parts)
    add_new(calls, plan_again(with_own_receipts(part, receipts, sources, policy), sources, policy));
  if (!reading.parts.empty()) return keep_to_limit();
  if (std::ranges::none_of(reading.demands, &Demand::must)) return calls;
  const auto add = [&](PlannedCall call) {
    const std::string args = arguments_of(call);
    const bool made = std::ranges::any_of(receipts, [&](const Receipt& receipt) {
      return receipt.tool == call.tool && receipt.args == args;
    });
    if (!made && !is_planned(call, calls)) calls.push_back(std::move(call));
  };
  if (intent.type == QuestionType::kDebugIncident && has_source("repo_search", sources))
    for (PlannedCall& call : changed_code(receipts, sources.live.changes)) add(std::move(call));
  const std::set<std::string> words = system_words(intent);
  // What it depends on may have been changed, where it was not.
  const auto its_own = [](const MetricsResult&, const Receipt& r) { return is_narrowed(r); };
  if (const auto onset = find_onset(receipts, its_own, asked_direction(intent));
      onset && intent.type == QuestionType::kDebugIncident && !intent.service.empty() &&
      has_source("recent_changes", sources) &&
      !find_suspect(receipts, &*onset, intent.service, {})) {
    const TimePoint begun = std::chrono::floor<std::chrono::seconds>(onset->at());
    add({"recent_changes",
         {{"window", format_time(begun - kLongestLeadElsewhere) + "/" + format_time(begun)}},
         "what was changed elsewhere right before it",
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
      add({receipt.tool,
           {{"query", intent.service}, {"limit", kCodeLimit}},
           "again, with the name of the service alone",
           "second_look"});
    if (receipt.tool == "recent_changes" && !intent.qualifiers.commit.empty()) continue;
    if (receipt.tool == "recent_changes" && intent.signals.changes) {
      nlohmann::json args = changes_args(intent, sources.live.changes);
      const TimeRange asked = intersection(intent.times);
      args["window"] =
          asked.from ? format_time(*asked.from - kFurtherBack) + "/" + format_time(*asked.from)
                     : fmt::format("{}d", kFurtherBack.count());
      args["limit"] = kMaxEarlier;
      add({receipt.tool, std::move(args), "again, further back", "second_look"});
    } else if (receipt.tool == "recent_changes" && !intent.service.empty()) {
      nlohmann::json args = changes_args(intent, sources.live.changes);
      args.erase("service");
      add({receipt.tool, std::move(args), "again, of any service", "second_look"});
    }
    // By its own name: whatever its series are labelled with. An endpoint that none has is not
    // there.
    const bool unfit = metrics != nullptr &&
                       subject_of(intent, SubjectKind::kEndpoint) == nullptr && !metrics->summary &&
                       metrics->nearest.empty() && is_narrowed(receipt) &&
                       names_metric(intent, metrics->metric);
    if (unfit)
      add({receipt.tool,
           {{"query", fmt::format("metric={} {}", metrics->metric, window_of(intent))}},
           "again, of whatever it is recorded for",
           "second_look"});
    // Not by endpoint: by the service that serves it.
    if (metrics != nullptr && !metrics->summary && !intent.service.empty() &&
        subject_of(intent, SubjectKind::kEndpoint) != nullptr && !metrics->metric.empty())
      add({receipt.tool,
           {{"query", fmt::format("metric={} {} filter={}", metrics->metric, window_of(intent),
                                  in_quotes("service=" + intent.service))}},
           "again, of the whole service",
           "second_look"});
  }
  if (intent.type == QuestionType::kDebugIncident && has_source("metrics_query", sources))
    for (const NamedMetric& named : metrics_in_runbooks(reading, sources))
      add({"metrics_query",
           {{"query",
             fmt::format("metric={} {}{}", named.metric, window_of(intent),
                         named.filter.empty() ? "" : " filter=" + in_quotes(named.filter))}},
           "which the runbook says to look at",
           "second_look"});
  return keep_to_limit();
}

std::string not_configured(const Demand& demand) {
  const std::string_view why =
      demand.tool == "metrics_query"
          ? "as no metrics are configured (name a Prometheus or a snapshot in config/tools.yaml)"
      : demand.tool == "recent_changes"
          ? "as no changes are configured (name repositories or deploy logs in config/tools.yaml)"
      : demand.tool == "repo_search"
          ? "as no repository has been indexed (precedent ingest --repo PATH reads one)"
          : "as it is not configured (config/tools.yaml)";
  return fmt::format("{} was not asked, {}.", demand.tool, why);
}

}  // namespace precedent
