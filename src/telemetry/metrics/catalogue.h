// What metrics there are: from the names of series to the names that people ask for, and from a
// name that somebody wrote to the metrics that were probably meant.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// `names` are those of series, `known` what is recorded about families. A histogram's _bucket, _sum
// and _count become one entry. Where nothing is recorded the ending decides: _total is a counter,
// anything else a gauge; the unit is an ending such as _seconds. By name, each once.
std::vector<MetricInfo> build_catalogue(std::vector<std::string> names,
                                        std::span<const MetricInfo> known);

const MetricInfo* find_metric(std::span<const MetricInfo> catalogue, std::string_view name);

// The nearest names, best first: close in spelling, or sharing parts ("search_latency" →
// "search_request_latency_seconds"). At most `limit`.
std::vector<std::string> suggest(std::string_view wrong, const std::vector<std::string>& names,
                                 size_t limit = 3);
// What to say of them, and how to see all: a sentence.
std::string nearest_names(const std::vector<std::string>& names);

}  // namespace precedent
