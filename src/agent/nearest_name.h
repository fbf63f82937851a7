// The known name that somebody may have meant by an unknown one: for messages about misspelt keys and variables.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>

namespace precedent {

// The one of `known` with the least edit distance (insertions, deletions, substitutions of bytes) to `name`; ties go to the first.
// "" if `known` is empty.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

}  // namespace precedent
