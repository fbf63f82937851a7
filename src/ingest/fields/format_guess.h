// Which formats of strptime the times of a column follow.
//
// Thread safety: pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/date_order.h"

namespace precedent {

// What most of the texts follow first, then what most of the others do, until all are read. None
// where all say year, month and day in this order, or where nothing known reads any. `order`: of
// the column; unknown takes the day for the first.
std::vector<std::string> guess_formats(std::span<const std::string> texts, DateOrder order);

}  // namespace precedent
