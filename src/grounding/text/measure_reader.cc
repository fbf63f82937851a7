#include "grounding/text/measure_reader.h"

#include <algorithm>

#include "base/ascii.h"
#include "grounding/text/numerals.h"
#include "grounding/text/plain_english.h"

namespace precedent {
namespace {

class MeasureReader {
 public:
  explicit MeasureReader(const RawText& text) : text_(text) {}

  std::optional<MeasureReading> read(size_t i) const {
    // Two thirds: the number belongs to the fraction.
    if (number_word(text_.word(i)) && fraction(i + 1) && !multiplier_word(text_.word(i + 1))) {
      if (const auto whole = fraction(i + 1); whole->quantity.dimension == Dimension::kShare)
        return MeasureReading{i + 1, *whole, {}};
    }
    if (const auto single = single_unit(i)) return MeasureReading{i, *single, {}};
    if (auto m = measured(i)) {
      if (!m->unit) {
        if (const auto unit = unit_of_key(i))
          apply(*unit, *m);
        else if (is_factor(i))
          m->quantity.dimension = Dimension::kTimes;
      }
      extend_duration(*m);
      return MeasureReading{i, *m, {}};
    }
    if (const auto f = fraction(i)) return MeasureReading{i, *f, {}};
    return range(i);
  }

 private:
  // "A factor of just over four"
  bool is_factor(size_t i) const {
    while (i > 0 && (text_.word(i - 1) == "just" || hedge_word(text_.word(i - 1)))) --i;
    return i > 1 && text_.word(i - 1) == "of" && text_.word(i - 2) == "factor";
  }

  // "An hour after", "a minute and a half", "one day and 11 minutes": elsewhere "a day" is often no
  // measure.
  std::optional<Measured> single_unit(size_t i) const {
    const std::string_view article = text_.word(i);
    if (article != "a" && article != "an" && article != "one") return std::nullopt;
    const auto unit = find_unit(text_.word(i + 1), false);
    if (!unit || unit->dimension != Dimension::kTime || text_.word(i + 1).ends_with('s'))
      return std::nullopt;
    Measured m;
    m.quantity.value = 1;
    m.quantity.word = true;
    m.last = i + 1;
    apply(*unit, m);
    const double whole = m.quantity.value;
    add_fraction(m);
    extend_duration(m);
    const bool apart = says_when(text_.word(m.last + 1)) && text_.word(m.last + 1) != "ago" &&
                       text_.word(m.last + 1) != "earlier";
    return apart || m.quantity.value != whole || article == "one" ? std::optional(m) : std::nullopt;
  }

  // "And a half", "and three quarter" behind a number or its unit.
  void add_fraction(Measured& m) const {
    if (text_.word(m.last + 1) != "and") return;
    const std::string_view count = text_.word(m.last + 2), parts = text_.word(m.last + 3);
    const double of = parts == "half"                             ? 2
                      : parts == "quarter" || parts == "quarters" ? 4
                      : parts == "third" || parts == "thirds"     ? 3
                                                                  : 0;
    const double own = count == "a" || count == "one" ? 1 : number_word(count).value_or(0);
    if (of == 0 || own == 0 || own >= of) return;
    // "Two hours and a third of the users": a half belongs to the number, other parts need a unit.
    if (of != 2 && !find_unit(text_.word(m.last + 4), false) &&
        (!m.unit || text_.word(m.last + 4) == "of"))
      return;
    m.quantity.value += own / of * m.quantity.factor;
    m.quantity.step = m.quantity.factor / of;
    m.last += 3;
  }

  // The unit that an assignment's key ends with: timeout_ms: 2500, max.block.ms=60000.
  std::optional<MeasureUnit> unit_of_key(size_t i) const {
    size_t key = i;
    if (key == 0) return std::nullopt;
    --key;
    const bool clause = text_.tokens[key].strength == BreakStrength::kClause && key > 0;
    // getenv("TIMEOUT_MS", 250)
    const bool called = clause && text_.tokens[key].mark == ',' &&
                        text_.word(key - 1).find('_') != std::string_view::npos;
    if (called || (clause && text_.tokens[key].mark == ':'))
      --key;
    else if (text_.tokens[key].mark == '-')  // --minutes 15
      return find_unit(text_.word(key), false);
    else if (text_.tokens[i].mark != '=')
      return std::nullopt;
    const std::string_view name = text_.word(key);
    const size_t at = name.find_last_of("_.");
    if (at != std::string_view::npos) return find_unit(name.substr(at + 1), false);
    // "days: 7", but not "year: 2025".
    return name.ends_with('s') ? find_unit(name, false) : std::nullopt;
  }

  static void apply(const MeasureUnit& unit, Measured& m) {
    m.quantity.value *= unit.factor;
    m.quantity.step *= unit.factor;
    m.quantity.factor *= unit.factor;
    m.quantity.binary = unit.binary;
    m.quantity.dimension = unit.dimension;
    m.unit = true;
  }

  static bool says_when(std::string_view word) {
    return word == "earlier" || word == "before" || word == "ago" || word == "later" ||
           word == "after";
  }

