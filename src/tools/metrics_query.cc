#include "tools/metrics_query.h"

#include "telemetry/metric_report.h"
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
                 "p99_latency, error_rate, throughput, saturation. Also since=, until=, by=, "
                 "stat=, "
                 "agg=; alert=<name>; or PromQL",
             .required = true}}}) {}

Result<Tool::Outcome> MetricsQuery::run(const Args& args, ToolContext& context) const {
  const MetricsQuestion question = TRY(parse_metrics_question(args.text("query")));
  if (question.alert.empty() && context.live.metrics == nullptr)
    return fail(ErrorCode::kUnavailable, std::string(kNoMetrics));
  if (!question.alert.empty() && context.live.alerts == nullptr)
    return fail(ErrorCode::kUnavailable, std::string(kNoAlerts));
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
  outcome.empty = !result.summary && result.alerts.empty();
  // Alerts that are active beside a metric that was not found do not answer for it.
  if (question.alert.empty() && !result.summary)
    outcome.empty = result.alerts.empty() || result.alerts[0].name != question.metric;
  outcome.text = present(result);
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
