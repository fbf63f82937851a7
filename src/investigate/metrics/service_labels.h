// Which service a series is about.
//
// Thread safety: pure function.
#pragma once

#include <string>

#include "telemetry/metrics/series.h"

namespace precedent {

// By the labels that name it: service, app, deployment, container, pod (without its hash), job; ""
// if none does.
std::string service_of(const LabelSet& labels);

}  // namespace precedent
