// The words of a question that make its answer depend on when it is asked.
//
// Thread safety: pure function.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace precedent {

// The first time that the text names, or a word as "still", as written; "" if there is neither.
std::string time_word(std::string_view question, TimePoint now);

}  // namespace precedent
