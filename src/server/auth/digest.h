// Random text, SHA-256 and comparison in constant time, over OpenSSL.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// `bytes` random ones as base64url without padding.
std::string random_text(size_t bytes);
std::string random_hex(size_t bytes);
// 64 hexadecimal digits.
std::string sha256_hex(std::string_view text);
// 32 bytes.
std::string hmac_sha256(std::string_view key, std::string_view text);
// In a time that tells nothing but the lengths.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace precedent
