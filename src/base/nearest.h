// The name that somebody probably meant: for messages about unknown tools, options and settings.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// The name among `names` that `wrong` was probably meant to be, if one is close.
std::optional<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace precedent
