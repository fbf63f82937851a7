// Numbers that are written as words.
//
// Thread safety: pure function.
#pragma once

#include <optional>
#include <string_view>

namespace precedent {

// "two", "twenty", "hundred", in lower case; not "one", which is mostly a pronoun.
std::optional<double> number_word(std::string_view word);

}  // namespace precedent
