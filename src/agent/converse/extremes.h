// Extremes: which of several incidents is the longest, the severest, the newest.
//
// A measure that a record does not have is never an extreme: an incident without an end is not the
// shortest. Where no record has it, nothing is chosen.
// Thread safety: pure functions over values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/incident.h"

namespace precedent {

enum class Extreme { kSeverest, kLongest, kShortest, kNewest, kOldest };

// Those that a question in lower case asks for, each once.
std::vector<Extreme> read_extremes(std::string_view lower);

struct Extremal {
  std::vector<size_t> places;  // of the incidents that are it, more than one if they are equal
  size_t unmeasured = 0;       // incidents whose record does not have the measure
};
Extremal extreme_of(Extreme extreme, std::span<const Incident* const> incidents);

// "The longest of these 12 incidents: INC-2026-06-30-002, 8 h 24 min. 1 of them has no recorded
// end." REQUIRES: the extremal is of these incidents and has a place.
std::string extreme_text(Extreme extreme, const Extremal& extremal,
                         std::span<const Incident* const> incidents);

}  // namespace precedent
