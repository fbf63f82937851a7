// Any bytes as a query, an exposition, a CSV, an answer of Prometheus and a list of alerts: read or
// refused; what was read is well-formed, and a query that was written down is read back.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "telemetry/alerts/alert_json.h"
#include "telemetry/prometheus/prometheus_json.h"
#include "telemetry/query/query_text.h"
#include "telemetry/snapshot/exposition.h"
#include "telemetry/snapshot/metric_csv.h"

using namespace precedent;

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_labels(const LabelSet& labels) {
  for (const auto& [name, value] : labels) check(!invalid_utf8_at(name) && !invalid_utf8_at(value));
}

void check_data(const MetricData& data) {
  for (const auto& [metric, all] : data.series) {
    check(is_metric_name(metric));
    for (const Series& series : all) check_labels(series.labels);
  }
  const EmbeddedMetrics source("fuzz", data);
  for (const auto& [metric, all] : data.series) {
    const CancelToken cancel;
    const auto from = source.frozen_at().value_or(Instant{}) - std::chrono::minutes(10);
    check(source
              .range(MetricQuery{.statistic = Statistic::kRate, .of = {metric}},
                     {from, from + std::chrono::minutes(10), std::chrono::minutes(1)}, {cancel})
              .has_value());
  }
}

void check_query(std::string_view text) {
  const auto question = parse_metrics_question(text);
  if (!question) {
    check(question.error().code == ErrorCode::kInvalidArgument &&
          !invalid_utf8_at(question.error().message) && question.error().message.size() < 1000);
    return;
  }
  check(!question->metric.empty() + !question->promql.empty() + !question->alert.empty() == 1);
  for (const LabelFilter& filter : question->filters) check(is_label_name(filter.label));
  const Instant now(std::chrono::hours(24 * 365 * 56));
  const auto span = resolve_span(*question, now, std::chrono::hours(24));
  if (span) check(span->from < span->to && span->to <= now);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_query(bytes);
  for (const bool csv : {false, true}) {
    MetricBuilder builder;
    ReadProblems problems;
    if (csv)
      read_metric_csv(bytes, "fuzz.csv", builder, problems);
    else
      read_exposition(bytes, "fuzz.om", builder, problems);
    check_data(std::move(builder).take());
  }
  if (const auto answer = read_prometheus_answer(bytes))
    for (const Series& series : answer->set.series) check_labels(series.labels);
  static_cast<void>(read_prometheus_metadata(bytes));
  if (const auto alerts = read_alerts(bytes, "fuzz.json"))
    for (const RecordedAlert& recorded : *alerts) {
      check(!recorded.alert.name.empty());
      check_labels(recorded.alert.labels);
      check_labels(recorded.alert.annotations);
    }
  return 0;
}
