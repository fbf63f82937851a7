#include "server/auth/oidc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

// Names stand in logs and beside conversations.
constexpr size_t kMaxName = 256;

std::unexpected<Error> refused(std::string_view why) {
  return fail(ErrorCode::kPermission, std::string(why));
}

// The claim of this very name ("https://example.com/groups"), else the one at the end of the path
// ("realm_access.roles"); null if there is none.
const json* find_claim(const json& claims, std::string_view path) {
  if (const auto whole = claims.find(path); whole != claims.end()) return &*whole;
  const json* at = &claims;
  for (const std::string_view name : split(path, '.')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_claim(const json& claims, std::string_view path) {
  const json* claim = find_claim(claims, path);
  return claim != nullptr && claim->is_string() ? claim->get<std::string>() : std::string();
}

// An address that the provider did not see confirmed may be anybody's.
bool is_unverified(const json& claims) {
  const auto verified = claims.find("email_verified");
  return verified != claims.end() && *verified != json(true) && *verified != json("true");
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= kMaxName && strip_controls(name) == name &&
         name.find_first_of("\n\t") == std::string::npos;
}

Result<std::string> name_of(const JwtClaims& claims, const OidcConfig& config) {
  std::string name;
  const std::string& wanted = config.name_claim;
  if (wanted != "email" && !wanted.empty()) {
    name = text_claim(claims.all, wanted);
  } else {
    if (!is_unverified(claims.all)) name = text_claim(claims.all, "email");
    if (name.empty() && wanted.empty()) name = claims.subject;
  }
  if (!is_name(name))
    return refused(fmt::format("the token does not say who it is for: it has no usable claim '{}'",
                               wanted.empty() ? "email (verified), nor 'sub'" : wanted));
  return name;
}

Result<std::set<std::string>> groups_of(const JwtClaims& claims, const OidcConfig& config) {
  std::set<std::string> groups;
  const json* claim = find_claim(claims.all, config.groups_claim);
  if (claim == nullptr) {
    // Some providers leave the list out where it is long, and name a place to ask. Somebody whose
    // groups are not known is not somebody without groups.
    const json* elsewhere = find_claim(claims.all, "_claim_names");
    if (elsewhere != nullptr && elsewhere->is_object() && elsewhere->contains(config.groups_claim))
      return refused(
          "the identity provider left the groups out of the token, as there are too many; have it "
          "send only those assigned to precedent");
    return groups;
  }
  if (claim->is_string()) groups.insert(claim->get<std::string>());
  if (claim->is_array())
    for (const json& group : *claim)
      if (group.is_string()) groups.insert(group.get<std::string>());
  return groups;
}

size_t rank(std::string_view role) {
  return static_cast<size_t>(std::ranges::find(kOidcRoles, role) - std::begin(kOidcRoles));
}

// The mightiest; "" if there is none.
std::string role_of(const std::set<std::string>& groups, const OidcConfig& config) {
  std::string best = config.default_role;
  for (const auto& [group, role] : config.roles)
    if (groups.contains(group) && (best.empty() || rank(role) > rank(best))) best = role;
  return best;
}

// Nothing: somebody outside of all groups that may see something.
std::optional<OidcScope> scope_of(const std::set<std::string>& groups, const OidcConfig& config) {
  if (config.scopes.empty()) return OidcScope{};
  std::optional<OidcScope> all;
  for (const auto& [group, scope] : config.scopes)
    if (groups.contains(group)) all = all ? united(*all, scope) : scope;
  return all;
}

// Empty lists hold everything.
bool holds(const std::vector<std::string>& larger, const std::vector<std::string>& smaller) {
  if (larger.empty()) return true;
  return !smaller.empty() && std::ranges::all_of(smaller, [&](const std::string& one) {
    return std::ranges::find(larger, one) != larger.end();
  });
}

std::vector<std::string> both(std::vector<std::string> names,
                              const std::vector<std::string>& more) {
  if (names.empty() || more.empty()) return {};
  std::ranges::copy_if(more, std::back_inserter(names), [&](const std::string& name) {
    return std::ranges::find(names, name) == names.end();
  });
  return names;
}

}  // namespace

OidcScope united(const OidcScope& first, const OidcScope& second) {
  const bool more_kinds = holds(first.kinds, second.kinds);
  const bool more_services = holds(first.services, second.services);
  const bool fewer_kinds = holds(second.kinds, first.kinds);
  const bool fewer_services = holds(second.services, first.services);
  if (more_kinds && more_services) return first;
  if (fewer_kinds && fewer_services) return second;
  if (more_kinds && fewer_kinds) return {first.kinds, both(first.services, second.services)};
  if (more_services && fewer_services) return {both(first.kinds, second.kinds), first.services};
  // Kinds of the one with services of the other were allowed by neither.
  return first;
}

Result<void> check_claims(const JwtClaims& claims, const OidcConfig& config, TimePoint now) {
  constexpr auto kLeeway = OidcVerifier::kLeeway;
  if (claims.issuer != config.issuer)
    return refused("the token is of another issuer than the one configured here");
  if (config.audience.empty() ||
      std::ranges::find(claims.audiences, config.audience) == claims.audiences.end())
    return refused("the token is for another audience than this server");
  if (!claims.expires) return refused("the token has no end ('exp')");
  if (now >= *claims.expires + kLeeway)
    return refused(
        fmt::format("the token expired at {}; sign in again", format_time(*claims.expires)));
  if (claims.not_before && now + kLeeway < *claims.not_before)
    return refused(
        fmt::format("the token is not valid before {}", format_time(*claims.not_before)));
  if (claims.issued && now + kLeeway < *claims.issued)
    return refused(
        fmt::format("the token is of the future: it was issued at {}; compare the clocks",
                    format_time(*claims.issued)));
  return {};
}

Result<Identity> identity_of(const JwtClaims& claims, const OidcConfig& config) {
  Identity identity{.name = TRY(name_of(claims, config))};
  const std::set<std::string> groups = TRY(groups_of(claims, config));
  identity.role = role_of(groups, config);
  if (identity.role.empty())
    return refused("none of your groups has a role here; ask whoever runs the server");
  const auto scope = scope_of(groups, config);
  if (!scope)
    return refused("none of your groups may see anything here; ask whoever runs the server");
  // Whoever changes what all see must see it all.
  if (*scope != OidcScope{} && rank(identity.role) > rank("user")) identity.role = "user";
  identity.kinds = scope->kinds;
  identity.services = scope->services;
  return identity;
}

OidcVerifier::OidcVerifier(OidcConfig config, HttpClient& http, const Clock& clock)
    : config_(std::move(config)),
      clock_(clock),
      keys_(config_.issuer, config_.jwks_uri, http, clock) {}

Result<Identity> OidcVerifier::verify(std::string_view token) {
  const SignedJwt jwt = TRY(SignedJwt::parse(token));
  const OidcKeys::Keys keys = TRY(keys_.current());
  auto claims = jwt.verified_by(*keys);
  if (!claims && claims.error().code == ErrorCode::kNotFound)
    claims = jwt.verified_by(*keys_.newer_than(keys));
  if (!claims) return fail(ErrorCode::kPermission, std::move(claims).error().message);
  TRY(check_claims(*claims, config_, clock_.now()));
  return identity_of(*claims, config_);
}

std::string protected_resource_document(const ProtectedResource& resource) {
  json document = {{"resource", resource.resource},
                   {"bearer_methods_supported", {"header"}},
                   {"resource_name", resource.resource_name}};
  // What has no value is left out (RFC 9728, 3.2).
  if (!resource.authorization_servers.empty())
    document["authorization_servers"] = resource.authorization_servers;
  if (!resource.scopes_supported.empty()) document["scopes_supported"] = resource.scopes_supported;
  return dump_json(document);
}

}  // namespace precedent