  // "per second", "/ second", "a second" after a number and what it counts.
  bool rate_after(size_t at, Measured& m) const {
    for (size_t skipped = 0; skipped < 3; ++skipped) {
      if (text_.is_break(at + skipped)) return false;
      const std::string_view text = text_.word(at + skipped);
      if (text == "per" || text == "a" || text == "each") {
        const auto unit = find_unit(text_.word(at + skipped + 1), false);
        const std::string_view name = text_.word(at + skipped + 1);
        if (!unit || unit->dimension != Dimension::kTime || name.ends_with("s")) return false;
        if (m.unit && m.quantity.dimension != Dimension::kTimes) return false;
        // "2.1× a week earlier": against another time.
        if (says_when(text_.word(at + skipped + 2))) return false;
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
    if (text_.is_break(i)) return std::nullopt;
    const std::string_view text = text_.word(i);
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
        const bool words = std::ranges::all_of(suffix, is_lower);
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

  bool hundred_is_number(size_t i) const { return i > 0 && text_.word(i - 1) == "a"; }

  void continue_unit(Measured& m) const {
    size_t at = m.last + 1;
    if (const auto scale = scale_word(text_.word(at)); scale && !m.unit && !text_.is_break(at)) {
      m.quantity.value *= *scale;
      m.quantity.step *= *scale;
      m.last = at++;
    }
    if (rate_after(at, m)) return;
    if (m.unit) {
      add_fraction(m);
      return;
    }
    add_fraction(m);
    at = m.last + 1;
    // "5 working days", "two more minutes"
    size_t unit_at = at;
    if (is_measure_adjective(text_.word(at))) ++unit_at;
    if (const auto unit = find_unit(text_.word(unit_at), false)) {
      apply(*unit, m);
      m.last = unit_at;
      add_fraction(m);
      return;
    }
    if (text_.word(at).starts_with("time.")) {  // 200 * time.Millisecond
      if (const auto unit = find_unit(text_.word(at).substr(5), false)) {
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
      if (text_.word(at) == "and") {
        // "3d and 6h" are two.
        if (is_digit(text_.word(m.last)[0])) return;
        ++at;
      }
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
    const std::string_view text = text_.word(i);
    Measured m;
    m.last = i;
    m.quantity.word = true;
    const bool fold = text.size() > 4 && text.ends_with("fold");
    const auto folds = fold ? number_word(text.substr(0, text.size() - 4)) : std::nullopt;
    if (const auto times = folds ? folds : multiplier_word(text)) {
      m.quantity.value = *times;
      m.quantity.dimension = Dimension::kTimes;
      m.quantity.verb =
          fold || text.ends_with("ed") || text.ends_with("es") || text.ends_with("ing");
      m.unit = true;
      rate_after(i + 1, m);  // twice a minute
      return m;
    }
    const std::string_view before = i > 0 ? text_.word(i - 1) : "";
    const double parts = text == "half"                            ? 2
                         : text == "third" || text == "thirds"     ? 3
                         : text == "quarter" || text == "quarters" ? 4
                         : text == "fifth" || text == "fifths"     ? 5
                         : text == "tenth" || text == "tenths"     ? 10
                                                                   : 0;
    if (parts == 0 || (parts > 2 && before != "a" && before != "one" && !number_word(before)))
      return std::nullopt;
    // A day and a half: told by the day.
    if (before == "a" && i > 1 && text_.word(i - 2) == "and") return std::nullopt;
    const double count = number_word(before).value_or(1);
    m.quantity.value = count / parts;
    m.quantity.step = 0.02;
    m.quantity.dimension = Dimension::kShare;
    m.quantity.factor = 1;
    size_t at = i + 1;
    if (text_.word(at) == "of") ++at;
    if (text_.word(at) == "a" || text_.word(at) == "an") {
      if (const auto unit = find_unit(text_.word(at + 1), false);
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

  // 41-58, 10-20%
  std::optional<MeasureReading> range(size_t i) const {
    const std::string_view text = text_.word(i);
    const auto from = leading_number(text);
    if (!from || from->length >= text.size() || text[from->length] != '-') return std::nullopt;
    const std::string_view rest = text.substr(from->length + 1);
    const auto to = leading_number(rest);
    if (!to) return std::nullopt;
    const std::string_view suffix = rest.substr(to->length);
    Measured second;
    second.last = i;
    second.quantity.value = to->value;
    second.quantity.step = to->step;
    if (!suffix.empty()) {
      const auto unit = find_unit(suffix, true);
      if (!unit) return std::nullopt;
      apply(*unit, second);
    } else {
      continue_unit(second);
    }
    Measured first = second;
    first.quantity.value = from->value * second.quantity.factor;
    first.quantity.step = from->step * second.quantity.factor;
    first.last = i;
    return MeasureReading{i, first, second};
  }

  const RawText& text_;
};

}  // namespace

std::optional<MeasureReading> read_measure(const RawText& text, size_t at) {
  return MeasureReader(text).read(at);
}

}  // namespace precedent
