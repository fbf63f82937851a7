// The known name that somebody may have meant by an unknown one: for messages about misspelt keys
// and variables.
//
// Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace precedent {

// The one of `known` with the least edit distance (insertions, deletions, substitutions of bytes)
// to `name`; ties go to the first.
// "" if `known` is empty.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

// Insertions, deletions and substitutions of bytes that make one text of the other; of long ones,
// of their first 64 bytes.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace precedent
