// Alerts as JSON → Alert: what Alertmanager's API answers, what its webhook sends, what people
// keep.
//
//   [{"labels": {"alertname": …}, "annotations": …, "startsAt": …, "endsAt": …}]   API v2
//   {"alerts": [ … as above … ]}                                                   webhook v4
//   {"monitor": "checkout-p99", "service": …, "fired_at": …, "summary": …}         one flat object
//
// Of a flat object the name is alertname, name, monitor, alert or title; the beginning startsAt,
// fired_at, started_at, timestamp or time; the end endsAt, resolved_at or ended_at. Words without
// spaces become labels, everything else annotations. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "telemetry/alerts/alert_source.h"

namespace precedent {

struct RecordedAlert {
  Alert alert;
  std::optional<Instant> ends_at;  // nothing: not known, or not over
};

// `otherwise`: when an alert began that does not say so. Errors: kInvalidArgument naming `path`,
// the alert by its place, and what is missing.
Result<std::vector<RecordedAlert>> read_alerts(std::string_view json, std::string_view path,
                                               const std::optional<Instant>& otherwise = {});

}  // namespace precedent
