// Bytes as hexadecimal digits, two each, the higher half first.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

// 0 to 15 of a digit in either case; -1 of anything else.
int hex_value(char digit);

// In lower case.
std::string to_hex(std::string_view bytes);

// Nothing unless `digits` is what to_hex() gives of some bytes: lower case, and an even number.
std::optional<std::string> from_hex(std::string_view digits);

}  // namespace precedent
