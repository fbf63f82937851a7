// parse_time: one pass over the words, numbers and signs of a date, whatever their order, then one
// decision about what the date's numbers mean. Reading by tokens instead of by a list of patterns
// lets every spelling of the date meet every spelling of the clock and of the offset; whatever is
// left over is an error, so that nothing is guessed.
// Over 400 lines: one automaton, whose states are its members.
#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/date_order.h"
#include "base/ids.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// No spelling of a date that we read is longer.
constexpr size_t kMaxLength = 100;

struct Named {
  std::string_view name;
  int value;
};

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
constexpr std::array<std::string_view, 8> kFillers = {"at", "on", "of", "the",
                                                      "st", "nd", "rd", "th"};
// Minutes east of UTC. The names of RFC 2822, and those of Europe, which mean one thing only.
constexpr std::array<Named, 18> kZones = {{{"z", 0},
                                           {"utc", 0},
                                           {"gmt", 0},
                                           {"ut", 0},
                                           {"est", -300},
                                           {"edt", -240},
                                           {"cst", -360},
                                           {"cdt", -300},
                                           {"mst", -420},
                                           {"mdt", -360},
                                           {"pst", -480},
                                           {"pdt", -420},
                                           {"wet", 0},
                                           {"west", 60},
                                           {"cet", 60},
                                           {"cest", 120},
                                           {"eet", 120},
                                           {"eest", 180}}};

// "mar", "sept" and "march" of "march"; 0 if none, else 1-based.
template <size_t N>
int index_of(const std::array<std::string_view, N>& names, std::string_view word) {
  for (size_t i = 0; i < N; ++i) {
    if (word.size() >= 3 && names[i].starts_with(word)) return static_cast<int>(i) + 1;
  }
  return 0;
}

