#include "grounding/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "base/hash.h"
#include "grounding/plain_english.h"
#include "grounding/raw_tokens.h"
#include "text/words.h"

namespace precedent {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<uint32_t> digits(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = value * 10 + static_cast<uint32_t>(text[i] - '0');
  }
  return value;
}

// h:mm or hh:mm, perhaps :ss, perhaps fractions and a zone, which are left out.
std::optional<uint32_t> time_of_day(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 2) return std::nullopt;
  const auto hour = digits(text, 0, colon), minute = digits(text, colon + 1, 2);
  if (!hour || !minute || *hour > 24 || *minute > 59) return std::nullopt;
  size_t end = colon + 3;
  uint32_t second = 0;
  if (end < text.size() && text[end] == ':') {
    const auto read = digits(text, end + 1, 2);
    if (!read) return std::nullopt;
    second = *read;
    end += 3;
  }
  const std::string_view rest = text.substr(end);
  if (!rest.empty() && rest != "z" && rest[0] != '.' && rest[0] != '+') return std::nullopt;
  return *hour * 3600 + *minute * 60 + second;
}

std::optional<CalendarDate> iso_date(std::string_view text) {
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (*month < 1 || *month > 12 || *day < 1 || *day > 31) return std::nullopt;
  return CalendarDate{static_cast<uint16_t>(*year), static_cast<uint8_t>(*month),
                      static_cast<uint8_t>(*day)};
}

struct Number {
  double value = 0, step = 1;
  size_t length = 0;
};

// Digits, perhaps with a sign and decimals. None if it goes on like a version: 2.31.0.
std::optional<Number> leading_number(std::string_view text) {
  size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const size_t first = i;
  while (i < text.size() && is_digit(text[i])) ++i;
  // More digits than a double holds are an identifier.
  if (i == first || i - first > 15) return std::nullopt;
  Number number;
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) {
    const size_t point = i++;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i - point > 12 || (i < text.size() && text[i] == '.')) return std::nullopt;
    number.step = std::pow(10.0, -static_cast<double>(i - point - 1));
  }
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  if (std::from_chars(begin, text.data() + i, number.value).ec != std::errc{}) return std::nullopt;
  number.length = i;
  return number;
}

class Lexer {
 public:
  Lexer(std::string_view text, uint32_t base, LexedText& out)
      : raw_(split_raw(text)), base_(base), out_(out) {
    out_.tokens.reserve(out_.tokens.size() + raw_.tokens.size() * 5 / 4);
  }

