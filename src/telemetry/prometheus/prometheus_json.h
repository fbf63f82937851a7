// What Prometheus' HTTP API answers, as values:
// https://prometheus.io/docs/prometheus/latest/querying/api/
//
// Read as a stream of JSON events, so that 100,000 samples are never a tree. Thread safety: pure.
#pragma once

#include <string_view>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// Nothing in `problem` if the status is "success".
struct PrometheusAnswer {
  std::string error_type = {};  // "bad_data", "execution", "timeout" …
  std::string error = {};
  std::string result_type = {};           // "matrix", "vector", "scalar"
  SeriesSet set = {};                     // of a matrix; of anything else one sample a series
  std::vector<std::string> names = {};    // a list of texts: label values
  std::vector<LabelSet> label_sets = {};  // a list of objects: series
  std::vector<MetricInfo> metadata = {};
};

// Errors: kCorrupt (not such an answer), kResourceExhausted (more series or samples than allowed).
Result<PrometheusAnswer> read_prometheus_answer(std::string_view json);
Result<PrometheusAnswer> read_prometheus_metadata(std::string_view json);

}  // namespace precedent
