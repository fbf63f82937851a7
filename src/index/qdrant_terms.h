// TermTable: in how many points of each level a term occurs, which is what idf is made of.
//
// Kept by us, since no server counts what we need: Qdrant's own idf is over all points that were
// ever in a segment, deleted ones included, and over both levels and every version; from 1.19 on it
// can be told the corpus (`params.idf`), which older servers ignore in silence. Kept beside the
// points as a sum of changes: each update adds a few records of what it changed, and now and then
// the whole table takes their place (qdrant_index.h). Thread safety: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/knowledge_index.h"

namespace precedent {

struct TermCount {
  uint32_t term = 0;
  std::array<int64_t, 2> points{};  // by Level
  bool operator==(const TermCount&) const = default;
};

class TermTable {
 public:
  size_t size() const { return terms_.size(); }
  // Of the points of `level` that have the term.
  size_t df(uint32_t term, Level level) const;
  // Of all terms and levels: to see that nothing is missing.
  int64_t sum() const;

  // Counts a point in (`by` 1) or out (−1). Call settle() after the last.
  void count(const SparseVector& sparse, Level level, int64_t by);
  // Ascending and unique, without terms that changed nothing.
  void settle();
  // What was in this, with all of `other` added. REQUIRES: both settled.
  TermTable plus(const TermTable& other) const;

  // Payloads of records, each of a bounded number of terms; at least one, also of an empty table.
  std::vector<nlohmann::json> records() const;
  // Adds what records() made, in any order; then settle(). Errors: kCorrupt.
  Result<void> add_record(const nlohmann::json& record);

  bool operator==(const TermTable&) const = default;

 private:
  std::vector<TermCount> terms_;
};

}  // namespace precedent
