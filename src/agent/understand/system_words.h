// Whether metrics, alerts and their labels are of the system that a question is about: they share a
// telling word with its name.
//
// Thread safety: pure functions over values.
#pragma once

#include <set>
#include <string>

#include "agent/understand/intent.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

// The telling words of the services and endpoints that are asked about; none if nothing is named.
std::set<std::string> system_words(const Intent& intent);

// The first label whose value has one of the words; end() if none has.
LabelSet::const_iterator naming_label(const LabelSet& labels, const std::set<std::string>& words);

// Of several series that a metric was made of without a filter, one that is of the system where
// others are not; nullptr if there is none, or all are.
const TopSeries* own_series(const MetricsResult& metric, const std::set<std::string>& words);

}  // namespace precedent
