// The columns that a question may restrict records by: their kind, their values, their numbers.
//
// Thread safety: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

enum class ColumnKind : uint8_t { kValues, kYesNo, kNumbers, kMinutes, kTimes, kOther };

struct AskedColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kOther;
  std::function<std::string(const Incident&)> cell;
  std::function<std::optional<double>(const Incident&)> number;
  std::vector<std::string> values;
  double minutes = 1;  // of one unit of its numbers, of kMinutes
  bool has_empty = false;
};

// Those of the records (record_columns.h), and when they were opened and closed and how long they
// lasted.
std::vector<AskedColumn> asked_columns(const std::vector<IncidentItem>& items);

// What a cell of a column of yes and no says, in lower case.
bool is_yes(std::string_view folded);
bool is_no(std::string_view folded);

}  // namespace precedent
