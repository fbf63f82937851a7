#include "tools/record_columns.h"

#include <set>

#include "base/strings.h"
#include "knowledge/case_fold.h"
#include "tools/figures.h"

namespace precedent {
namespace {

// Of the cells of a column that hold something, as many must be numbers for it to be one of
// numbers.
constexpr double kMostlyNumbers = 0.6;
// What is longer is no name of a group.
constexpr size_t kLongestGroup = 80;
}  // namespace

std::vector<RecordColumn> columns_of(const std::vector<IncidentItem>& items) {
  std::vector<RecordColumn> columns = {
      {"application", "application, system",
       [](const Incident& i) { return i.impacted_application; }},
      {"severity", "severity, priority", [](const Incident& i) { return i.severity; }},
      {"status", "status", [](const Incident& i) { return i.status; }},
      {"accountable party", "person, team", [](const Incident& i) { return i.accountable_party; }},
      {"source system", "source", [](const Incident& i) { return i.source_system; }},
      {"root cause", "cause", [](const Incident& i) { return i.root_cause; }}};
  std::set<std::string> names;
  for (const IncidentItem& item : items)
    for (const auto& [name, value] : item.incident.extra) names.insert(name);
  for (const std::string& name : names) {
    columns.push_back({name, name, [name](const Incident& i) {
                         const auto found = i.extra.find(name);
                         return found == i.extra.end() ? std::string() : found->second;
                       }});
  }
  return columns;
}

bool is_of_numbers(const RecordColumn& column, const std::vector<IncidentItem>& items) {
  size_t filled = 0, numbers = 0;
  for (const IncidentItem& item : items) {
    const std::string cell = column.cell(item.incident);
    if (trim(cell).empty()) continue;
    ++filled;
    if (number_in(cell)) ++numbers;
  }
  return numbers > 1 &&
         static_cast<double>(numbers) >= kMostlyNumbers * static_cast<double>(filled);
}

// Several incidents share a value.
bool is_of_groups(const RecordColumn& column, const std::vector<IncidentItem>& items) {
  std::set<std::string> values;
  size_t filled = 0;
  for (const IncidentItem& item : items) {
    const std::string cell = column.cell(item.incident);
    if (trim(cell).empty()) continue;
    if (cell.size() > kLongestGroup) return false;
    ++filled;
    values.insert(case_fold(cell));
  }
  return filled > 1 && values.size() > 1 && values.size() < filled;
}

std::optional<double> minutes_of(const Incident& incident) {
  const auto time = lasted(incident);
  if (!time) return std::nullopt;
  return static_cast<double>(time->count());
}

}  // namespace precedent
