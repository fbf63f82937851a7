// OidcVerifier: a token of an identity provider (OpenID Connect, or OAuth with JWT access tokens) →
// who it is, and what they may do.
//
//   OidcVerifier verifier(config, http, clock);
//   auto identity = verifier.verify(token);   // "Authorization: Bearer <token>"
//
// A token counts if the provider signed it (jwt.h), for this issuer and audience, and its time is
// now: it must have an end, and clocks may differ by kLeeway. Groups become roles and scopes by the
// configuration alone; nothing that a token says gives a right by itself.
// Thread safety: verify() from any thread; a call may wait for the provider (oidc_keys.h).
// Ownership: borrows the client and the clock, which must be of the present (no FixedClock of a
// past that is asked about).
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "net/http_client.h"
#include "server/auth/jwt.h"
#include "server/auth/oidc_config.h"
#include "server/auth/oidc_keys.h"

namespace precedent {

struct Identity {
  std::string name;
  std::string role;                   // one of kOidcRoles
  std::vector<std::string> kinds;     // empty: all
  std::vector<std::string> services;  // empty: all
  bool operator==(const Identity&) const = default;
};

class OidcVerifier {
 public:
  static constexpr std::chrono::seconds kLeeway{60};

  OidcVerifier(OidcConfig config, HttpClient& http, const Clock& clock);

  // Errors: kPermission for a token that does not count, or of somebody who has no role here;
  // kUnavailable where the provider's keys cannot be had. Messages never repeat a part of the
  // token.
  Result<Identity> verify(std::string_view token);

 private:
  const OidcConfig config_;
  const Clock& clock_;
  OidcKeys keys_;
};

// The rules alone, over claims whose signature was checked.
Result<void> check_claims(const JwtClaims& claims, const OidcConfig& config, TimePoint now);
Result<Identity> identity_of(const JwtClaims& claims, const OidcConfig& config);

// What of several scopes may be seen together, never more than one of them or another allows: the
// larger of two; their union where they differ in kinds alone or in services alone; else the first.
OidcScope united(const OidcScope& first, const OidcScope& second);

// The document at /.well-known/oauth-protected-resource (RFC 9728).
struct ProtectedResource {
  std::string resource;  // the server's own address, as clients use it
  std::vector<std::string> authorization_servers;
  std::vector<std::string> scopes_supported = {};  // left out if empty
  std::string resource_name = "precedent";
};
std::string protected_resource_document(const ProtectedResource& resource);

}  // namespace precedent
