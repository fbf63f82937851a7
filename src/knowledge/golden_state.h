// How a golden example stands, for people. Thread safety: pure function.
#pragma once

#include <string>

#include "knowledge/golden.h"

namespace precedent {

// "served", or why it is not: "not reviewed", "not active, not corrected" …
std::string state_of(const GoldenExample& example);

}  // namespace precedent
