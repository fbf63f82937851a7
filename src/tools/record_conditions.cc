#include "tools/record_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "tools/asked_columns.h"
#include "tools/figures.h"

namespace precedent {
namespace {

constexpr size_t kMaxBytes = 2000;
constexpr size_t kMaxAsked = 64;
constexpr float kTaken = 0.5f;
// Of a value that no word of the question comes near to.
constexpr float kTakenUnsaid = 0.94f;
constexpr float kBeside = 0.25f;
// Of a status or a severity every value is asked about: people say them in words of their own.
constexpr size_t kFewValues = 6;
constexpr std::string_view kShown = "how many are shown";

std::string shown_name(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', ' ');
  return std::string(trim(out));
}

// One pass: what is asked of which column, beside the question with the words that name it marked.
struct Candidate {
  std::string text;
  const AskedColumn* column = nullptr;  // null: how many are shown
  std::string value;
  std::optional<AskedNumber> number;
  float taken = kTaken;  // from which probability on
};

// "1500 guests" are of the column that has the word in its name, where there is one.
bool is_of_another(const AskedNumber& number, const AskedColumn& column,
                   const std::vector<AskedColumn>& columns) {
  const std::vector<std::string> words = words_of(number.written);
  if (words.size() < 2) return false;
  const auto has = [&](const AskedColumn& each) {
    return each.number && names(each.name, {words.back()});
  };
  return !has(column) && std::ranges::any_of(columns, has);
}

std::vector<Candidate> candidates_of(std::string_view question,
                                     const std::vector<AskedColumn>& columns) {
  const std::vector<std::string> words = words_of(question);
  const std::vector<AskedNumber> numbers = asked_numbers(question);
  std::vector<Candidate> out;
  for (const AskedNumber& number : numbers)
    out.push_back({fmt::format("{}: {}", kShown, number.written), nullptr, "", number});
  for (const AskedColumn& column : columns) {
    const std::string name = shown_name(column.name);
    if (column.number || column.has_empty) out.push_back({name, &column, "", {}});
    if (column.kind == ColumnKind::kYesNo) out.push_back({name + ": yes", &column, "yes", {}});
    if (column.kind == ColumnKind::kNumbers || column.kind == ColumnKind::kMinutes)
      for (const AskedNumber& number : numbers)
        if (!is_of_another(number, column, columns))
          out.push_back({fmt::format("{}: {}", name, number.written), &column, "", number});
    const bool told = std::ranges::any_of(
        column.values, [&](const std::string& value) { return names_all(value, words); });
    const bool few = column.values.size() <= kFewValues && !told &&
                     (column.name == "status" || column.name == "severity");
    for (const std::string& value : column.values) {
      const bool said = names(value, words);
      if (few || said)
        out.push_back(
            {fmt::format("{}: {}", name, value), &column, value, {}, said ? kTaken : kTakenUnsaid});
    }
  }
  if (out.size() > kMaxAsked) out.resize(kMaxAsked);
  return out;
}

std::string marked(std::string_view question, const Candidate& candidate) {
  if (candidate.number) return mark_text(question, candidate.number->written);
  const bool of_value = candidate.column->kind != ColumnKind::kYesNo && !candidate.value.empty();
  return mark_names(question, of_value ? candidate.value : candidate.column->name);
}

// In the unit of the column's cells; nothing where a time is compared with what is none.
std::optional<double> in_unit_of(const AskedColumn& column, const AskedNumber& number) {
  std::string unit;
  for (const char c : number.written)
    unit = is_letter(c) ? unit + ascii_lower(std::string_view(&c, 1)) : std::string();
  const auto minutes = minutes_of_unit(unit);
  if (!minutes) return number.value;
  if (column.kind != ColumnKind::kMinutes) return std::nullopt;
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
  const AskedColumn& column = *candidate.column;
  Condition out{.column = column.name, .negated = says == "not"};
  if (column.kind == ColumnKind::kYesNo) {
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
  const AskedColumn& column = *candidate.column;
  const auto wanted = in_unit_of(column, *candidate.number);
  const auto compare = wanted ? comparison(says, *wanted) : std::function<bool(double)>();
  if (!compare) return std::nullopt;
  // A number stands by itself, a time with its unit.
  const std::string& written = candidate.number->written;
  const std::string shown =
      column.kind == ColumnKind::kMinutes ? written : figure_text(candidate.number->value);
  return Condition{.column = column.name,
                   .said = fmt::format("{} {} {}", shown_name(column.name), in_words(says), shown),
                   .negated = true,  // each of them must hold
                   .value = "",
                   .holds = [number = column.number, compare](const Incident& i) {
                     const auto value = number(i);
                     return value && compare(*value);
                   }};
}

std::optional<Condition> cell_condition(const AskedColumn& column, Says says) {
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

void name_by(std::string_view name, const std::vector<std::string>& question,
             Condition& condition) {
  condition.whole = true;
  for (const std::string& part : words_of(name)) {
    const size_t before = condition.words.size();
    for (const std::string& word : question)
      if (is_near(part, word) || part == word) condition.words.push_back(word);
    condition.whole = condition.whole && condition.words.size() > before;
  }
}

// "Guests affected" names one column whole, and "Guest Systems" by a word of it; "KIR-1" is more
// than "KIR".
bool is_part_of_another(const Condition& part, const std::vector<Condition>& all) {
  if (part.words.empty()) return false;
  return std::ranges::any_of(all, [&](const Condition& other) {
    const bool longer = other.words.size() > part.words.size();
    return other.whole && (!part.whole || longer) &&
           std::ranges::all_of(part.words, [&](const std::string& word) {
             return std::ranges::find(other.words, word) != other.words.end();
           });
  });
}

class Reading {
 public:
  Reading(const std::vector<std::string>& words, const std::vector<AskedColumn>& columns)
      : words_(words), columns_(columns) {}

  void take(const Candidate& candidate, Says says, float probability) {
    if (candidate.column == nullptr) {
      if (says == "is" && probability > limit_) {
        limit_ = probability;
        out_.limit = static_cast<size_t>(std::max(1.0, candidate.number->value));
        use(candidate.number->written);
      }
      return;
    }
    const AskedColumn& column = *candidate.column;
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
    condition->probability = probability;
    const bool of_value = !candidate.value.empty() && column.kind != ColumnKind::kYesNo;
    name_by(of_value ? candidate.value : column.name, words_, *condition);
    use(column.name);
    use(candidate.value);
    if (candidate.number) {
      use(candidate.number->written);
      out_.compared.push_back(candidate.number->value);
    }
    out_.conditions.push_back(*std::move(condition));
  }

  RecordConditions result() {
    const std::vector<Condition> all = out_.conditions;
    std::erase_if(out_.conditions,
                  [&](const Condition& each) { return is_part_of_another(each, all); });
    // All values of a column restrict nothing; nor do those that are hardly meant beside another.
    for (const AskedColumn& column : columns_) {
      const auto is_wanted = [&](const Condition& each) {
        return !each.negated && !each.value.empty() && each.column == column.name;
      };
      if (column.values.size() > 1 && std::ranges::count_if(out_.conditions, is_wanted) ==
                                          static_cast<ptrdiff_t>(column.values.size()))
        std::erase_if(out_.conditions, is_wanted);
    }
    std::map<std::string, float> likeliest;
    for (const Condition& each : out_.conditions)
      if (!each.negated)
        likeliest[each.column] = std::max(likeliest[each.column], each.probability);
    std::erase_if(out_.conditions, [&](const Condition& each) {
      return !each.negated && each.probability < likeliest[each.column] - kBeside;
    });
    return std::move(out_);
  }

 private:
  void order_by(const AskedColumn& column, bool lowest) {
    out_.by = column.number;
    out_.lowest_first = lowest;
    out_.order_column = column.name;
    out_.by_number = column.kind != ColumnKind::kTimes;
    const bool newest = column.name == "opened" && !lowest;
    const std::string_view first = column.kind == ColumnKind::kTimes ? lowest ? "oldest" : "newest"
                                   : lowest                          ? "lowest"
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
  const std::vector<AskedColumn>& columns_;
  RecordConditions out_;
  float limit_ = 0, order_ = 0;
};

}  // namespace

bool RecordConditions::of(std::string_view column) const {
  return std::ranges::find(conditions, column, &Condition::column) != conditions.end();
}

bool RecordConditions::excludes(std::string_view column, std::string_view value) const {
  return std::ranges::any_of(conditions, [&](const Condition& c) {
    return c.negated && c.column == column && !c.value.empty() && c.value == case_fold(value);
  });
}

bool RecordConditions::explains(std::string_view name, std::string_view question) const {
  Condition part;
  name_by(name, words_of(question), part);
  return is_part_of_another(part, conditions);
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

void RecordConditions::forget_wanted(std::string_view column) {
  std::erase_if(conditions, [&](const Condition& c) {
    return c.column == column && !c.negated && !c.value.empty();
  });
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
  const std::vector<AskedColumn> columns = asked_columns(items);
  const std::vector<std::string> words = words_of(question);
  Reading reading(words, columns);
  for (const Candidate& candidate : candidates_of(question, columns)) {
    const std::string beside = marked(question, candidate);
    const std::array<PastTurn, 1> before = {PastTurn{beside, ""}};
    const AdaptedReading read = TRY(reader.read(candidate.text, before));
    const ReadLabel& likeliest = read.head("says").labels.front();
    if (likeliest.label != "none" && likeliest.probability >= candidate.taken)
      reading.take(candidate, likeliest.label, likeliest.probability);
  }
  return reading.result();
}

}  // namespace precedent
