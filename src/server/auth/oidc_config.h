// Sign-in by an identity provider: `server.oidc` of config/precedent.yaml. docs/sign-in.md is its
// page.
//
// Reads no file itself. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"

namespace precedent {

// What may be seen; empty: all.
struct OidcScope {
  std::vector<std::string> kinds;  // as name(Kind) spells them
  std::vector<std::string> services;
  bool operator==(const OidcScope&) const = default;
};

struct OidcConfig {
  std::string issuer;                   // exactly as tokens have it
  std::string audience;                 // what tokens for precedent are issued for
  std::string jwks_uri;                 // "": the provider's own document tells
  std::string name_claim;               // "": email, then sub
  std::string groups_claim = "groups";  // a name, or a path such as realm_access.roles
  // By group, in the order of the file.
  std::vector<std::pair<std::string, std::string>> roles;
  std::vector<std::pair<std::string, OidcScope>> scopes;
  std::string default_role;  // "": whoever is in no group with a role stays outside
};

// From the least to the most: each may do what those before it may.
inline constexpr std::string_view kOidcRoles[] = {"reader", "user", "editor", "admin"};

// Nothing where the file has no such section. `yaml` is the text of the file `path`.
// Errors: kInvalidArgument with path:line:key; with `all`, all of them.
Result<std::optional<OidcConfig>> read_oidc_config(std::string_view yaml, std::string_view path,
                                                   ConfigProblems* all = nullptr);

// Whether keys may be fetched from there: https, or http on this machine; no user, query or
// fragment. Errors: kInvalidArgument, saying which.
Result<void> check_oidc_url(std::string_view url);

}  // namespace precedent
