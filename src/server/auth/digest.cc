#include "server/auth/digest.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace precedent {
namespace {

using Digest = std::array<unsigned char, 32>;

std::vector<unsigned char> random_bytes(size_t count) {
  std::vector<unsigned char> bytes(count);
  // Without randomness there are no secrets: nothing may go on.
  if (RAND_bytes(bytes.data(), static_cast<int>(count)) != 1)
    throw std::runtime_error("the system gives no random bytes");
  return bytes;
}

}  // namespace

std::string random_text(size_t bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  uint32_t held = 0, bits = 0;
  for (const unsigned char byte : random_bytes(bytes)) {
    held = held << 8 | byte;
    for (bits += 8; bits >= 6; bits -= 6) text += kDigits[held >> (bits - 6) & 63];
  }
  if (bits > 0) text += kDigits[held << (6 - bits) & 63];
  return text;
}

std::string random_hex(size_t bytes) {
  return fmt::format("{:02x}", fmt::join(random_bytes(bytes), ""));
}

std::string sha256_hex(std::string_view text) {
  Digest digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  Digest digest{};
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
  return {digest.begin(), digest.end()};
}

bool same_secret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace precedent
