// Bytes as base64 with padding (RFC 4648), of a pair of names for basic authentication (RFC 7617),
// and back.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace precedent {

std::string base64(std::string_view bytes);
// Nothing of a text that is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace precedent
