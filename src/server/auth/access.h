// Access: the role that a request takes, by its method and path. One table; what it does not name
// takes the highest.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "server/auth/caller.h"

namespace precedent {

// Nothing: anybody may ask, without signing in.
std::optional<AccessRole> role_needed(std::string_view method, std::string_view path);

}  // namespace precedent
