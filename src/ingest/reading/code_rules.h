// Which files of a repository are not indexed, and why: nobody edits them, so nobody looks for
// them, and each would bury the code that somebody wrote. The rules are data, in the .cc, a reason
// each.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace precedent {

// Larger files are data or generated: the largest hand-written sources of well-known trees
// (sqlite's amalgamation aside) stay below.
inline constexpr uint64_t kMaxCodeBytes = 1 << 20;

// The reason, as it is counted and told: "vendored", "lock file", "minified" … Nothing: index it.
std::optional<std::string_view> left_out_by_path(std::string_view path);
std::optional<std::string_view> left_out_by_text(std::string_view text);

}  // namespace precedent
