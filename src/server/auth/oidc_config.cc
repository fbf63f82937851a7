#include "server/auth/oidc_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "base/strings.h"
#include "knowledge/kind.h"
#include "net/url.h"

namespace precedent {
namespace {

// `slack_users` is read by slack_users.h.
constexpr std::array<std::string_view, 2> kServerKeys = {"oidc", "slack_users"};
constexpr std::array<std::string_view, 8> kKeys = {"issuer",     "audience",     "jwks_uri",
                                                   "name_claim", "groups_claim", "roles",
                                                   "scopes",     "default_role"};
constexpr std::array<std::string_view, 2> kScopeKeys = {"kinds", "services"};

std::vector<std::string> role_names() { return {std::begin(kOidcRoles), std::end(kOidcRoles)}; }

Result<void> read_role(const ConfigSection& section, std::string_view key, std::string& out) {
  TRY(section.read(key, out));
  const auto known = role_names();
  if (!section.has(key) || std::ranges::find(known, out) != known.end()) return {};
  const auto close = nearest(out, known);
  return section.settle(
      section.wrong(key, fmt::format("'{}' is no role; {}", out,
                                     close ? fmt::format("did you mean {}?", *close)
                                           : fmt::format("the roles are {}", join(known, ", ")))));
}

Result<void> read_url(const ConfigSection& section, std::string_view key, std::string& out) {
  TRY(section.read(key, out));
  if (out.empty()) return {};
  const auto checked = check_oidc_url(out);
  return checked ? checked : section.settle(section.wrong(key, checked.error().message));
}

Result<void> must_be_there(const ConfigSection& section, std::string_view key,
                           std::string_view value, std::string_view remedy) {
  if (!value.empty() || section.has(key)) return {};
  return section.settle(section.wrong(key, fmt::format("is missing; {}", remedy)));
}

// The keys of a mapping of groups, each there once.
Result<std::vector<std::string>> groups_of(const ConfigSection& groups) {
  std::vector<std::string> names = groups.keys();
  const std::vector<std::string_view> known(names.begin(), names.end());
  TRY(groups.check(known));
  return names;
}

// A list that is there and empty might be meant to show nothing, and would show all.
Result<void> read_names(const ConfigSection& scope, std::string_view key,
                        std::vector<std::string>& out) {
  TRY(scope.read(key, out));
  if (!scope.has(key)) return {};
  if (out.empty() || std::ranges::find(out, "") != out.end())
    return scope.settle(
        scope.wrong(key, fmt::format("is empty; leave it out to show all {}", key)));
  return {};
}

Result<OidcScope> read_scope(const ConfigSection& section) {
  OidcScope scope;
  TRY(section.check(kScopeKeys));
  TRY(read_names(section, "services", scope.services));
  std::vector<std::string> kinds;
  TRY(read_names(section, "kinds", kinds));
  for (const std::string& text : kinds) {
    if (const auto kind = parse_kind(text)) {
      scope.kinds.emplace_back(name(*kind));
      continue;
    }
    if (text.empty()) continue;
    std::vector<std::string> known;
    for (const Kind kind : kAllKinds) known.emplace_back(name(kind));
    TRY(section.settle(section.wrong(
        "kinds", fmt::format("'{}' is no kind; the kinds are {}", text, join(known, ", ")))));
  }
  return scope;
}

Result<OidcConfig> read_section(const ConfigSection& section) {
  OidcConfig config;
  TRY(section.check(kKeys));
  TRY(read_url(section, "issuer", config.issuer));
  TRY(must_be_there(section, "issuer", config.issuer,
                    "write the provider's address as its tokens have it in 'iss'"));
  TRY(section.read("audience", config.audience));
  TRY(must_be_there(section, "audience", config.audience,
                    "write what tokens for precedent have in 'aud'; without it, tokens for other "
                    "programs would be let in"));
  TRY(read_url(section, "jwks_uri", config.jwks_uri));
  TRY(section.read("name_claim", config.name_claim));
  TRY(section.read("groups_claim", config.groups_claim));
  if (section.has("roles")) {
    const ConfigSection roles = section.section("roles");
    for (const std::string& group : TRY(groups_of(roles))) {
      TRY(must_be_there(roles, group, "", "write the role of this group"));
      TRY(read_role(roles, group, config.roles.emplace_back(group, "").second));
    }
  }
  if (section.has("scopes")) {
    const ConfigSection scopes = section.section("scopes");
    for (const std::string& group : TRY(groups_of(scopes)))
      config.scopes.emplace_back(group, TRY(read_scope(scopes.section(group))));
  }
  TRY(read_role(section, "default_role", config.default_role));
  if (config.roles.empty() && config.default_role.empty())
    TRY(section.settle(section.wrong(
        "roles",
        "is missing, and nobody could come in; map groups to roles, or set default_role")));
  return config;
}

}  // namespace

Result<void> check_oidc_url(std::string_view text) {
  const Url url = TRY(parse_url(text));
  const auto wrong = [](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument, std::string(what));
  };
  if (url.has_user) return wrong("has a user or password in it; leave them out");
  if (text.find_first_of("?#") != std::string_view::npos)
    return wrong("has a query or fragment; leave it out");
  if (url.scheme != "https" && !is_loopback(url.host))
    return wrong(
        "must begin with https://; keys that anybody could replace on the way prove "
        "nothing");
  return {};
}

Result<std::optional<OidcConfig>> read_oidc_config(std::string_view yaml, std::string_view path,
                                                   ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  if (!root.has("server")) return std::nullopt;
  const ConfigSection server = root.section("server");
  TRY(server.check(kServerKeys));
  if (!server.has("oidc")) return std::nullopt;
  return TRY(read_section(server.section("oidc")));
}

}  // namespace precedent
