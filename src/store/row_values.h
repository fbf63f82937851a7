// RowValues: the rows for one statement over many (SqlRows), with the texts that are made for them.
//
// Lifetime: what add() is given must outlive it; what keep() is given lives as long as it does.
// Private to store/. Thread safety: none needed.
#pragma once

#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/sql.h"

namespace precedent {

class RowValues {
 public:
  void add(std::initializer_list<db::SqlValue> row) {
    values_.insert(values_.end(), row.begin(), row.end());
  }
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  std::span<const db::SqlValue> values() const { return values_; }
  bool empty() const { return values_.empty(); }

 private:
  std::vector<db::SqlValue> values_;
  std::deque<std::string> texts_;  // whose elements stay where they are
};

// One row for each of these.
inline RowValues row_values(std::span<const std::string> texts) {
  RowValues rows;
  for (const std::string& text : texts) rows.add({std::string_view(text)});
  return rows;
}

}  // namespace precedent
