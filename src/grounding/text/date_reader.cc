#include "grounding/text/date_reader.h"

#include "grounding/text/numerals.h"
#include "grounding/text/plain_english.h"
#include "text/words.h"

namespace precedent {
namespace {

DateReading time_reading(uint32_t second, size_t last, int16_t zone = 0) {
  return {last, std::nullopt, {{{second, zone}, {}}}, 1};
}

class DateReader {
 public:
  explicit DateReader(const RawText& text) : raw_(text) {}

  std::optional<DateReading> read(size_t i) const {
    if (const auto spoken = spoken_time(i)) return spoken;
    const std::string_view text = word(i);
    if (is_digit(text[0])) return read_digits(i, text);
    if (const uint8_t m = month(i)) {
      if (const auto day = day_of_month(i + 1); day && !year(i + 1))
        return full_date(m, *day, i + 1);
      return full_date(m, 0, i);
    }
    return std::nullopt;
  }

 private:
  bool is_break(size_t i) const { return raw_.is_break(i); }
  std::string_view word(size_t i) const { return raw_.word(i); }

  uint8_t month(size_t i) const {
    return is_break(i) || !raw_.tokens[i].first_upper ? 0 : month_of(word(i));
  }
  std::optional<uint32_t> day_of_month(size_t i) const {
    std::string_view text = word(i);
    for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
      if (text.size() > suffix.size() && text.ends_with(suffix) && is_digit(text[0]))
        text.remove_suffix(suffix.size());
    }
    const auto day = digits(text, 0, text.size());
    return text.empty() || text.size() > 2 || !day || *day < 1 || *day > 31 ? std::nullopt : day;
  }
  std::optional<uint32_t> year(size_t i) const {
    const std::string_view text = word(i);
    if (text.size() != 4) return std::nullopt;
    const auto value = digits(text, 0, 4);
    return value && *value >= 1970 && *value < 2100 ? value : std::nullopt;
  }

  std::optional<uint32_t> spoken_hour(size_t i) const {
    if (is_break(i)) return std::nullopt;
    const std::string_view text = word(i);
    const auto hour = is_digit(text[0]) ? digits(text, 0, text.size())
                                        : number_word(text).transform([](double value) {
                                            return static_cast<uint32_t>(value);
                                          });
    return text.size() > 2 && is_digit(text[0]) ? std::nullopt
           : hour && *hour >= 1 && *hour <= 12  ? hour
                                                : std::nullopt;
  }
  // What follows an hour and tells which half of the day it is of.
  static std::optional<std::string_view> half_of_day(std::string_view part) {
    if (part == "morning") return "am";
    if (part == "afternoon" || part == "evening") return "pm";
    return std::nullopt;
  }
  // "Six in the morning", "ten at night", "six o'clock", "half past four": an hour that only its
  // words tell from a number.
  std::optional<DateReading> spoken_time(size_t i) const {
    uint32_t past = 0;
    size_t at = i;
    const bool half = word(i) == "half", quarter = word(i) == "quarter";
    if ((half || quarter) && word(i + 1) == "past") {
      past = half ? 1800 : 900;
      at = i + 2;
    }
    // Asked for every word: what follows tells most cheaply that it is none.
    const std::string_view behind = word(at + 1);
    if (at == i && behind != "in" && behind != "at" && behind != "o'clock") return std::nullopt;
    const auto hour = spoken_hour(at);
    if (!hour) return std::nullopt;
    if (word(at + 1) == "in" && word(at + 2) == "the") {
      if (const auto mark = half_of_day(word(at + 3)))
        return time_reading(of_half_day(*hour, *mark) * 3600 + past, at + 3);
    }
    if (word(at + 1) == "at" && word(at + 2) == "night")
      return time_reading(of_half_day(*hour, *hour > 5 && *hour < 12 ? "pm" : "am") * 3600 + past,
                          at + 2);
    if (word(at + 1) == "o'clock") return time_reading(*hour * 3600 + past, at + 1);
    if (at > i) return time_reading(*hour * 3600 + past, at);
    return std::nullopt;
  }

  std::optional<DateReading> read_digits(size_t i, std::string_view text) const {
    // 2026-11-18, 2026-11-18T08:52:00Z
    if (const auto date = text.size() >= 10 ? iso_date(text) : std::nullopt;
        date && (text.size() == 10 || text[10] == 't')) {
      DateReading reading{i, date};
      if (const auto time = text.size() > 11 ? time_of_day(text.substr(11)) : std::nullopt) {
        reading.time[0] = {*time, zone_offset(text.substr(11))};
        reading.times = 1;
      }
      return reading;
    }
    if (const auto time = time_of_day(text)) {
      const bool half_day = word(i + 1) == "am" || word(i + 1) == "pm";
      return time_reading(of_half_day(*time / 3600, word(i + 1)) * 3600 + *time % 3600,
                          half_day ? i + 1 : i, zone_offset(text));
    }
    // 07:00-19:00
    if (const size_t dash = text.find('-'); dash != std::string_view::npos) {
      const auto from = time_of_day(text.substr(0, dash)), to = time_of_day(text.substr(dash + 1));
      if (from && to) return DateReading{i, std::nullopt, {{{*from, 0}, {*to, 0}}}, 2};
    }
    if (const auto day = day_of_month(i)) {
      const size_t at = word(i + 1) == "of" ? i + 2 : i + 1;
      if (const uint8_t m = month(at)) return full_date(m, *day, at);
      // "On the 17th"
      if (!is_digit(text.back()) && i > 0 && word(i - 1) == "the" && ends_phrase(i + 1))
        return DateReading{i, CalendarDate{0, 0, static_cast<uint8_t>(*day)}};
    }
    return std::nullopt;
  }

  // No noun follows, as in "the 2nd attempt".
  bool ends_phrase(size_t i) const { return is_break(i) || is_stop_word(word(i)); }

  // A year may follow the raw token `last`: "November 18, 2026".
  DateReading full_date(uint8_t month, uint32_t day, size_t last) const {
    CalendarDate date{0, month, static_cast<uint8_t>(day)};
    const bool comma =
        is_break(last + 1) && last + 1 < raw_.tokens.size() && raw_.tokens[last + 1].mark == ',';
    const size_t after = comma ? last + 2 : last + 1;
    if (const auto y = year(after)) {
      date.year = static_cast<uint16_t>(*y);
      last = after;
    }
    return {last, date};
  }

  const RawText& raw_;
};

}  // namespace

std::optional<DateReading> read_date(const RawText& text, size_t at) {
  return DateReader(text).read(at);
}

}  // namespace precedent