int to_int(std::string_view digits) {
  int value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

struct Number {
  std::string_view digits;
  char separator;  // the sign before it; ' ' if there is none
};

class TimeParser {
 public:
  TimeParser(std::string_view text, DateOrder order) : text_(text), order_(order) {}

  Result<TimePoint> parse() {
    while (at_ < text_.size()) TRY(token());
    const auto date = TRY(resolve_date());
    if (twelve_hour_ && !clock_) return wrong("AM or PM without a time");
    return std::chrono::sys_days(date) + clock_.value_or(seconds(0)) - offset_.value_or(minutes(0));
  }

 private:
  std::unexpected<Error> wrong(std::string_view why) const {
    return fail(ErrorCode::kInvalidArgument, std::string(why));
  }

  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  std::string_view take(bool (*of)(char)) {
    const size_t begin = at_;
    while (at_ < text_.size() && of(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Result<void> token() {
    if (is_digit(peek())) return number();
    if (is_letter(peek())) return word();
    const char c = text_[at_++];
    if (c == ' ' || c == ',') return {};
    if ((c == '+' || c == '-') && clock_ && is_digit(peek())) return offset(c == '-' ? -1 : 1);
    if (c == '-' || c == '/' || c == '.' || c == ':') {
      separator_ = c;
      return {};
    }
    if (c == '(' || c == '[') return comment(c == '(' ? ')' : ']');
    return wrong(fmt::format("'{}' is not part of any date", c));
  }

  Result<void> number() {
    const std::string_view digits = take(is_digit);
    const char separator = std::exchange(separator_, ' ');
    const bool after_t = std::exchange(after_t_, false);
    if (peek() == ':' && digits.size() <= 2 && is_digit(peek(1))) return clock(digits);
    if (after_t) return compact_clock(digits);
    if (digits.size() == 8 || digits.size() == 14) {
      numbers_.push_back({digits.substr(0, 4), ' '});
      numbers_.push_back({digits.substr(4, 2), '-'});
      numbers_.push_back({digits.substr(6, 2), '-'});
      if (digits.size() == 14) return compact_clock(digits.substr(8));
      compact_date_ = true;
      return {};
    }
    // "20240102 0815"
    if (compact_date_ && !clock_ && (digits.size() == 4 || digits.size() == 6))
      return compact_clock(digits);
    if (digits.size() > 4 || numbers_.size() == 3)
      return wrong(fmt::format("'{}' does not belong there", digits));
    numbers_.push_back({digits, separator});
    return {};
  }

  Result<void> clock(std::string_view hour) {
    ++at_;
    const std::string_view minute = take(is_digit);
    std::string_view second = "0";
    if (peek() == ':' && is_digit(peek(1))) {
      ++at_;
      second = take(is_digit);
      if (second.size() != 2) return wrong("seconds have two digits");
      if ((peek() == '.' || peek() == ',') && is_digit(peek(1))) {
        ++at_;
        take(is_digit);  // whole seconds are what we keep
      }
    }
    if (minute.size() != 2) return wrong("minutes have two digits");
    return set_clock(to_int(hour), to_int(minute), to_int(second));
  }

  Result<void> compact_clock(std::string_view digits) {
    if (digits.size() != 2 && digits.size() != 4 && digits.size() != 6) {
      return wrong(fmt::format("'{}' is not a time", digits));
    }
    if (digits.size() == 6 && (peek() == '.' || peek() == ',') && is_digit(peek(1))) {
      ++at_;
      take(is_digit);
    }
    return set_clock(to_int(digits.substr(0, 2)),
                     digits.size() > 2 ? to_int(digits.substr(2, 2)) : 0,
                     digits.size() > 4 ? to_int(digits.substr(4, 2)) : 0);
  }

  // 24:00 is the end of the day, and :60 a leap second; both become the second that follows. A leap
  // second comes at the end of a UTC hour, which some offsets move to another quarter.
  Result<void> set_clock(int hour, int minute, int second) {
    if (clock_) return wrong("it has two times");
    if (hour > 24 || (hour == 24 && (minute != 0 || second != 0)))
      return wrong(fmt::format("there is no hour {}", hour));
    if (minute > 59) return wrong(fmt::format("there is no minute {}", minute));
    if (second > 60 || (second == 60 && minute % 15 != 14))
      return wrong(fmt::format("there is no second {}", second));
    clock_ = std::chrono::hours(hour) + minutes(minute) + seconds(second);
    hour_ = hour;
    return {};
  }

  Result<void> word() {
    const bool touches_digits = at_ > 0 && is_digit(text_[at_ - 1]);
    const std::string word = ascii_lower(take(is_letter));
    if (word == "t" && touches_digits && is_digit(peek())) {
      after_t_ = true;
      return {};
    }
    if (word == "am" || word == "pm") return half_of_day(word == "pm");
    if ((word == "a" || word == "p") && peek() == '.' && (peek(1) == 'm' || peek(1) == 'M')) {
      at_ += peek(2) == '.' ? 3 : 2;
      return half_of_day(word == "p");
    }
    if (const int month = index_of(kMonths, word)) {
      if (month_ != 0) return wrong("it has two months");
      month_ = month;
      month_separator_ = std::exchange(separator_, ' ');
      return {};
    }
    if (index_of(kWeekdays, word) != 0) return {};
    for (const std::string_view filler : kFillers) {
      if (word == filler) return {};
    }
    for (const auto& [name, east] : kZones) {
      if (word == name) return zone(east);
    }
    return wrong(
        clock_ ? fmt::format("'{}' is no time zone that is known; write the offset, such as +05:30",
                             word)
               : fmt::format("'{}' is not part of any date", word));
  }

  Result<void> half_of_day(bool afternoon) {
    if (twelve_hour_) return wrong("it has AM or PM twice");
    if (!clock_) {
      // "9 PM": the number just read was an hour.
      if (numbers_.empty() || numbers_.back().digits.size() > 2)
        return wrong("AM or PM without a time");
      const int hour = to_int(numbers_.back().digits);
      numbers_.pop_back();
      TRY(set_clock(hour, 0, 0));
    }
    if (hour_ < 1 || hour_ > 12)
      return wrong(fmt::format("there is no hour {} with AM or PM", hour_));
    twelve_hour_ = true;
    if (hour_ == 12) *clock_ -= std::chrono::hours(12);
    if (afternoon) *clock_ += std::chrono::hours(12);
    return {};
  }

  Result<void> zone(int east) {
    if (offset_) return wrong("it has two time zones");
    if (!clock_) return wrong("a time zone without a time");
    if ((peek() == '+' || peek() == '-') && is_digit(peek(1)) && east == 0)
      return {};  // "UTC+2": the offset follows
    offset_ = minutes(east);
    return {};
  }

  // +02:00, +0200, +02 and +2.
  Result<void> offset(int sign) {
    if (offset_) return wrong("it has two time zones");
    std::string_view digits = take(is_digit);
    int hour = 0, minute = 0;
    if (digits.size() <= 2) {
      hour = to_int(digits);
      if (peek() == ':' && is_digit(peek(1))) {
        ++at_;
        digits = take(is_digit);
        if (digits.size() != 2) return wrong("an offset is written as +02:00");
        minute = to_int(digits);
      }
    } else if (digits.size() == 4) {
      hour = to_int(digits.substr(0, 2));
      minute = to_int(digits.substr(2));
    } else {
      return wrong("an offset is written as +02:00");
    }
    // The earth has −12:00 to +14:00.
    if (minute > 59 || hour * 60 + minute > 14 * 60)
      return wrong("there is no such offset from UTC");
    offset_ = sign * minutes(hour * 60 + minute);
    return {};
  }

  // "(Coordinated Universal Time)", "[Europe/Paris]": says again in words what the offset has said.
  Result<void> comment(char end) {
    const size_t close = text_.find(end, at_);
    if (close == std::string_view::npos) return wrong(fmt::format("a '{}' is missing", end));
    const std::string_view inside = text_.substr(at_, close - at_);
    at_ = close + 1;
    if (!offset_ && !iequals(inside, "UTC") && !iequals(inside, "GMT")) {
      return wrong(
          fmt::format("'{}' does not tell the offset from UTC; write it, such as +05:30", inside));
    }
    return {};
  }

  Result<std::chrono::year_month_day> resolve_date() const {
    if (month_ != 0) return with_named_month();
    if (numbers_.size() != 3) return wrong("a day, a month and a year are needed");
    const auto& [first, second, third] = std::tie(numbers_[0], numbers_[1], numbers_[2]);
    const char separator = second.separator;
    if (separator == ' ' || separator == ':' || separator != third.separator) {
      return wrong("day, month and year are not separated by two equal signs");
    }
    if (first.digits.size() == 4)
      return date(first.digits, to_int(second.digits), to_int(third.digits));
    // "6/1/23 4:15 PM", as spreadsheets write it; without a time of day it may be a version.
    const bool sheet = third.digits.size() == 2 && clock_ && separator != '-';
    if (third.digits.size() != 4 && !sheet) return wrong("the year needs four digits");
    const std::string year = sheet ? long_year(third.digits) : std::string(third.digits);
    const int a = to_int(first.digits), b = to_int(second.digits);
    if (separator == '.') return date(year, b, a);
    if (order_ == DateOrder::kDayFirst) return date(year, b, a);
    if (order_ == DateOrder::kMonthFirst) return date(year, a, b);
    if (a > 12) return date(year, b, a);
    if (b > 12 || a == b) return date(year, a, b);
    return wrong("day and month could be either way round");
  }

  Result<std::chrono::year_month_day> with_named_month() const {
    if (numbers_.size() != 2) return wrong("a day, a month and a year are needed");
    const std::string_view first = numbers_[0].digits, second = numbers_[1].digits;
    if (first.size() == 4 && second.size() <= 2) return date(first, month_, to_int(second));
    if (second.size() == 4 && first.size() <= 2) return date(second, month_, to_int(first));
    // "14/Mar/23", as Jira exports it: with signs around the month the day comes first.
    if (first.size() <= 2 && second.size() == 2 && month_separator_ != ' ' &&
        numbers_[1].separator == month_separator_)
      return date(long_year(second), month_, to_int(first));
    return wrong("the year needs four digits");
  }

  // Pivot as POSIX's %y.
  static std::string long_year(std::string_view digits) {
    const int year = to_int(digits);
    return fmt::format("{}", year + (year < 69 ? 2000 : 1900));
  }

  Result<std::chrono::year_month_day> date(std::string_view year, int month, int day) const {
    const std::chrono::year_month_day date{std::chrono::year(to_int(year)),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok() || to_int(year) == 0) return wrong("there is no such day");
    return date;
  }

  std::string_view text_;
  DateOrder order_;
  size_t at_ = 0;
  char separator_ = ' ';
  bool after_t_ = false;
  bool compact_date_ = false;    // 20240102 was read
  std::vector<Number> numbers_;  // of the date
  int month_ = 0;                // by name; 0 if there was none
  char month_separator_ = ' ';
  std::optional<seconds> clock_;
  int hour_ = 0;  // as written
  bool twelve_hour_ = false;
  std::optional<minutes> offset_;
};

// Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their length: 9 to
// 10 digits are the seconds of 1973 to 2286, and so on by thousands. Shorter numbers are counts or
// years rather than times.
std::optional<TimePoint> since_1970(std::string_view text) {
  const size_t point = text.find('.');
  const std::string_view digits = text.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  for (const std::string_view part : {digits, fraction}) {
    for (const char c : part) {
      if (!is_digit(c)) return std::nullopt;
    }
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  switch (digits.size()) {
    case 9:
    case 10: return TimePoint(seconds(value));
    case 12:
    case 13: return TimePoint(seconds(value / 1000));
    case 15:
    case 16: return TimePoint(seconds(value / 1'000'000));
    case 18:
    case 19: return TimePoint(seconds(value / 1'000'000'000));
    default: return std::nullopt;
  }
}

// Word processors and JavaScript's locale strings put special hyphens and spaces into dates.
std::string plain(std::string_view text) {
  std::string out;
  const std::string folded = fold_hyphens(text);
  for (size_t i = 0; i < folded.size();) {
    const CodePoint c = code_point_at(folded, i);
    const bool space = c.value == 0xA0 || c.value == 0x202F || c.value == 0x2009 || c.value == '\t';
    space ? out.append(" ") : out.append(folded, i, c.bytes);
    i += c.bytes;
  }
  return out;
}

}  // namespace

Result<TimePoint> parse_time(std::string_view text) {
  return parse_time(text, DateOrder::kUnknown);
}

Result<TimePoint> parse_time(std::string_view text, DateOrder order) {
  const std::string_view trimmed = trim(text);
  const auto refuse = [&](std::string_view why) {
    const std::string_view shown = utf8_prefix(trimmed, kMaxLength);
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("'{}{}' is not a date: {}; write it as 2025-01-20 or 2025-01-20T14:05:00Z",
                    shown, shown.size() < trimmed.size() ? "…" : "", why));
  };
  if (trimmed.empty()) return refuse("it is empty");
  if (trimmed.size() > kMaxLength) return refuse("it is too long");
  if (const auto time = since_1970(trimmed)) return *time;
  auto time = TimeParser(plain(trimmed), order).parse();
  if (!time) return refuse(time.error().message);
  return time;
}

}  // namespace precedent
