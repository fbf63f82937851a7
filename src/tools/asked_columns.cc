#include "tools/asked_columns.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "tools/asked_words.h"
#include "tools/figures.h"
#include "tools/record_columns.h"

namespace precedent {
namespace {

// What is longer tells a story.
constexpr size_t kLongestValue = 60;
// A column of values has not many.
constexpr size_t kMostValues = 80;

std::optional<double> minutes_since_epoch(const std::optional<TimePoint>& time) {
  if (!time) return std::nullopt;
  return std::chrono::duration<double, std::ratio<60>>(time->time_since_epoch()).count();
}

void classify(AskedColumn& column, const std::vector<IncidentItem>& items) {
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
    column.kind = ColumnKind::kYesNo;
  } else if (numbers == filled && filled > 1) {
    column.kind = ColumnKind::kNumbers;
    column.number = [cell = column.cell](const Incident& i) { return number_in(cell(i)); };
    for (const std::string& word : words_of(column.name))
      if (const auto unit = minutes_of_unit(word)) {
        column.kind = ColumnKind::kMinutes;
        column.minutes = *unit;
      }
  } else if (!stories && values.size() <= kMostValues) {
    column.kind = ColumnKind::kValues;
    for (auto& [folded, value] : values) column.values.push_back(std::move(value));
  }
}

}  // namespace

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

std::vector<AskedColumn> asked_columns(const std::vector<IncidentItem>& items) {
  std::vector<AskedColumn> out;
  for (RecordColumn& column : columns_of(items)) {
    AskedColumn asked{.name = column.name, .cell = std::move(column.cell)};
    classify(asked, items);
    if (asked.kind != ColumnKind::kOther || asked.has_empty) out.push_back(std::move(asked));
  }
  const auto written = [](const std::optional<TimePoint>& time) {
    return time ? format_time(*time) : std::string();
  };
  AskedColumn begin{.name = "opened", .kind = ColumnKind::kTimes};
  begin.cell = [=](const Incident& i) { return written(opened(i)); };
  begin.number = [](const Incident& i) { return minutes_since_epoch(opened(i)); };
  AskedColumn end{.name = "closed", .kind = ColumnKind::kTimes};
  end.cell = [=](const Incident& i) { return written(i.resolved_at); };
  end.number = [](const Incident& i) { return minutes_since_epoch(i.resolved_at); };
  end.has_empty = true;
  AskedColumn time{.name = "duration", .kind = ColumnKind::kMinutes};
  time.cell = [](const Incident& i) { return lasted(i) ? std::string("lasted") : std::string(); };
  time.number = minutes_of;
  for (AskedColumn* each : {&begin, &end, &time}) out.push_back(std::move(*each));
  return out;
}

}  // namespace precedent
