// TimeCondition: what "the one in March", "the night one" or "the one on the 24th" says about a
// time, as a test of an incident rather than as a range: a month without a year is any year's.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/time.h"
#include "knowledge/incident.h"

namespace precedent {

// Every part that is set must hold. Hours are half-open and may go over midnight (UTC).
struct TimeCondition {
  std::optional<unsigned> month, weekday, day;  // 1–12, 0 is Sunday, 1–31
  std::optional<int> year;
  std::optional<std::pair<int, int>> hours;
  std::optional<TimeRange> range;

  bool empty() const { return !month && !weekday && !day && !year && !hours && !range; }
  // By opened(); an incident without a known time fits nothing.
  bool fits(const Incident& incident) const;
};

// `words` in lower case.
TimeCondition read_time_condition(const std::string& words, TimePoint now);

}  // namespace precedent
