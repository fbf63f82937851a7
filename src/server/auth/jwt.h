// A signed JWT (RFC 7519, in the compact form of RFC 7515), and the claims behind its signature.
//
// What a token claims can be read only through the keys that it must be signed with. The checks
// follow RFC 8725: the algorithm is one of four with a public key, and one that the key is for;
// keys that the token itself names or brings (jwk, jku, x5u, x5c) are never looked at; an extension
// that the token calls critical is refused. Whether issuer, audience and times are right is the
// business of oidc.h.
//
// Signatures are OpenSSL's. The JOSE libraries of Debian 12 were weighed and left: libcjose has no
// EdDSA and would read header and keys a second time with another JSON parser, libjwt and
// libcpp-jwt read no JWK, and the latter confuses algorithms (its issue 102). Thread safety: plain
// values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/auth/jwt_keys.h"

namespace precedent {

struct JwtClaims {
  std::string issuer;   // iss; "" if absent, as the next
  std::string subject;  // sub
  std::vector<std::string> audiences;
  std::optional<TimePoint> expires;     // exp
  std::optional<TimePoint> not_before;  // nbf
  std::optional<TimePoint> issued;      // iat
  nlohmann::json all;                   // an object: these and all others
};

class SignedJwt {
 public:
  // Errors: kPermission for what is malformed, too large, or of another algorithm or type. Messages
  // never repeat a part of the token.
  static Result<SignedJwt> parse(std::string_view token);

  // Errors: kNotFound if the set has no key of this id for this algorithm, or for a token without
  // an id not just one; kPermission if the signature is wrong or the claims are malformed.
  Result<JwtClaims> verified_by(const JwtKeys& keys) const;

 private:
  SignedJwt() = default;
  JwtAlgorithm algorithm_ = JwtAlgorithm::kRs256;
  std::optional<std::string> key_id_;
  std::string signed_text_;  // header and payload, as sent
  std::string payload_;      // decoded, not yet to be believed
  std::string signature_;
};

}  // namespace precedent
