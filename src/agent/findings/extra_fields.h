// Extra fields: what a record says beside the fields that every incident has, each with a name
// that can be read. A nested object is its members.
//
// Thread safety: pure functions over values.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/incident.h"

namespace precedent {

struct ExtraField {
  std::string name;  // "detected_by" → "detected by", "rootCause" → "root cause"
  std::string value;
};
std::vector<ExtraField> extra_fields(const Incident& incident);

// Those that measure time: "time to detection: 371 minutes", "downtime: 2 h".
std::vector<ExtraField> measured_times(const Incident& incident);

// How long it took until it was over: lasted(), else what a measured time of recovery or duration
// says ("389 minutes", "1.5 hours"). Nothing if neither is known.
std::optional<std::chrono::minutes> time_to_recover(const Incident& incident);

}  // namespace precedent
