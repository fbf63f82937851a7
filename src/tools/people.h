// The names of people, as they are said: "zoe" is Zoë Lindgren, whatever keyboard somebody has.
//
// Thread safety: pure function.
#pragma once

#include <string_view>

namespace precedent {

// Whether `said` is the name or whole words of it, in any case, with or without its accents. False
// for "".
bool is_called(std::string_view name, std::string_view said);

}  // namespace precedent
