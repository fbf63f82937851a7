// The public keys of an identity provider: a JWK set (RFC 7517) as OpenSSL's keys.
//
// A key counts if it can check one of the signatures below: RSA of 2048 to 8192 bits, P-256,
// Ed25519. Others are passed over, as the standard asks: of other types or algorithms, for
// encryption, symmetric, too weak, or with their private half in the open. Nothing but the key says
// which algorithms it is for. Thread safety: plain values; one key may be used by several threads.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

// The signatures that are believed (RFC 7518, RFC 8037): neither "none" nor a shared secret.
enum class JwtAlgorithm : uint8_t { kRs256, kPs256, kEs256, kEdDsa };
std::optional<JwtAlgorithm> parse_jwt_algorithm(std::string_view name);

struct JwtKey {
  std::string id;                        // "kid"; "": it has none
  std::vector<JwtAlgorithm> algorithms;  // at least one
  std::shared_ptr<EVP_PKEY> key;

  bool is_for(JwtAlgorithm algorithm) const;
};

struct JwtKeys {
  std::vector<JwtKey> keys;  // at least one; several may have the same id

  // Errors: kInvalidArgument for what is no key set, is too large, or has no key that counts.
  static Result<JwtKeys> parse(std::string_view json);
};

// Strictly: no padding, no other characters, no bits left over.
std::optional<std::string> base64url_decoded(std::string_view text);

}  // namespace precedent
