#include "base/date_order.h"

namespace precedent {

void DateOrderVotes::see(std::string_view text) {
  // Only a date of digits and signs can be read either way; most texts of a record are no dates.
  if (text.find('/') == std::string_view::npos && text.find('-') == std::string_view::npos) return;
  const auto day = parse_time(text, DateOrder::kDayFirst);
  const auto month = parse_time(text, DateOrder::kMonthFirst);
  if (day && month) either_way_ = either_way_ || *day != *month;
  if (day && !month && day_first_.empty()) day_first_ = text;
  if (month && !day && month_first_.empty()) month_first_ = text;
}

DateOrder DateOrderVotes::order() const {
  if (day_first_.empty() == month_first_.empty()) return DateOrder::kUnknown;
  return day_first_.empty() ? DateOrder::kMonthFirst : DateOrder::kDayFirst;
}

}  // namespace precedent
