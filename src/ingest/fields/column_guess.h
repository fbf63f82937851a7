// ColumnGuess: which column of a table is which field, by what stands in it, where no name says so.
//
// Every export calls its columns as it likes, in whatever language. What they hold is alike
// everywhere: an id is one word with a digit in it and never twice the same; a title is a short
// text; the description is the longest; the first column of dates is when it was opened. Which of
// several further dates is the end nobody can tell. Only fields that no column has by name are
// guessed, and every guess is told.
//
// Thread safety: plain values. Memory: a hash for each value up to kMaxValues of a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/date_order.h"
#include "ingest/records/record.h"

namespace precedent {

// What was seen of one column.
class ColumnProfile {
 public:
  static constexpr size_t kMaxValues = 20'000;
  static constexpr size_t kExamples = 5;

  void see(const Value& value);

  size_t filled() const { return filled_; }
  // Shares of the filled values, 0–1.
  double times() const { return share(times_); }
  double single_words() const { return share(words_); }
  double with_digit() const { return share(digits_); }
  // Above 0.999: no value comes twice, as far as was looked.
  double different() const { return share(different_.size()); }
  double mean_bytes() const { return share(bytes_); }
  double mean_words() const { return share(all_words_); }
  // The first value that is not blank, cut.
  const Value& example() const { return example_; }
  // The first texts and numbers, cut.
  const std::vector<std::string>& examples() const { return examples_; }

 private:
  double share(size_t n) const {
    return filled_ == 0 ? 0 : static_cast<double>(n) / static_cast<double>(filled_);
  }
  Value example_;
  std::vector<std::string> examples_;
  size_t filled_ = 0, times_ = 0, words_ = 0, digits_ = 0, bytes_ = 0, all_words_ = 0;
  std::unordered_set<uint64_t> different_;
};

// Two records may be alike by chance: of fewer nothing is guessed.
inline constexpr size_t kFewestRecords = 3;

using ColumnProfiles = std::map<std::string, ColumnProfile, std::less<>>;

// Pairs of a canonical field and a column. `columns` in the order of the file; `known` are the
// canonical fields that a column has by name, `taken` those columns.
std::vector<std::pair<std::string_view, std::string>> guess_columns(
    const std::vector<std::string>& columns, const ColumnProfiles& profiles, size_t records,
    const std::vector<std::string_view>& known, const std::vector<std::string>& taken);

}  // namespace precedent
