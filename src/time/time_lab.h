// Questions and the times that are read off them, as text: for the tests of time/.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "time/time_hints.h"

namespace precedent {

inline TimePoint at(std::string_view text) { return parse_time(text).value(); }

// A Friday.
inline const TimePoint kNow = at("2026-11-20T09:30:00Z");

inline std::string written(const std::optional<TimePoint>& t) {
  if (!t) return "*";
  const std::string text = format_time(*t);
  return text.ends_with("T00:00:00Z") ? text.substr(0, 10)
         : text.ends_with(":00Z")     ? text.substr(0, 16)
                                      : text;
}

// "2025-01-20..2025-01-21", hints separated by "; ", "" if there are none.
inline std::string ranges(std::string_view question, TimePoint now = kNow) {
  std::string out;
  for (const TimeHint& hint : find_time_hints(question, now)) {
    if (!out.empty()) out += "; ";
    out += written(hint.range.from) + ".." + written(hint.range.to);
  }
  return out;
}

struct Case {
  const char* question;
  const char* expected;
};

inline void check(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(ranges(c.question), c.expected) << c.question;
}

}  // namespace precedent
