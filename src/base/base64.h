// Bytes as base64 with padding (RFC 4648), of a pair of names for basic authentication (RFC 7617).
//
// Thread safety: a pure function.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

std::string base64(std::string_view bytes);

}  // namespace precedent
