#include "ingest/fields/column_guess.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/utf8.h"

namespace precedent {
namespace {

constexpr double kNearlyAll = 0.9, kMost = 0.6;
// Enough to recognise a value by.
constexpr size_t kExampleBytes = 120;
constexpr size_t kMaxIdBytes = 40;
constexpr double kShortestTitle = 12, kLongestTitle = 140, kShortestText = 40;

bool is_time(std::string_view text) {
  return parse_time(text, DateOrder::kDayFirst) || parse_time(text, DateOrder::kMonthFirst);
}

}  // namespace

void ColumnProfile::see(const Value& value) {
  if (example_.blank())
    example_ = {value.type, std::string(utf8_prefix(value.text, kExampleBytes))};
  const std::string_view text = trim(value.text);
  if (text.empty() || filled_ >= kMaxValues) return;
  if (value.type != Value::Type::kText && value.type != Value::Type::kNumber) return;
  ++filled_;
  bytes_ += text.size();
  bool within = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (!blank && !within) ++all_words_;
    within = !blank;
  }
  if (examples_.size() < kExamples) examples_.emplace_back(utf8_prefix(text, kExampleBytes));
  different_.insert(std::hash<std::string_view>()(text));
  const bool digit = std::ranges::any_of(text, is_digit);
  if (digit) ++digits_;
  if (text.size() <= kMaxIdBytes && text.find_first_of(" \t\n") == std::string_view::npos) ++words_;
  if (digit && value.type == Value::Type::kText && is_time(text)) ++times_;
}

std::vector<std::pair<std::string_view, std::string>> guess_columns(
    const std::vector<std::string>& columns, const ColumnProfiles& profiles, size_t records,
    const std::vector<std::string_view>& known, const std::vector<std::string>& taken) {
  std::vector<std::pair<std::string_view, std::string>> guesses;
  if (records < kFewestRecords) return guesses;
  const auto all = static_cast<double>(records);
  const auto is_known = [&](std::string_view field) {
    return std::ranges::find(known, field) != known.end();
  };
  const auto is_free = [&](const std::string& column) {
    return std::ranges::find(taken, column) == taken.end() &&
           std::ranges::find(guesses, column, &std::pair<std::string_view, std::string>::second) ==
               guesses.end();
  };
  // The free column that fits and has the highest rank; of several, the first.
  const auto guess = [&](std::string_view field, double filled, const auto& fits,
                         const auto& rank) {
    if (is_known(field)) return;
    const std::string* best = nullptr;
    double best_rank = 0;
    for (const std::string& column : columns) {
      const auto found = profiles.find(column);
      if (found == profiles.end() || !is_free(column)) continue;
      const ColumnProfile& p = found->second;
      if (static_cast<double>(p.filled()) < filled * all || !fits(p)) continue;
      const double own = rank(p);
      if (best == nullptr || own > best_rank) best = &column, best_rank = own;
    }
    if (best != nullptr) guesses.emplace_back(field, *best);
  };
  const auto first = [](const ColumnProfile&) { return 1.0; };
  guess(
      "incident_id", 1.0,
      [](const ColumnProfile& p) {
        return p.different() > 0.999 && p.single_words() > 0.999 && p.with_digit() > 0.999 &&
               p.times() < 0.5;
      },
      first);
  const auto is_date = [](const ColumnProfile& p) { return p.times() >= kNearlyAll; };
  guess("opened_at", kNearlyAll, is_date, first);
  guess(
      "title", kNearlyAll,
      [](const ColumnProfile& p) {
        return p.single_words() < 0.5 && p.different() >= kMost && p.times() < 0.1 &&
               p.mean_bytes() >= kShortestTitle && p.mean_bytes() <= kLongestTitle;
      },
      first);
  guess(
      "description", 0.3,
      [](const ColumnProfile& p) {
        return p.different() >= kMost && p.times() < 0.1 && p.mean_bytes() >= kShortestText;
      },
      [](const ColumnProfile& p) { return p.mean_bytes(); });
  return guesses;
}

}  // namespace precedent
