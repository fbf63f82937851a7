#include "observe/counters.h"

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "base/mutex.h"

namespace precedent {
namespace {

constexpr std::string_view kOther = "other";

// From an offline answer (milliseconds) to the longest that a model may take (5 minutes).
const prometheus::Histogram::BucketBoundaries kRequestBuckets = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300};
// From a look-up in memory to a server that is given up on.
const prometheus::Histogram::BucketBoundaries kToolBuckets = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

double seconds(RequestDuration duration) { return static_cast<double>(duration.count()) / 1e6; }

// The series of one label's values.
template <typename Metric>
using Series = std::map<std::string, Metric*, std::less<>>;

template <typename Metric, typename... Args>
Series<Metric> series(prometheus::Family<Metric>& family, const std::string& label,
                      const std::vector<std::string>& values, const Args&... args) {
  Series<Metric> all;
  for (const std::string& value : values) all[value] = &family.Add({{label, value}}, args...);
  return all;
}

template <typename Metric>
Metric& of(const Series<Metric>& all, std::string_view value) {
  const auto found = all.find(value);
  return *(found == all.end() ? all.find(kOther) : found)->second;
}

Distribution distribution_of(const prometheus::ClientMetric::Histogram& histogram) {
  Distribution out;
  for (const auto& bucket : histogram.bucket)
    out.buckets.push_back({bucket.upper_bound, bucket.cumulative_count});
  out.count = histogram.sample_count;
  out.sum = histogram.sample_sum;
  return out;
}

std::vector<std::string> and_other(std::vector<std::string> values) {
  values.emplace_back(kOther);
  return values;
}

}  // namespace

struct Counters::Impl {
  explicit Impl(const std::vector<std::string>& tools);

  prometheus::Registry registry;
  Series<prometheus::Counter> requests, calls, errors;
  Series<prometheus::Histogram> tool_took;
  prometheus::Counter& grounded;
  prometheus::Counter& checked;
  prometheus::Gauge& rate;
  prometheus::Histogram& took;
  Mutex mutex;  // of a request: those who read see whole ones
};

Counters::Impl::Impl(const std::vector<std::string>& tools)
    : requests(series(prometheus::BuildCounter()
                          .Name("agent_requests_total")
                          .Help("Questions, by what they ask.")
                          .Register(registry),
                      "question_type", and_other({kQuestionTypes.begin(), kQuestionTypes.end()}))),
      calls(series(prometheus::BuildCounter()
                       .Name("agent_tool_calls_total")
                       .Help("Calls of tools.")
                       .Register(registry),
                   "tool", and_other(tools))),
      errors(series(prometheus::BuildCounter()
                        .Name("agent_tool_error_total")
                        .Help("Calls of tools that failed.")
                        .Register(registry),
                    "tool", and_other(tools))),
      tool_took(series(prometheus::BuildHistogram()
                           .Name("agent_tool_duration_seconds")
                           .Help("How long calls of tools took.")
                           .Register(registry),
                       "tool", and_other(tools), kToolBuckets)),
      grounded(prometheus::BuildCounter()
                   .Name("agent_grounded_responses_total")
                   .Help("Answers whose every factual sentence a receipt supports.")
                   .Register(registry)
                   .Add({})),
      checked(prometheus::BuildCounter()
                  .Name("agent_checked_responses_total")
                  .Help("Answers that were checked against their receipts.")
                  .Register(registry)
                  .Add({})),
      rate(prometheus::BuildGauge()
               .Name("agent_grounding_rate")
               .Help("Grounded answers among those that were checked, since the start.")
               .Register(registry)
               .Add({}, std::numeric_limits<double>::quiet_NaN())),
      took(prometheus::BuildHistogram()
               .Name("agent_request_duration_seconds")
               .Help("How long answers took.")
               .Register(registry)
               .Add({}, kRequestBuckets)) {}

Counters::Counters(const std::vector<std::string>& tools) : impl_(std::make_unique<Impl>(tools)) {}
Counters::~Counters() = default;

void Counters::add(const RequestRecord& record) {
  const std::string type = question_type(record);
  const std::optional<bool> is_grounded = precedent::grounded(record);
  const MutexLock lock(impl_->mutex);
  of(impl_->requests, type).Increment();
  impl_->took.Observe(seconds(record.took));
  for (const CallRecord& call : record.calls) {
    of(impl_->calls, call.tool).Increment();
    if (call.status == "error") of(impl_->errors, call.tool).Increment();
    if (call.took) of(impl_->tool_took, call.tool).Observe(seconds(*call.took));
  }
  if (!is_grounded) return;
  impl_->checked.Increment();
  if (*is_grounded) impl_->grounded.Increment();
  impl_->rate.Set(impl_->grounded.Value() / impl_->checked.Value());
}

Totals Counters::totals() const {
  const MutexLock lock(impl_->mutex);
  const auto whole = [](const prometheus::Counter& counter) {
    return static_cast<uint64_t>(counter.Value());
  };
  Totals totals;
  totals.grounded = whole(impl_->grounded);
  totals.checked = whole(impl_->checked);
  for (const auto& [type, counter] : impl_->requests) {
    if (whole(*counter) == 0) continue;
    totals.by_type[type] = whole(*counter);
    totals.requests += whole(*counter);
  }
  for (const auto& [tool, counter] : impl_->calls) {
    if (whole(*counter) == 0) continue;
    totals.tools[tool] = {whole(*counter), whole(of(impl_->errors, tool)),
                          distribution_of(of(impl_->tool_took, tool).Collect().histogram)};
  }
  totals.took = distribution_of(impl_->took.Collect().histogram);
  return totals;
}

std::string Counters::exposition() const {
  std::vector<prometheus::MetricFamily> families;
  {
    const MutexLock lock(impl_->mutex);
    families = impl_->registry.Collect();
  }
  // The registry keeps series by hash.
  std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
  for (prometheus::MetricFamily& family : families)
    std::ranges::sort(family.metric, std::less<>(), &prometheus::ClientMetric::label);
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

double Distribution::quantile(double q) const {
  if (count == 0 || buckets.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double rank = q * static_cast<double>(count);
  double begin = 0, before = 0;
  for (const Bucket& bucket : buckets) {
    const auto up_to = static_cast<double>(bucket.count);
    // What lies beyond the last finite bound is only known to do so.
    if (up_to >= rank && bucket.upper_bound == std::numeric_limits<double>::infinity())
      return begin;
    if (up_to >= rank) {
      const double share = up_to > before ? (rank - before) / (up_to - before) : 1;
      return begin + (bucket.upper_bound - begin) * share;
    }
    begin = bucket.upper_bound;
    before = up_to;
  }
  return begin;
}

}  // namespace precedent
