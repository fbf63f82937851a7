// Words that turn a question around: "enable" and "disable", "start" and "stop", "primary" and
// "replica". Two questions that differ in one of them are near for an embedding model (cosines of
// 0.87 to 0.98 were measured) and need opposite answers.
//
// Thread safety: pure function.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/analyzer.h"

namespace precedent {

// The first pair of which `a` holds one word and `b` the other, neither holding both; as the index
// spells them (stems).
std::optional<std::pair<std::string, std::string>> find_opposites(std::string_view a,
                                                                  std::string_view b,
                                                                  const Analyzer& analyzer);

}  // namespace precedent
