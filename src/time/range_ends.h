// One end of a range of times: a period, a time of day, or both ("March 4, from 14:30").
//
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <re2/re2.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "time/clock_time.h"
#include "time/period.h"

namespace precedent {

// At least one of `period` and `clock` is there, or `day_of_month` alone.
struct RangeEnd {
  size_t length = 0;  // bytes read
  std::optional<Period> period;
  std::optional<ClockTime> clock;
  std::optional<unsigned> day_of_month;  // "3" of "between 3 and 5 March"

  bool moment() const { return period && clock; }
  bool clock_only() const { return clock && !period; }
  // REQUIRES of both: `period`.
  TimePoint from() const {
    return clock ? period->at(*clock) : period->bound.value_or(period->from);
  }
  TimePoint to() const { return clock ? period->at(*clock) : period->bound.value_or(period->to); }
};

// The words that lead to an end: "within the specified 30-minute time window from".
const RE2& lead_words();

std::optional<RangeEnd> read_end(std::string_view s, TimePoint now, bool after_preposition);

// "March 4", "March 4, from 14:30", "2021-03-04T14:30".
std::optional<RangeEnd> period_end(std::string_view s, TimePoint now, bool after_preposition);

// "3", "the 3rd" of no month.
std::optional<RangeEnd> bare_day_end(std::string_view s);

// "the 2nd" of no month: a day, if nothing follows that could be the second of its kind.
std::optional<RangeEnd> ordinal_day_end(std::string_view s, bool may_go_on);

// "now", "the present".
std::optional<RangeEnd> present_end(std::string_view s, TimePoint now);

// The latest such day of a month that is not after `latest`.
std::optional<Period> latest_day(unsigned wanted, TimePoint latest, size_t length);

// The day of a time of day that names none: today, or yesterday while today's is still to come.
Period day_of_clock(const ClockTime& clock, TimePoint now);

// What an end means that stands alone. An incident is rarely opened in the very minute that is
// asked about: a moment means its whole day, which another time zone may have moved. REQUIRES:
// `end.period`.
TimeRange whole_of(const RangeEnd& end);

}  // namespace precedent
