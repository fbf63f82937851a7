// Whether an object of a JSON text has a key twice: readers take the first or the last as they
// like, so that what one program has checked is not what another does (RFC 8259, 4).
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

// The first such key. Nothing for what is no JSON or nests too deep (base/foreign_json.h): whoever
// reads it says so.
std::optional<std::string> doubled_key(std::string_view json);

}  // namespace precedent
