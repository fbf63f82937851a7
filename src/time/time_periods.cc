#include "time/time_periods.h"

#include "time/calendar.h"
#include "time/dates.h"
#include "time/named_periods.h"
#include "time/relative_periods.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

std::optional<Period> whole_period(std::string_view s, TimePoint now, bool after_preposition) {
  auto found = absolute_period(s, now, after_preposition);
  if (!found) found = week_of(s, now);
  if (!found) found = calendar_words(s, now);
  if (!found) found = part_of_today(s, now);
  if (!found) found = period_ago(s, now);
  if (!found) found = feast_day(s, now);
  if (!found) found = season(s, now, after_preposition);
  if (!found) found = weekday_named(s, now);
  if (!found) found = same_time(s, now);
  if (!found) found = vague_month(s, now);
  if (!found && (after_preposition || sure_month(s, now))) found = bare_period(s, now);
  if (!found || !found->yearless) return found;
  if (const auto said = said_year(s.substr(found->length), now)) {
    found = in_year(*found, said->value);
    found->yearless = false;
    found->length += said->length;
  }
  return found;
}

// "Friday night", "the evening of March 4", "Thursday morning last week".
std::optional<Period> part_of_day(std::string_view s, TimePoint now, bool after_preposition) {
  if (const auto part = part_before_day(s)) {
    auto day = whole_period(s.substr(part->length), now, true);
    if (!day || !day->day) return std::nullopt;
    return part->of(*day);
  }
  auto day = whole_period(s, now, after_preposition);
  if (!day || !day->day) return day;
  const auto part = part_behind_day(s.substr(day->length));
  return part ? part->of(*day) : day;
}

// "this year" and "the year" end now, but their halves are the calendar's.
std::optional<Period> current_unit(std::string_view s, TimePoint now) {
  static const RE2 kUnit("^(?:this|the)\\s+(year|quarter|month|week)\\b");
  const TimeMatch m(kUnit, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  if (m[1] == "year") return months_from(month_of(now).year() / January, 12, m.length());
  if (m[1] == "quarter") return months_from(quarter_of(now), 3, m.length());
  if (m[1] == "month") return months_from(month_of(now), 1, m.length());
  return Period{start_of_week(now), start_of_week(now) + days(7), m.length()};
}

// "first" and "last" of a period: so many days, weeks or months at one of its ends.
Period cut_to(Period whole, bool first, int count, std::string_view unit) {
  if (unit == "month") {
    const year_month month = month_of(first ? whole.from : whole.to);
    (first ? whole.to : whole.from) =
        first_of(first ? month + months(count) : month - months(count));
  } else {
    const days width((unit == "week" ? 7 : 1) * count);
    (first ? whole.to : whole.from) = first ? whole.from + width : whole.to - width;
  }
  return whole;
}

Period half_of(Period whole, bool first) {
  const days width = floor<days>(whole.to - whole.from);
  const TimePoint middle = width > days(360) ? first_of(month_of(whole.from) + months(6))
                           : width > days(1) ? whole.from + days(width.count() / 2)
                                             : whole.from + hours(12);
  (first ? whole.to : whole.from) = middle;
  return whole;
}

// Of a year or a quarter: a month. Of a month: ten days, or what the end has after two times ten.
// Of a week: two days.
Period edge_of(Period whole, bool beginning) {
  const days width = floor<days>(whole.to - whole.from);
  whole.bound = beginning ? whole.from : whole.to;
  if (width > days(31)) return cut_to(whole, beginning, 1, "month");
  if (width > days(7))
    return cut_to(whole, beginning, beginning ? 10 : static_cast<int>(width.count()) - 20, "day");
  return width > days(2) ? cut_to(whole, beginning, 2, "day") : whole;
}

// "first half of September", "the end of last year", "last two weeks of October".
std::optional<Period> part_of_period(std::string_view s, TimePoint now) {
  static const RE2 kPart(
      "^(?:the\\s+)?(?:(first|second|last)\\s+half|(beginning|start)|(end)|"
      "(first|last)\\s+(?:(\\d+|[a-z]+)\\s+)?(day|week|month)s?)\\s+of\\s+");
  const TimeMatch m(kPart, s);
  if (!m) return std::nullopt;
  const std::string_view inner = s.substr(m.length());
  auto whole = current_unit(inner, now);
  // "What runs at the end of the month?" is a habit.
  if (whole && inner.starts_with("the") && !m.has(2)) return std::nullopt;
  static const RE2 kArticle("^(?:the\\s+)?(?:month\\s+of\\s+|year\\s+)?");
  const size_t article = whole ? 0 : TimeMatch(kArticle, inner).length();
  if (!whole) whole = part_of_day(inner.substr(article), now, true);
  if (!whole) return std::nullopt;
  Period part;
  if (m.has(1)) {
    part = half_of(*whole, m[1] == "first");
  } else if (m.has(6)) {
    static constexpr int kMost = 366;
    const auto count = m.has(5) ? read_number(m[5]) : 1;
    if (!count || *count < 1 || *count > kMost) return std::nullopt;
    part = cut_to(*whole, m[4] == "first", *count, m[6]);
  } else {
    part = edge_of(*whole, m.has(2));
  }
  if (part.from < whole->from || part.to > whole->to || part.from > now) return std::nullopt;
  part.day = false;
  part.length += m.length() + article;
  return part;
}

std::optional<Period> any_period(std::string_view s, TimePoint now, bool after_preposition) {
  auto found = part_of_period(s, now);
  if (!found) found = part_of_day(s, now, after_preposition);
  // "This evening" of a day that is not so far.
  if (found && found->to <= found->from) return std::nullopt;
  return found;
}

}  // namespace

std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition) {
  if (auto found = any_period(lower, now, after_preposition)) return found;
  if (!after_preposition) return std::nullopt;
  static const RE2 kArticle(
      "^(?:the\\s+)?(?:(?:month|middle)\\s+of\\s+|year\\s+|early\\s+|late\\s+|mid[\\s-]+)?"
      "(?:the\\s+)?");
  const TimeMatch article(kArticle, lower);
  if (article.length() == 0) return std::nullopt;
  auto found = any_period(lower.substr(article.length()), now, true);
  if (found) found->length += article.length();
  return found;
}

}  // namespace precedent
