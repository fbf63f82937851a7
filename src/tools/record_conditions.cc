#include "tools/record_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "text/number_words.h"
#include "tools/figures.h"
#include "tools/record_columns.h"

namespace precedent {
namespace {

constexpr size_t kMaxBytes = 2000;
constexpr size_t kMaxAsked = 64;
constexpr float kTaken = 0.5f;
// What is longer tells a story.
constexpr size_t kLongestValue = 60;
// A column of values has not many.
constexpr size_t kMostValues = 80;
// Of a status or a severity every value is asked about: people say them in words of their own.
constexpr size_t kFewValues = 6;
constexpr std::string_view kShown = "how many are shown";

enum class Kind : uint8_t { kValues, kYesNo, kNumbers, kMinutes, kTimes, kOther };

struct Asked {
  std::string name;
  Kind kind = Kind::kOther;
  std::function<std::string(const Incident&)> cell;
  std::function<std::optional<double>(const Incident&)> number;
  std::vector<std::string> values;
  double minutes = 1;  // of one unit of its numbers
  bool has_empty = false;
};

bool is_yes(std::string_view folded) {
  constexpr std::array<std::string_view, 9> kYes = {"yes", "y",  "true", "1", "ja",
                                                    "oui", "si", "sí",   "x"};
  return std::ranges::find(kYes, folded) != kYes.end();
}
bool is_no(std::string_view folded) {
  constexpr std::array<std::string_view, 8> kNo = {"no",   "n",   "false", "0",
                                                   "nein", "non", "nej",   "-"};
  return std::ranges::find(kNo, folded) != kNo.end();
}

// Of one such unit; nothing of another word.
std::optional<double> minutes_of_unit(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, double>, 19> kUnits = {
      {{"s", 1.0 / 60},
       {"sec", 1.0 / 60},
       {"secs", 1.0 / 60},
       {"second", 1.0 / 60},
       {"seconds", 1.0 / 60},
       {"m", 1},
       {"min", 1},
       {"mins", 1},
       {"minute", 1},
       {"minutes", 1},
       {"h", 60},
       {"hr", 60},
       {"hrs", 60},
       {"hour", 60},
       {"hours", 60},
       {"d", 1440},
       {"day", 1440},
       {"days", 1440},
       {"weeks", 10'080}}};
  const auto* const found =
      std::ranges::find(kUnits, word, &std::pair<std::string_view, double>::first);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

// Letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) out.push_back(std::move(word));
    word.clear();
  };
  for (const char c : case_fold(text)) {
    if (is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80)
      word += c;
    else
      end();
  }
  end();
  return out;
}

bool has_digit(std::string_view word) { return std::ranges::any_of(word, is_digit); }

bool one_edit(std::string_view a, std::string_view b) {
  if (a.size() > b.size() + 1 || b.size() > a.size() + 1) return false;
  const auto [x, y] = std::ranges::mismatch(a, b);
  const std::string_view left(x, a.end()), right(y, b.end());
  if (left.empty() || right.empty()) return true;
  return left.substr(1) == right.substr(1) || left == right.substr(1) || left.substr(1) == right;
}

// "recieved", "regions" and "region": one word, as far as spelling tells.
bool is_near(std::string_view one, std::string_view other) {
  if (one == other) return one.size() > 2 || has_digit(one);
  const size_t shorter = std::min(one.size(), other.size());
  if (shorter < 4 || has_digit(one) || has_digit(other)) return false;
  const auto common = static_cast<size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
  return common >= std::max<size_t>(4, shorter - 2) || (one.size() > 4 && one_edit(one, other));
}

bool names(std::string_view value, const std::vector<std::string>& words) {
  for (const std::string& part : words_of(value))
    if (std::ranges::any_of(words, [&](const std::string& word) { return is_near(part, word); }))
      return true;
  return false;
}

std::string shown_name(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', ' ');
  return std::string(trim(out));
}

std::optional<double> minutes_since_epoch(const std::optional<TimePoint>& time) {
  if (!time) return std::nullopt;
  return std::chrono::duration<double, std::ratio<60>>(time->time_since_epoch()).count();
}

void classify(Asked& column, const std::vector<IncidentItem>& items) {
  std::map<std::string, std::string> values;  // folded → as it is first written
  size_t filled = 0, yes = 0, no = 0, numbers = 0;
  bool stories = false;
  for (const IncidentItem& item : items) {
    const std::string cell(trim(column.cell(item.incident)));
    if (cell.empty()) {
      column.has_empty = true;
      continue;
    }
    ++filled;
    const std::string folded = case_fold(cell);
    yes += is_yes(folded) ? 1 : 0;
    no += is_no(folded) ? 1 : 0;
    numbers += number_in(cell) ? 1 : 0;
    stories = stories || cell.size() > kLongestValue;
    values.try_emplace(folded, cell);
  }
  if (filled == 0) return;
  if (yes + no == filled && values.size() <= 2) {
    column.kind = Kind::kYesNo;
  } else if (numbers == filled && filled > 1) {
    column.kind = Kind::kNumbers;
    column.number = [cell = column.cell](const Incident& i) { return number_in(cell(i)); };
    for (const std::string& word : words_of(column.name))
      if (const auto unit = minutes_of_unit(word)) {
        column.kind = Kind::kMinutes;
        column.minutes = *unit;
      }
  } else if (!stories && values.size() <= kMostValues) {
    column.kind = Kind::kValues;
    for (auto& [folded, value] : values) column.values.push_back(std::move(value));
  }
}

std::vector<Asked> asked_columns(const std::vector<IncidentItem>& items) {
  std::vector<Asked> out;
  for (RecordColumn& column : columns_of(items)) {
    Asked asked{.name = column.name, .cell = std::move(column.cell)};
    classify(asked, items);
    if (asked.kind != Kind::kOther || asked.has_empty) out.push_back(std::move(asked));
  }
  const auto written = [](const std::optional<TimePoint>& time) {
    return time ? format_time(*time) : std::string();
  };
  Asked begin{.name = "opened", .kind = Kind::kTimes};
  begin.cell = [=](const Incident& i) { return written(opened(i)); };
  begin.number = [](const Incident& i) { return minutes_since_epoch(opened(i)); };
  Asked end{.name = "closed", .kind = Kind::kTimes};
  end.cell = [=](const Incident& i) { return written(i.resolved_at); };
  end.number = [](const Incident& i) { return minutes_since_epoch(i.resolved_at); };
  end.has_empty = true;
  Asked time{.name = "duration", .kind = Kind::kMinutes};
  time.cell = [](const Incident& i) { return lasted(i) ? std::string("lasted") : std::string(); };
  time.number = minutes_of;
  for (Asked* each : {&begin, &end, &time}) out.push_back(std::move(*each));
  return out;
}

// One pass: what is asked of which column.
struct Candidate {
  std::string text;
  const Asked* column = nullptr;  // null: how many are shown
  std::string value;
  std::optional<AskedNumber> number;
};

std::vector<Candidate> candidates_of(std::string_view question, const std::vector<Asked>& columns) {
  const std::vector<std::string> words = words_of(question);
  const std::vector<AskedNumber> numbers = asked_numbers(question);
  std::vector<Candidate> out;
  for (const AskedNumber& number : numbers)
    out.push_back({fmt::format("{}: {}", kShown, number.written), nullptr, "", number});
  for (const Asked& column : columns) {
    const std::string name = shown_name(column.name);
    if (column.number || column.has_empty) out.push_back({name, &column, "", {}});
    if (column.kind == Kind::kYesNo) out.push_back({name + ": yes", &column, "yes", {}});
    if (column.kind == Kind::kNumbers || column.kind == Kind::kMinutes)
      for (const AskedNumber& number : numbers)
        out.push_back({fmt::format("{}: {}", name, number.written), &column, "", number});
    const bool few = column.values.size() <= kFewValues &&
                     (column.name == "status" || column.name == "severity");
    for (const std::string& value : column.values)
      if (few || names(value, words))
        out.push_back({fmt::format("{}: {}", name, value), &column, value, {}});
  }
  if (out.size() > kMaxAsked) out.resize(kMaxAsked);
  return out;
}

// In the unit of the column's cells; nothing where a time is compared with what is none.
std::optional<double> in_unit_of(const Asked& column, const AskedNumber& number) {
  std::string unit;
  for (const char c : number.written)
    unit = is_letter(c) ? unit + ascii_lower(std::string_view(&c, 1)) : std::string();
  const auto minutes = minutes_of_unit(unit);
  if (!minutes) return number.value;
  if (column.kind != Kind::kMinutes) return std::nullopt;
  return number.value * *minutes / column.minutes;
}

using Says = std::string_view;

// Of a column's number against the one that was said.
std::function<bool(double)> comparison(Says says, double wanted) {
  if (says == "more") return [=](double value) { return value > wanted; };
  if (says == "at_least") return [=](double value) { return value >= wanted; };
  if (says == "less") return [=](double value) { return value < wanted; };
  if (says == "at_most") return [=](double value) { return value <= wanted; };
  if (says == "is") return [=](double value) { return value == wanted; };
  if (says == "not") return [=](double value) { return value != wanted; };
  return {};
}

std::string_view in_words(Says says) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kWords = {
      {{"is", "is"},
       {"not", "is not"},
       {"more", "is more than"},
       {"less", "is less than"},
       {"at_least", "is at least"},
       {"at_most", "is at most"}}};
  const auto* const found =
      std::ranges::find(kWords, says, &std::pair<std::string_view, std::string_view>::first);
  return found == kWords.end() ? std::string_view() : found->second;
}

using Condition = RecordConditions::Condition;

std::optional<Condition> value_condition(const Candidate& candidate, Says says) {
  if (says != "is" && says != "not") return std::nullopt;
  const Asked& column = *candidate.column;
  Condition out{.column = column.name, .negated = says == "not"};
  if (column.kind == Kind::kYesNo) {
    const bool yes = says == "is";
    out.negated = false;
    out.value = yes ? "yes" : "no";
    out.said = fmt::format("{} is {}", shown_name(column.name), out.value);
    // Where only what holds is marked, an empty cell is a no.
    out.holds = [cell = column.cell, yes](const Incident& i) {
      const std::string folded = case_fold(trim(cell(i)));
      return yes ? is_yes(folded) : is_no(folded);
    };
    return out;
  }
  out.value = case_fold(candidate.value);
  out.said = fmt::format("{} {} {}", shown_name(column.name), in_words(says), candidate.value);
  out.holds = [cell = column.cell, wanted = out.value, negated = out.negated](const Incident& i) {
    const std::string folded = case_fold(trim(cell(i)));
    return negated ? !folded.empty() && folded != wanted : folded == wanted;
  };
  return out;
}

std::optional<Condition> number_condition(const Candidate& candidate, Says says) {
  const Asked& column = *candidate.column;
  const auto wanted = in_unit_of(column, *candidate.number);
  const auto compare = wanted ? comparison(says, *wanted) : std::function<bool(double)>();
  if (!compare) return std::nullopt;
  // A number stands by itself, a time with its unit.
  const std::string& written = candidate.number->written;
  const std::string shown =
      column.kind == Kind::kMinutes ? written : figure_text(candidate.number->value);
  return Condition{.column = column.name,
                   .said = fmt::format("{} {} {}", shown_name(column.name), in_words(says), shown),
                   .negated = true,  // each of them must hold
                   .value = "",
                   .holds = [number = column.number, compare](const Incident& i) {
                     const auto value = number(i);
                     return value && compare(*value);
                   }};
}

std::optional<Condition> cell_condition(const Asked& column, Says says) {
  if (says != "empty" && says != "filled") return std::nullopt;
  const bool empty = says == "empty";
  return Condition{
      .column = column.name,
      .said = fmt::format("{} is {}", shown_name(column.name), empty ? "empty" : "filled in"),
      .negated = true,
      .value = "",
      .holds = [cell = column.cell, empty](const Incident& i) {
        return trim(cell(i)).empty() == empty;
      }};
}

class Reading {
 public:
  explicit Reading(const std::vector<std::string>& words) : words_(words) {}

  void take(const Candidate& candidate, Says says, float probability) {
    if (candidate.column == nullptr) {
      if (says == "is" && probability > limit_) {
        limit_ = probability;
        out_.limit = static_cast<size_t>(std::max(1.0, candidate.number->value));
        use(candidate.number->written);
      }
      return;
    }
    const Asked& column = *candidate.column;
    if (says == "most" || says == "least") {
      if (column.number && candidate.value.empty() && !candidate.number && probability > order_) {
        order_ = probability;
        order_by(column, says == "least");
      }
      return;
    }
    auto condition = candidate.number           ? number_condition(candidate, says)
                     : !candidate.value.empty() ? value_condition(candidate, says)
                                                : cell_condition(column, says);
    if (!condition) return;
    use(column.name);
    use(candidate.value);
    if (candidate.number) {
      use(candidate.number->written);
      out_.compared.push_back(candidate.number->value);
    }
    out_.conditions.push_back(*std::move(condition));
  }

  RecordConditions result() { return std::move(out_); }

 private:
  void order_by(const Asked& column, bool lowest) {
    out_.by = column.number;
    out_.lowest_first = lowest;
    const bool newest = column.name == "opened" && !lowest;
    const std::string_view first = column.kind == Kind::kTimes ? lowest ? "oldest" : "newest"
                                   : lowest                    ? "lowest"
                                                               : "highest";
    out_.order = newest ? "" : fmt::format("{}, {} first", shown_name(column.name), first);
    use(column.name);
  }

  // The question's words that this explains.
  void use(std::string_view text) {
    for (const std::string& part : words_of(text))
      for (const std::string& word : words_)
        if (is_near(part, word) || part == word) out_.words.push_back(word);
  }

  const std::vector<std::string>& words_;
  RecordConditions out_;
  float limit_ = 0, order_ = 0;
};

}  // namespace

std::vector<AskedNumber> asked_numbers(std::string_view text) {
  std::vector<AskedNumber> out;
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : ' '; };
  const auto is_word = [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto letters_at = [&](size_t i) {
    size_t end = i;
    while (is_letter(at(end))) ++end;
    return text.substr(i, end - i);
  };
  // " hours" behind what ends at `i`; "" if no whole word follows.
  const auto word_behind = [&](size_t i) -> std::string {
    if (at(i) != ' ') return "";
    const std::string_view word = letters_at(i + 1);
    if (word.empty() || is_word(at(i + 1 + word.size()))) return "";
    return " " + std::string(word);
  };
  for (size_t i = 0; i < text.size();) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (!is_word(text[i]) || text[i] == '_' || is_word(before) || before == '-') {
      ++i;
      continue;
    }
    size_t end = i;
    if (is_digit(text[i])) {
      while (is_digit(at(end)) ||
             ((at(end) == '.' || at(end) == ',') && is_digit(at(end + 1)) && end > i))
        ++end;
      const std::string digits(text.substr(i, end - i));
      const std::string_view unit = letters_at(end);
      const auto value = number_in(digits);
      if (!unit.empty()) {
        if (value && unit.size() <= 4 && minutes_of_unit(ascii_lower(unit)))
          out.push_back({*value, digits + std::string(unit)});
      } else if (value && std::string_view(".,:/#").find(before) == std::string_view::npos &&
                 std::string_view(":-/_").find(at(end)) == std::string_view::npos) {
        out.push_back({*value, digits + word_behind(end)});
      }
      i = end + unit.size();
      continue;
    }
    const std::string_view word = letters_at(i);
    const std::string lower = ascii_lower(word);
    const auto value = lower == "one"        ? std::optional(1.0)
                       : lower == "thousand" ? std::optional(1000.0)
                                             : number_word(lower);
    if (value) out.push_back({*value, std::string(word) + word_behind(i + word.size())});
    i = std::max(i + word.size(), i + 1);
  }
  return out;
}

bool RecordConditions::of(std::string_view column) const {
  return std::ranges::find(conditions, column, &Condition::column) != conditions.end();
}

bool RecordConditions::excludes(std::string_view column, std::string_view value) const {
  return std::ranges::any_of(conditions, [&](const Condition& c) {
    return c.negated && c.column == column && !c.value.empty() && c.value == case_fold(value);
  });
}

bool RecordConditions::understands(std::string_view word) const {
  const std::vector<std::string> parts = words_of(word);
  return std::ranges::all_of(parts, [&](const std::string& part) {
    return std::ranges::find(words, part) != words.end();
  });
}

std::vector<std::string> RecordConditions::said() const {
  std::vector<std::string> out;
  for (const Condition& condition : conditions) out.push_back(condition.said);
  return out;
}

void RecordConditions::keep(std::vector<IncidentItem>& items) const {
  std::map<std::string, std::vector<const Condition*>> any_of;
  for (const Condition& condition : conditions)
    if (!condition.negated) any_of[condition.column].push_back(&condition);
  std::erase_if(items, [&](const IncidentItem& item) {
    const auto holds = [&](const Condition& condition) { return condition.holds(item.incident); };
    for (const Condition& condition : conditions)
      if (condition.negated && !holds(condition)) return true;
    return std::ranges::any_of(any_of, [&](const auto& column) {
      return std::ranges::none_of(column.second, [&](const Condition* c) { return holds(*c); });
    });
  });
}

void RecordConditions::sort(std::vector<IncidentItem>& items) const {
  if (!by) return;
  std::ranges::stable_sort(items, [&](const IncidentItem& a, const IncidentItem& b) {
    const auto x = by(a.incident), y = by(b.incident);
    if (x.has_value() != y.has_value()) return x.has_value();
    return lowest_first ? x < y : x > y;
  });
}

Result<RecordConditions> read_conditions(const std::string& question,
                                         const std::vector<IncidentItem>& items,
                                         const LearnedReader& reader) {
  if (question.size() > kMaxBytes || items.empty()) return RecordConditions();
  const std::vector<Asked> columns = asked_columns(items);
  const std::vector<std::string> words = words_of(question);
  Reading reading(words);
  const std::array<PastTurn, 1> before = {PastTurn{question, ""}};
  for (const Candidate& candidate : candidates_of(question, columns)) {
    const AdaptedReading read = TRY(reader.read(candidate.text, before));
    const ReadLabel& likeliest = read.head("says").labels.front();
    if (likeliest.label != "none" && likeliest.probability >= kTaken)
      reading.take(candidate, likeliest.label, likeliest.probability);
  }
  return reading.result();
}

}  // namespace precedent
