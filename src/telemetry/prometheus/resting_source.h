// A source that does not answer is left alone for a while: whatever else the same question asks of
// it would wait as long for nothing.
//
// What timed out or could not be reached is remembered, with its error, which every call gets until
// the rest is over. Other errors are of the one query. Thread safety: as the seams; calls that wait
// already are not stopped. Ownership: of the source.
#pragma once

#include <chrono>
#include <memory>

#include "telemetry/alerts/alert_source.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// A turn with its second look; the next question may find the source well again.
inline constexpr std::chrono::milliseconds kSourceRest{30'000};

std::unique_ptr<MetricsSource> with_rests(std::unique_ptr<MetricsSource> source,
                                          std::chrono::milliseconds rest = kSourceRest);
std::unique_ptr<AlertSource> with_rests(std::unique_ptr<AlertSource> source,
                                        std::chrono::milliseconds rest = kSourceRest);

}  // namespace precedent
