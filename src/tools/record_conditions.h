// How a question restricts a list of records by their columns: "in the South Bowl", "customers were
// not told", "longer than 2 hours", "the three latest". Learned (adapters/conditions.md), so that
// neither wordings nor anybody's columns stand in the code.
//
// Asked about are the values that the question comes near to, columns of yes and no, each number
// with each column of numbers and with how many are shown, and each column by itself: its empty
// cells, its order. train/precedent_train/conditions.py asks the same, in the same words.
//
// Cost: one pass of the encoder each, some 20 to 40 a question. Thread safety: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "embed/learned_reader.h"
#include "tools/asked_words.h"
#include "tools/receipt.h"

namespace precedent {

// What a question restricts a list to.
struct RecordConditions {
  struct Condition {
    std::string column, said;  // "sector", "sector is North Ridge"
    bool negated = false;      // that a value is not there
    float probability = 0;
    std::vector<std::string> words;  // of the question that name it; all that its name has: `whole`
    bool whole = false;
    std::string value;  // in lower case; "" of comparisons
    std::function<bool(const Incident&)> holds;
  };
  std::vector<Condition> conditions;  // of one column that are not negated any holds, else each
  std::optional<size_t> limit;
  std::vector<double> compared;  // numbers of the question that columns are compared with
  std::string order;             // "duration, highest first"; "": newest first
  std::string order_column;
  std::function<std::optional<double>(const Incident&)> by;
  bool lowest_first = false;
  bool by_number = false;          // the order is that of numbers, not of times
  std::vector<std::string> words;  // of the question that are thereby understood, in lower case

  bool empty() const { return conditions.empty() && !limit && order.empty(); }
  bool of(std::string_view column) const;
  // Whether a value of the column is said not to be meant.
  bool excludes(std::string_view column, std::string_view value) const;
  bool understands(std::string_view word) const;
  // Whether the question has only words of this name that name a value or a column whole: "Pellow
  // Quay" is not "Quay Gate Cameras".
  bool explains(std::string_view name, std::string_view question) const;
  std::vector<std::string> said() const;

  // Takes out the values of the column that are wanted.
  void forget_wanted(std::string_view column);
  void keep(std::vector<IncidentItem>& items) const;
  void sort(std::vector<IncidentItem>& items) const;  // those without a value last
};

// `items`: all records that it may be about, whose columns and values are what can be meant. Of a
// question of more than a few hundred words, nothing. Errors: those of the reader.
Result<RecordConditions> read_conditions(const std::string& question,
                                         const std::vector<IncidentItem>& items,
                                         const LearnedReader& reader);

}  // namespace precedent