  void run() {
    for (size_t i = 0; i < raw_.tokens.size();) i = next(i);
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  const RawToken& raw(size_t i) const { return raw_.tokens[i]; }
  bool is_break(size_t i) const {
    return i >= raw_.tokens.size() || raw(i).strength != BreakStrength{};
  }
  std::string_view word(size_t i) const { return is_break(i) ? "" : raw_.spelling(raw(i)); }

  Token& emit(TokenKind kind, size_t first, size_t last, uint64_t term = 0) {
    Token token;
    token.kind = kind;
    token.begin = base_ + raw(first).begin;
    token.end = base_ + raw(last).end;
    token.term = term;
    out_.tokens.push_back(token);
    return out_.tokens.back();
  }

  size_t next(size_t i) {
    if (is_break(i)) {
      Token& token = emit(TokenKind::kBreak, i, i);
      token.strength = raw(i).strength;
      token.value = static_cast<uint8_t>(raw(i).mark);
      sentence_start_ = raw(i).strength != BreakStrength::kClause || raw(i).mark == ':';
      return i + 1;
    }
    size_t end = dates(i);
    if (end == kNone) end = quantity(i);
    if (end == kNone) end = path(i);
    if (end == kNone) end = plain(i);
    sentence_start_ = false;
    return end;
  }

  size_t emit_date(const CalendarDate& date, size_t first, size_t last) {
    emit(TokenKind::kDate, first, last).value = static_cast<uint32_t>(out_.dates.size());
    out_.dates.push_back(date);
    return last + 1;
  }

  uint8_t month(size_t i) const {
    return is_break(i) || !raw(i).first_upper ? 0 : month_of(word(i));
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

  // 2026-11-18, 2026-11-18T08:52:00Z, 18 November 2026, November 18, 2026, Nov 2026, 08:52
  size_t dates(size_t i) {
    const std::string_view text = word(i);
    if (text.size() >= 10 && is_digit(text[0])) {
      if (const auto date = iso_date(text); date && (text.size() == 10 || text[10] == 't')) {
        emit_date(*date, i, i);
        if (text.size() > 11) {
          if (const auto time = time_of_day(text.substr(11)))
            emit(TokenKind::kTime, i, i).value = *time;
        }
        return i + 1;
      }
    }
    if (is_digit(text[0])) {
      if (const auto time = time_of_day(text)) {
        emit(TokenKind::kTime, i, i).value = *time;
        return i + 1;
      }
      // 07:00-19:00
      if (const size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto from = time_of_day(text.substr(0, dash)),
                   to = time_of_day(text.substr(dash + 1));
        if (from && to) {
          emit(TokenKind::kTime, i, i).value = *from;
          emit(TokenKind::kTime, i, i).value = *to;
          return i + 1;
        }
      }
      if (const auto day = day_of_month(i)) {
        const size_t at = word(i + 1) == "of" ? i + 2 : i + 1;
        if (const uint8_t m = month(at)) return emit_full_date(m, *day, i, at);
      }
      return kNone;
    }
    if (const uint8_t m = month(i)) {
      if (const auto day = day_of_month(i + 1); day && !year(i + 1))
        return emit_full_date(m, *day, i, i + 1);
      return emit_full_date(m, 0, i, i);
    }
    return kNone;
  }

  size_t emit_full_date(uint8_t month, uint32_t day, size_t first, size_t last) {
    CalendarDate date{0, month, static_cast<uint8_t>(day)};
    const size_t after =
        !is_break(last + 1) || raw_.tokens.size() <= last + 1 || raw(last + 1).mark != ','
            ? last + 1
            : last + 2;
    if (const auto y = year(after)) {
      date.year = static_cast<uint16_t>(*y);
      last = after;
    }
    return emit_date(date, first, last);
  }

  // The unit that an assignment's key ends with: timeout_ms: 2500, max.block.ms=60000.
  std::optional<MeasureUnit> unit_of_key(size_t i) const {
    size_t key = i;
    if (key == 0) return std::nullopt;
    --key;
    if (raw(key).strength == BreakStrength::kClause && raw(key).mark == ':' && key > 0)
      --key;
    else if (raw(i).mark != '=')
      return std::nullopt;
    const std::string_view name = word(key);
    const size_t at = name.find_last_of("_.");
    if (at != std::string_view::npos) return find_unit(name.substr(at + 1), false);
    // "days: 7", but not "year: 2025".
    return name.ends_with('s') ? find_unit(name, false) : std::nullopt;
  }

  struct Measured {
    Quantity quantity;
    size_t last = 0;  // the raw token that it ends with
    bool unit = false;
  };

  static void apply(const MeasureUnit& unit, Measured& m) {
    m.quantity.value *= unit.factor;
    m.quantity.step *= unit.factor;
    m.quantity.factor *= unit.factor;
    m.quantity.binary = unit.binary;
    m.quantity.dimension = unit.dimension;
    m.unit = true;
  }

  // "per second", "/ second", "a second" after a number and what it counts.
  bool rate_after(size_t at, Measured& m) const {
    for (size_t skipped = 0; skipped < 3; ++skipped) {
      if (is_break(at + skipped)) return false;
      const std::string_view text = word(at + skipped);
      if (text == "per" || text == "a" || text == "each") {
        const auto unit = find_unit(word(at + skipped + 1), false);
        const std::string_view name = word(at + skipped + 1);
        if (!unit || unit->dimension != Dimension::kTime || name.ends_with("s")) return false;
        if (m.unit && m.quantity.dimension != Dimension::kTimes) return false;
        m.quantity.factor = 1;
        apply({Dimension::kRate, 1 / unit->factor}, m);
        m.last = at + skipped + 1;
        return true;
      }
      // "210 ms a week ago": what has a unit is no rate of another.
      if (is_digit(text[0]) || (text != "times" && find_unit(text, false))) return false;
    }
    return false;
  }

  // A number with its scale and unit, from `i`.
  std::optional<Measured> measured(size_t i) const {
    if (is_break(i)) return std::nullopt;
    const std::string_view text = word(i);
    Measured m;
    m.last = i;
    std::string_view suffix;
    if (const auto number = leading_number(text)) {
      // 0142 and 007 are names.
      if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return std::nullopt;
      m.quantity.value = number->value;
      m.quantity.step = number->step;
      suffix = text.substr(number->length);
    } else if (const auto named = number_word(text)) {
      if (named == 100 && !hundred_is_number(i)) return std::nullopt;
      m.quantity.value = *named;
      m.quantity.word = true;
    } else {
      return std::nullopt;
    }
    if (!suffix.empty()) {
      if (suffix[0] == '-' && suffix.size() > 1) {  // "3-minute", "34-minute-long", "40-connection"
        suffix.remove_prefix(1);
        suffix = suffix.substr(0, suffix.find('-'));
        const auto unit = find_unit(suffix, false);
        if (unit) apply(*unit, m);
        const bool words = std::ranges::all_of(suffix, [](char c) { return c >= 'a' && c <= 'z'; });
        return unit || (words && suffix.size() > 2) ? std::optional(m) : std::nullopt;
      }
      if (suffix[0] == '/') {
        const auto unit = find_unit(suffix, true);
        if (!unit) return std::nullopt;
        apply(*unit, m);
      } else if (const auto unit = find_unit(suffix, true)) {
        apply(*unit, m);
        // Three digits and an s: codes, as in "the 429s".
        m.quantity.plural = suffix == "s" && m.quantity.step == 1 && m.quantity.value >= 100;
      } else if (const auto scale = scale_word(suffix)) {
        m.quantity.value *= *scale;
        m.quantity.step *= *scale;
      } else {
        return std::nullopt;
      }
    }
    continue_unit(m);
    return m;
  }

  bool hundred_is_number(size_t i) const { return i > 0 && word(i - 1) == "a"; }

  void continue_unit(Measured& m) const {
    size_t at = m.last + 1;
    if (const auto scale = scale_word(word(at)); scale && !m.unit && !is_break(at)) {
      m.quantity.value *= *scale;
      m.quantity.step *= *scale;
      m.last = at++;
    }
    if (rate_after(at, m)) return;
    if (m.unit) return;
    // "5 working days", "two more minutes"
    size_t unit_at = at;
    if (is_measure_adjective(word(at))) ++unit_at;
    if (const auto unit = find_unit(word(unit_at), false)) {
      apply(*unit, m);
      m.last = unit_at;
      return;
    }
    if (word(at).starts_with("time.")) {  // 200 * time.Millisecond
      if (const auto unit = find_unit(word(at).substr(5), false)) {
        apply(*unit, m);
        m.last = at;
      }
    }
  }

  // "1 h 34 min", "four hours and 39 minutes"
  void extend_duration(Measured& m) const {
    double smallest = m.quantity.factor;
    while (m.quantity.dimension == Dimension::kTime) {
      size_t at = m.last + 1;
      if (word(at) == "and") ++at;
      const auto more = measured(at);
      if (!more || more->quantity.dimension != Dimension::kTime ||
          more->quantity.factor >= smallest)
        return;
      m.quantity.value += more->quantity.value;
      m.quantity.step = more->quantity.step;
      smallest = more->quantity.factor;
      m.last = more->last;
    }
  }

  // "half", "a third", "two thirds", "a quarter of an hour", "twice"
  std::optional<Measured> fraction(size_t i) const {
    const std::string_view text = word(i);
    Measured m;
    m.last = i;
    m.quantity.word = true;
    const bool fold = text.size() > 4 && text.ends_with("fold");
    const auto folds = fold ? number_word(text.substr(0, text.size() - 4)) : std::nullopt;
    if (const auto times = folds ? folds : multiplier_word(text)) {
      m.quantity.value = *times;
      m.quantity.dimension = Dimension::kTimes;
      m.unit = true;
      rate_after(i + 1, m);  // twice a minute
      return m;
    }
    const std::string_view before = i > 0 ? word(i - 1) : "";
    const double parts = text == "half"                            ? 2
                         : text == "third" || text == "thirds"     ? 3
                         : text == "quarter" || text == "quarters" ? 4
                                                                   : 0;
    if (parts == 0 || (parts > 2 && before != "a" && before != "one" && !number_word(before)))
      return std::nullopt;
    // A day and a half: told by the day.
    if (before == "a" && i > 1 && word(i - 2) == "and") return std::nullopt;
    const double count = number_word(before).value_or(1);
    m.quantity.value = count / parts;
    m.quantity.step = 0.02;
    m.quantity.dimension = Dimension::kShare;
    m.quantity.factor = 1;
    size_t at = i + 1;
    if (word(at) == "of") ++at;
    if (word(at) == "a" || word(at) == "an") {
      if (const auto unit = find_unit(word(at + 1), false);
          unit && unit->dimension == Dimension::kTime) {
        m.quantity.value *= unit->factor;
        m.quantity.step = 1;
        m.quantity.factor = unit->factor;
        m.quantity.dimension = Dimension::kTime;
        m.last = at + 1;
      }
    }
    return m;
  }

  Hedge hedge_before(size_t i) const {
    for (size_t back = 1; back <= 3 && back <= i; ++back) {
      if (is_break(i - back)) break;
      if (const auto hedge = hedge_word(word(i - back))) return *hedge;
    }
    return Hedge::kNone;
  }

  size_t emit_quantity(const Measured& m, size_t first) {
    Token& token = emit(TokenKind::kQuantity, first, m.last);
    token.value = static_cast<uint32_t>(out_.quantities.size());
    token.hedge = hedge_before(first);
    out_.quantities.push_back(m.quantity);
    return m.last + 1;
  }

  size_t quantity(size_t i) {
    const std::string_view text = word(i);
    // Two thirds: the number belongs to the fraction.
    if (number_word(text) && fraction(i + 1) && !multiplier_word(word(i + 1))) {
      if (const auto whole = fraction(i + 1); whole->quantity.dimension == Dimension::kShare)
        return emit_quantity(*whole, i + 1);
    }
    auto m = measured(i);
    if (m) {
      if (!m->unit) {
        if (const auto unit = unit_of_key(i))
          apply(*unit, *m);
        else if (i > 1 && word(i - 1) == "of" && word(i - 2) == "factor")
          m->quantity.dimension = Dimension::kTimes;
      }
      extend_duration(*m);
      return emit_quantity(*m, i);
    }
    if (const auto f = fraction(i)) return emit_quantity(*f, i);
    return range(i);
  }

  // 41-58, 10-20%
  size_t range(size_t i) {
    const std::string_view text = word(i);
    const auto from = leading_number(text);
    if (!from || from->length >= text.size() || text[from->length] != '-') return kNone;
    const std::string_view rest = text.substr(from->length + 1);
    const auto to = leading_number(rest);
    if (!to) return kNone;
    const std::string_view suffix = rest.substr(to->length);
    Measured second;
    second.last = i;
    second.quantity.value = to->value;
    second.quantity.step = to->step;
    if (!suffix.empty()) {
      const auto unit = find_unit(suffix, true);
      if (!unit) return kNone;
      apply(*unit, second);
    } else {
      continue_unit(second);
    }
    Measured first = second;
    first.quantity.value = from->value * second.quantity.factor;
    first.quantity.step = from->step * second.quantity.factor;
    first.last = i;
    emit_quantity(first, i);
    return emit_quantity(second, i);
  }

  size_t path(size_t i) {
    std::string_view text = word(i);
    LineRange lines;
    const size_t colon = text.rfind(':');
    if (colon != std::string_view::npos && colon + 1 < text.size() && is_digit(text[colon + 1])) {
      const std::string_view rest = text.substr(colon + 1);
      const auto from = leading_number(rest);
      // A port, an address: not a file's lines.
      if (!from || from->length > 7) return kNone;
      lines.begin = lines.end = static_cast<uint32_t>(std::max(0.0, from->value));
      if (from->length < rest.size()) {
        if (rest[from->length] != '-') return kNone;
        const auto to = leading_number(rest.substr(from->length + 1));
        if (!to || to->value > 1e7) return kNone;
        lines.end = static_cast<uint32_t>(std::max(0.0, to->value));
      }
      text = text.substr(0, colon);
    }
    const size_t slash = text.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
    if (!has_file_extension(name)) return kNone;
    Token& token = emit(TokenKind::kPath, i, i, hash64(text));
    token.value = static_cast<uint32_t>(out_.lines.size());
    out_.lines.push_back(lines);
    parts(i, text);
    return i + 1;
  }

  static bool has_file_extension(std::string_view name) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || name.find(':') != std::string_view::npos)
      return false;
    return is_file_extension(name.substr(dot + 1));
  }

