// How a duration is written in an answer.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <string>

namespace precedent {

// "1 d 3 h", "1 h 5 min", "0 min".
std::string duration_text(std::chrono::minutes duration);

}  // namespace precedent
