// Every JSON text that comes from outside is read here: a model's arguments, a vendor's reply, a
// file, a line of a batch, what an earlier run wrote.
//
// The parser of the library does not recurse, but printing, copying and walking a value do, so a
// text that nests deeper than kMaxJsonDepth is refused as a whole. A refused text gives a discarded
// value: ask is_discarded(), or for the type that is needed. A discarded value is never printed,
// since it prints as `<discarded>`, which is no JSON: json_or_text gives what can be printed in any
// case.
//
// Thread safety: pure functions. Nothing throws.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace precedent {

// Lists and objects within each other. Real records have five or six.
inline constexpr int kMaxJsonDepth = 64;

// Discarded if `text` is no JSON, is no UTF-8, or nests deeper than kMaxJsonDepth.
nlohmann::json parse_json(std::string_view text);
// The same, with the keys in the order of the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

// For records of our own that may hold foreign parts: what nests deeper is left out.
nlohmann::json parse_json_leniently(std::string_view text);

// The value, or a string of the text where it is none.
nlohmann::json json_or_text(std::string_view text);

// One line of valid JSON: bytes that are no UTF-8 are replaced, a discarded value is null.
std::string dump_json(const nlohmann::json& value);

}  // namespace precedent
