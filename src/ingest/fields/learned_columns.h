// LearnedColumns: which column of a table is which field, by what its name and its values mean.
//
// "What it really was", "Ursache" and "why_short" are all the cause; no list of names ever ends.
// Learned from exports of invented companies (train/data/columns, train/fit_columns.py): a linear
// model over the encoder's vector of the name, the mean of those of the first values, and the shape
// of the values (adapters/columns.md has its figures). Beside it, names that are known by heart
// (field_map.h) and what values alone tell (column_guess.h) go on deciding what they decide.
//
// Thread safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "embed/embedder.h"
#include "ingest/fields/column_guess.h"

namespace precedent {

class LearnedColumns {
 public:
  // The model that is part of the program.
  static Result<LearnedColumns> open();
  // Errors: kCorrupt, naming what is wrong.
  static Result<LearnedColumns> parse(std::span<const std::byte> file, std::string_view origin);

  // Pairs of a canonical field and a column, each at most once: for fields that are not among
  // `known`, from columns that are not among `taken`. A field goes to the column that is likeliest
  // to be it and to no field that is given already; times only to columns that hold times.
  // Errors: those of the embedder.
  Result<std::vector<std::pair<std::string_view, std::string>>> guess(
      const std::vector<std::string>& columns, const ColumnProfiles& profiles, size_t records,
      const std::vector<std::string_view>& known, const std::vector<std::string>& taken,
      const Embedder& embedder) const;

 private:
  std::vector<std::string_view> fields_;  // canonical; "" for a column that is none
  std::vector<float> weights_;            // fields × (2 · kHidden + shape + 1)
};

}  // namespace precedent
