#include "tools/metrics_query.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/nearest.h"
#include "changes/last_deploy.h"
#include "telemetry/report/metric_report.h"
#include "tools/present.h"

namespace precedent {
namespace {

// Of all requests of one call; an incident does not wait longer for one number.
constexpr std::chrono::seconds kDeadline{30};

constexpr std::string_view kNoMetrics =
    "no metrics source is configured; name a Prometheus or a snapshot in config/tools.yaml, or set "
    "PRECEDENT_PROMETHEUS_URL or PRECEDENT_SNAPSHOT";
constexpr std::string_view kNoAlerts =
    "no alert source is configured; name an Alertmanager or a snapshot in config/tools.yaml, or "
    "set "
    "PRECEDENT_ALERTMANAGER_URL or PRECEDENT_SNAPSHOT";

constexpr std::string_view kNoChanges =
    "no change source is configured, so that the last deploy is not known; name repositories or "
    "deploy logs in config/tools.yaml, or write since=<time>";

// "since=last-deploy" → its moment; what it is known from.
Result<std::string> resolve_last_deploy(MetricsQuestion& question, const ChangeSource* changes,
                                        TimePoint now) {
  const auto* meant = std::get_if<LastDeployOf>(&question.since);
  if (meant == nullptr) return "";
  if (changes == nullptr) return fail(ErrorCode::kUnavailable, std::string(kNoChanges));
  std::string service = meant->service;
  for (const LabelFilter& filter : question.filters)
    if (service.empty() && filter.label == "service" && filter.op == LabelFilter::Op::kEqual)
      service = filter.value;
  const auto deploy = TRY(last_deploy(*changes, service, now));
  if (!deploy) {
    const auto close = nearest(service, changes->services());
    return fail(ErrorCode::kNotFound,
                fmt::format("no change source knows a deploy{}{}{}; write since=<time>",
                            service.empty() ? "" : " of '" + service + "'",
                            close ? fmt::format(" (did you mean '{}'?)", *close) : "",
                            unread_note(*changes)));
  }
  question.since = deploy->change.at;
  return fmt::format("Since the last deploy: {}.", deploy->text());
}

}  // namespace

MetricsQuery::MetricsQuery()
    : Tool(
          {"metrics_query",
           "What a metric is now, compared with before, when it changed, and which alerts are "
           "active. Call it before any claim about latency, errors, throughput or saturation of an "
           "endpoint or a service, and about anything after a deploy.",
           {{.name = "query",
             .description =
                 "metric=<name> window=24h filter=<label>=<value>, for example: metric=p95_latency "
                 "window=24h filter=endpoint=/api/search. Friendly names: p50_latency, "
                 "p95_latency, "
                 "p99_latency, error_rate, throughput, saturation. Also since= (a time, or "
                 "last-deploy), until=, by=, stat=, agg=; alert=<name>, or alert=* for all that "
                 "are active; metric=* for the names of all metrics; or PromQL",
             .required = true}}}) {}

Result<Tool::Outcome> MetricsQuery::run(const Args& args, ToolContext& context) const {
  MetricsQuestion question = TRY(parse_metrics_question(args.text("query")));
  if (question.alert.empty() && context.live.metrics == nullptr)
    return fail(ErrorCode::kUnavailable, std::string(kNoMetrics));
  if (!question.alert.empty() && context.live.alerts == nullptr)
    return fail(ErrorCode::kUnavailable, std::string(kNoAlerts));
  std::string deploy =
      TRY(resolve_last_deploy(question, context.live.changes, context.clock.now()));
  static const MetricsConfig kNoConfig;
  const MetricSources sources{
      context.live.metrics, context.live.alerts,
      context.live.metrics_config == nullptr ? kNoConfig : *context.live.metrics_config};
  const CancelToken never;
  const SourceContext source_context{context.cancel == nullptr ? never : *context.cancel,
                                     std::chrono::steady_clock::now() + kDeadline};
  Outcome outcome;
  MetricsResult result =
      TRY(report_metrics(question, sources, context.clock.now(), source_context));
  if (!deploy.empty()) result.notes.insert(result.notes.begin(), std::move(deploy));
  outcome.empty = !result.summary && result.alerts.empty();
  const bool lists = question.metric.ends_with(kListMetrics);
  if (lists) outcome.empty = false;
  // Alerts that are active beside a metric that was not found do not answer for it.
  if (question.alert.empty() && !result.summary && !lists)
    outcome.empty = result.alerts.empty() || result.alerts[0].name != question.metric;
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

std::optional<MetricsQuestion> metrics_question_of(const Receipt& receipt) {
  if (receipt.tool != "metrics_query") return std::nullopt;
  const nlohmann::json args = parse_json(receipt.args);
  const auto query = args.is_object() ? args.find("query") : args.end();
  // What a model calls may have any shape.
  if (query == args.end() || !query->is_string()) return std::nullopt;
  auto question = parse_metrics_question(query->get_ref<const std::string&>());
  return question ? std::optional(std::move(*question)) : std::nullopt;
}

bool is_narrowed(const Receipt& receipt) {
  const auto question = metrics_question_of(receipt);
  return question && !question->filters.empty();
}

}  // namespace precedent