  // The same for what differs in digits only: "db-1" and "db-2", "4.18.0" and "4.19.0".
  static uint32_t shape_of(std::string_view text) {
    std::string shape;
    for (const char c : text) {
      if (!is_digit(c)) shape += c;
    }
    return shape.size() == text.size() ? 0 : static_cast<uint32_t>(hash64(shape));
  }

  // The words inside of what was taken as one: they count for what a sentence is about.
  void parts(size_t i, std::string_view text) {
    size_t begin = 0;
    for (size_t at = 0; at <= text.size(); ++at) {
      const char c = at < text.size() ? text[at] : '/';
      if ((c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80) continue;
      if (at - begin > 2 && !is_stop_word(text.substr(begin, at - begin)))
        emit(TokenKind::kWord, i, i, term_of(text.substr(begin, at - begin))).part = true;
      begin = at + 1;
    }
  }

  size_t plain(size_t i) {
    const RawToken& token = raw(i);
    std::string_view text = word(i);
    if (!token.letters_only) {
      if (text == "%") return i + 1;
      if (text == "i.e" || text == "e.g") {
        emit(TokenKind::kStop, i, i, hash64(text));
        return i + 1;
      }
      // "authorisations/captures": a slash between plain words is an "or".
      emit(TokenKind::kIdentifier, i, i, hash64(text)).value = shape_of(text);
      // INC-2026-11-18-001
      for (size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
        if (const auto date = iso_date(text.substr(at + 1))) {
          emit_date(*date, i, i);
          break;
        }
      }
      parts(i, text);
      return i + 1;
    }
    if (text.ends_with("n't") || text == "cannot") {
      emit(TokenKind::kNegator, i, i);
      return i + 1;
    }
    if (text.ends_with("'s")) text.remove_suffix(2);
    if (const size_t mark = text.find('\''); mark != std::string_view::npos)
      text = text.substr(0, mark);
    if (text.empty()) return i + 1;
    if (is_negator(text)) {
      // "no longer" is "not any more".
      emit(TokenKind::kNegator, i, i).value =
          is_quantifier(text) && word(i + 1) != "longer" ? 1 : 0;
      return i + 1;
    }
    if (is_stop_word(text) || text == "one" || is_connective(text)) {
      emit(TokenKind::kStop, i, i, hash64(text));
      return i + 1;
    }
    if (text.find('-') != std::string_view::npos) return compound(i, text);
    if (token.inner_upper) {
      emit(TokenKind::kName, i, i, term_of(text));
      return i + 1;
    }
    const bool next_is_name = !is_break(i + 1) && raw(i + 1).first_upper &&
                              raw(i + 1).letters_only && !raw(i + 1).all_upper;
    const bool name = token.first_upper && !token.all_upper && text.size() > 1 &&
                      !is_weekday(text) &&
                      (!sentence_start_ || (next_is_name && !is_frame_word(text)));
    Token& emitted = emit(name ? TokenKind::kName : TokenKind::kWord, i, i, term_of(text));
    if (!name && is_negated_form(text)) {
      Token positive = emitted;
      positive.term = term_of(text.substr(2));
      positive.part = positive.negated = true;
      out_.tokens.push_back(positive);
    }
    return i + 1;
  }

  // checkout-api; long-running
  size_t compound(size_t i, std::string_view text) {
    const std::string_view last = text.substr(text.rfind('-') + 1);
    std::string joined;
    for (const char c : text) {
      if (c != '-') joined += c;
    }
    if (is_component_word(last)) {
      emit(TokenKind::kService, i, i, term_of(joined));
      parts(i, text);
      return i + 1;
    }
    size_t begin = 0;
    bool first = true;
    for (size_t at = 0; at <= text.size(); ++at) {
      if (at < text.size() && text[at] != '-') continue;
      const std::string_view part = text.substr(begin, at - begin);
      if (is_negator(part))
        emit(TokenKind::kNegator, i, i).value = is_quantifier(part) ? 1 : 0;
      else if (!part.empty() && !is_stop_word(part))
        emit(TokenKind::kWord, i, i, term_of(part)).part = !first;
      begin = at + 1;
      first = false;
    }
    emit(TokenKind::kWord, i, i, term_of(joined)).part = true;
    return i + 1;
  }

  RawText raw_;
  uint32_t base_;
  LexedText& out_;
  bool sentence_start_ = true;
};

}  // namespace

uint64_t term_of(std::string_view spelling) {
  bool letters = true;
  std::string word;
  for (const char c : spelling) {
    if (c == '-') continue;
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    letters = letters && lower >= 'a' && lower <= 'z';
    word += lower;
  }
  if (letters) {
    if (const std::string_view base = base_form(word); !base.empty()) word = base;
    thread_stemmer().stem(word);
  }
  return hash64(word);
}

void lex(std::string_view text, uint32_t base, LexedText& out) { Lexer(text, base, out).run(); }

}  // namespace precedent
