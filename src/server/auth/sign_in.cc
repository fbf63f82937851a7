#include "server/auth/sign_in.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/strings.h"

namespace precedent {
namespace {

constexpr size_t kMaxCredential = 16 * 1024;

// "" where there is none.
std::string credential_of(const ServedRequest& request) {
  const std::string_view given = request.header("Authorization");
  const auto after = [&](std::string_view scheme) -> std::optional<std::string_view> {
    if (ascii_lower(given.substr(0, scheme.size())) != scheme) return std::nullopt;
    return trim(given.substr(scheme.size()));
  };
  if (const auto token = after("bearer ")) return std::string(*token);
  if (const auto pair = after("basic ")) {
    const auto both = from_base64(*pair);
    const size_t colon = both ? both->find(':') : std::string::npos;
    // Any other password is meant for somebody else: a proxy that hands it on.
    if (colon != std::string::npos && has_token_form(std::string_view(*both).substr(colon + 1)))
      return both->substr(colon + 1);
  }
  return std::string(trim(request.header("X-Api-Key")));
}

bool looks_like_jwt(std::string_view credential) {
  return std::ranges::count(credential, '.') == 2;
}

}  // namespace

Result<Caller> caller_of(const Identity& identity) {
  Caller caller{.name = identity.name, .signed_in_by = "oidc"};
  const auto role = parse_role(identity.role);
  if (!role) return fail(ErrorCode::kPermission, "there is no role " + identity.role);
  caller.role = *role;
  caller.scope.services = identity.services;
  for (const std::string& kind : identity.kinds) {
    const auto known = parse_kind(kind);
    if (!known) return fail(ErrorCode::kPermission, "there is no kind of document " + kind);
    caller.scope.kinds.push_back(*known);
  }
  return caller;
}

SignIn::SignIn(Options options, const Clock& clock)
    : options_(std::move(options)),
      tokens_(options_.tokens),
      clock_(clock),
      failures_(options_.failures_a_minute) {}

Result<bool> SignIn::required() const {
  if (options_.verify || was_required_) return true;
  if (options_.tokens.empty() || !TRY(tokens_.any())) return false;
  was_required_ = true;
  return true;
}

Result<Caller> SignIn::check(std::string_view credential) const {
  if (credential.size() > kMaxCredential)
    return fail(ErrorCode::kPermission, "the token is too long to be one");
  if (options_.verify && looks_like_jwt(credential)) return options_.verify(credential);
  return tokens_.find(credential, clock_.now());
}

std::variant<Caller, SignIn::Refusal> SignIn::caller(const ServedRequest& request) {
  const auto needed = required();
  if (!needed) return Refusal{503, needed.error().text()};
  if (!*needed) return Caller::local();
  const std::string credential = credential_of(request);
  if (credential.empty()) return Refusal{401, "sign in: send a token as 'Authorization: Bearer …'"};
  auto found = check(credential);
  if (found) return std::move(*found);
  if (found.error().code != ErrorCode::kPermission) return Refusal{503, found.error().text()};
  // A right token is let in whatever else comes from its address, which may be that of a proxy.
  const auto now = std::chrono::steady_clock::now();
  if (const auto wait = failures_.wait(request.client, now))
    return Refusal{429, "too many wrong tokens came from this address", true, *wait};
  failures_.take(request.client, now);
  return Refusal{401, found.error().text(), true};
}

}  // namespace precedent
