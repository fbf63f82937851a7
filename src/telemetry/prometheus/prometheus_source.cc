#include "telemetry/prometheus/prometheus_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "telemetry/metrics/catalogue.h"
#include "telemetry/prometheus/prometheus_json.h"

namespace precedent {
namespace {

std::string seconds(Instant at) {
  const int64_t ms = at.time_since_epoch().count();
  return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

}  // namespace

Result<PrometheusAnswer> PrometheusSource::read(const HttpResponse& response) const {
  auto answer = read_prometheus_answer(response.body);
  if (!answer && answer.error().code == ErrorCode::kCorrupt) return http_.not_ours(response);
  if (!answer) return std::unexpected(std::move(answer).error().within(describe()));
  if (answer->error_type.empty() && answer->error.empty()) return answer;
  const std::string said =
      fmt::format("{} says ({}): {}", describe(), answer->error_type, answer->error);
  if (answer->error_type == "timeout" || answer->error_type == "canceled")
    return fail(ErrorCode::kTimeout, said + "; ask for a shorter window or fewer series");
  if (answer->error_type == "bad_data" || answer->error_type == "execution" ||
      response.status == 422)
    return fail(ErrorCode::kInvalidArgument, said + "; correct the query");
  return fail(ErrorCode::kUnavailable, said);
}

Result<SeriesSet> PrometheusSource::range(const MetricQuery& query, const Window& window,
                                          const SourceContext& context) const {
  return range(PromQl{to_promql(query)}, window, context);
}

Result<SeriesSet> PrometheusSource::range(const PromQl& query, const Window& window,
                                          const SourceContext& context) const {
  const auto step = std::max<int64_t>(1, window.step.count());
  const HttpResponse response =
      TRY(http_.post("/api/v1/query_range",
                     {{"query", query.text},
                      {"start", seconds(window.from)},
                      {"end", seconds(window.to)},
                      {"step", fmt::format("{}.{:03}", step / 1000, step % 1000)}},
                     context));
  SeriesSet set = std::move(TRY(read(response)).set);
  std::ranges::sort(set.series, {}, &Series::labels);
  return set;
}

Result<std::vector<MetricInfo>> PrometheusSource::catalogue(const SourceContext& context) const {
  const HttpResponse listed = TRY(http_.get("/api/v1/label/__name__/values", {}, context));
  const PrometheusAnswer names = TRY(read(listed));
  const auto metadata = http_.get("/api/v1/metadata", {}, context);
  std::vector<MetricInfo> known;
  // Some servers that speak the API have no metadata; names are enough.
  if (metadata)
    if (auto read = read_prometheus_metadata(metadata->body)) known = std::move(read->metadata);
  return build_catalogue(names.names, known);
}

Result<std::vector<LabelSet>> PrometheusSource::series(const Selector& selector, Instant from,
                                                       Instant to,
                                                       const SourceContext& context) const {
  const HttpResponse response = TRY(http_.post(
      "/api/v1/series",
      {{"match[]", to_promql(selector)}, {"start", seconds(from)}, {"end", seconds(to)}}, context));
  std::vector<LabelSet> found = std::move(TRY(read(response)).label_sets);
  std::ranges::sort(found);
  return found;
}

}  // namespace precedent
