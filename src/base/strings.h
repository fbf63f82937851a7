// Small helpers over text that the standard library lacks. ASCII only: text/ knows Unicode.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

std::string_view trim(std::string_view text);
std::string ascii_lower(std::string_view text);
bool iequals(std::string_view a, std::string_view b);  // ASCII case-insensitive
std::vector<std::string_view> split(std::string_view text, char separator);
// Lines without their \n or \r\n.
std::vector<std::string_view> split_lines(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// Letters and digits alone, in lower case; bytes beyond ASCII stay: "Opened-At" and "opened_at" are
// one name.
std::string bare_name(std::string_view text);
// Runs of white space become one space; trimmed.
std::string squeeze(std::string_view text);

}  // namespace precedent
