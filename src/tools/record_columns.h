// Columns of incident records, whatever a company calls them: the fields that all records have, and
// those that were kept from an export.
//
// Thread safety: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

struct RecordColumn {
  std::string name;   // as a person reads it
  std::string means;  // what its name stands for, where that says more
  std::function<std::string(const Incident&)> cell;
};
std::vector<RecordColumn> columns_of(const std::vector<IncidentItem>& items);

// Most of the cells that hold something hold a number.
bool is_of_numbers(const RecordColumn& column, const std::vector<IncidentItem>& items);
// Several incidents share a value.
bool is_of_groups(const RecordColumn& column, const std::vector<IncidentItem>& items);

// How long it lasted.
std::optional<double> minutes_of(const Incident& incident);

}  // namespace precedent
