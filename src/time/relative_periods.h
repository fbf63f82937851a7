// Periods that are told from today or from a day nearby: "3 days ago", "last Tuesday", "the week of
// March 3", "same time last week".
//
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "time/period.h"

namespace precedent {

// "3 days ago" is that day, "two weeks ago" the calendar week then, "2 hours ago" the time since.
// As the end of a range, a week or a month ago is the day itself.
std::optional<Period> period_ago(std::string_view s, TimePoint now);

// "Friday", "last Tuesday": the latest one before today; "Thursday last week"; "Friday, 6
// November". "mon" and "sat" are words of their own: they count only before a part of the day or a
// time.
std::optional<Period> weekday_named(std::string_view s, TimePoint now);

// "the week of March 3": Monday to Monday around that day; "the weekend of March 3".
std::optional<Period> week_of(std::string_view s, TimePoint now);

// "same time last week": that whole day, because a moment alone means its day.
std::optional<Period> same_time(std::string_view s, TimePoint now);

}  // namespace precedent
