// Setting values: which value a line of code, configuration or prose gives to a name: "LIMIT = 5",
// "limit: 5", "getenv("LIMIT", "5")", "`LIMIT=5`", "key: LIMIT | default: 5".
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct SettingValue {
  std::string name;   // as written
  std::string value;  // a number, true, false, or what stood in quotation marks; without these
  bool operator==(const SettingValue&) const = default;
};

// Those of each line, in order. Values that are computed are none.
std::vector<SettingValue> setting_values(std::string_view text);

// Whether two values are written differently only: "2,000", "2_000" and "2000".
bool is_same_value(std::string_view a, std::string_view b);

// Whether `text` gives a value, computed or not, to a name of which `asked` has two words, or all
// if it has fewer: "upstreamTimeout = …" of "the upstream timeout". `asked`: terms of
// text/analyzer.h.
bool gives_a_value_to(std::string_view text, const std::vector<std::string>& asked);

}  // namespace precedent
