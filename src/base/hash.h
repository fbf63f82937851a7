// Content hashes: 128 bits of XXH3, as 32 hexadecimal digits. For change detection, not for
// security.
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace precedent {

std::string content_hash(std::string_view bytes);
uint64_t hash64(std::string_view bytes);

}  // namespace precedent
