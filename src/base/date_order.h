// Which of day and month comes first in dates such as 03/04/2026: the text alone does not say, the
// column it stands in often does.
//
// Thread safety: pure functions; DateOrderVotes is a plain value.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace precedent {

enum class DateOrder { kUnknown, kDayFirst, kMonthFirst };

// As parse_time(text). `order` decides where the text does not; a text that contradicts it is
// refused.
Result<TimePoint> parse_time(std::string_view text, DateOrder order);

// What the texts of one column say together.
class DateOrderVotes {
 public:
  void see(std::string_view text);

  // Unknown if no text decides, or if two contradict each other.
  DateOrder order() const;
  // Whether any text could be read either way.
  bool needed() const { return either_way_; }
  // The first text that decides; "" if none does.
  const std::string& decided_by() const { return day_first_.empty() ? month_first_ : day_first_; }

 private:
  std::string day_first_, month_first_;  // the first text that can be read only so
  bool either_way_ = false;
};

}  // namespace precedent
