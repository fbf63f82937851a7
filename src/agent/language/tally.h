// Tally: what a question wants computed over past incidents, as it was learned (adapters/tally.md).
//
// Thread safety: pure functions over values.
#pragma once

#include <optional>
#include <string>

#include "embed/learned_reader.h"

namespace precedent {

struct Tally {
  std::string function;  // "count", "sum", "average", "extreme", "list"
  std::string pick;      // "most", "least"; "none"
  std::string of;        // "records", "duration", "number", "date"
  std::string by;        // "month", "week", "weekday", "hour", "year", "column"; "none"
  bool open = false;     // only of those that are not over yet
  bool surely = false;   // whatever else the question could be read as

  // More than a list and how long it is.
  bool computes() const;
  // Just that.
  bool lists() const { return !computes() && (function == "list" || function == "count"); }
  bool operator==(const Tally&) const = default;
};

// Nothing if it is not sure that something is to be computed, or cannot be read.
std::optional<Tally> read_tally(const std::string& question, const LearnedReader& reader);

}  // namespace precedent
