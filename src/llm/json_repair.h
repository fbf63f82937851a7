// Text that a model meant as JSON → JSON, where only one reading is possible.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// The text inside ``` … ```, with or without a language; else the text.
std::string_view without_fence(std::string_view text);

// Drops trailing commas, turns Python's literals and single quotes into JSON's, closes what is open
// behind a complete value. Nothing if a repair would be a guess. What comes may still be no JSON.
// Says in `repairs` what it did.
std::optional<std::string> tidy_json(std::string_view text, std::vector<std::string>& repairs);

}  // namespace precedent
