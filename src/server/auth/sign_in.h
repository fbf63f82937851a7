// SignIn: the credentials of a request → who asks.
//
// `Authorization: Bearer …`, the password of basic authentication, if it has the form of a token,
// or `x-api-key` as clients of LangGraph do; never a part of an address. Nobody signs in until a
// token was made or an identity provider is configured; from then on everybody does, also where the
// file of tokens goes away while the server runs. Wrong credentials that come again and again from
// one address are told to wait. Thread safety: all members. Ownership: borrows its clock.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "net/http_server.h"
#include "server/auth/caller.h"
#include "server/auth/oidc.h"
#include "server/auth/rate_limit.h"
#include "server/auth/tokens.h"

namespace precedent {

// Checks a JWT. Errors: kPermission for one that is not valid; kUnavailable where the identity
// provider cannot be asked for its keys.
using VerifyJwt = std::function<Result<Caller>(std::string_view jwt)>;

// Of somebody whom an identity provider vouches for. Errors: kPermission for a kind of document
// that is none.
Result<Caller> caller_of(const Identity& identity);

class SignIn {
 public:
  struct Options {
    std::filesystem::path tokens;   // token_file(); "": there are none
    VerifyJwt verify = {};          // empty: no identity provider is configured
    size_t failures_a_minute = 30;  // of one address
  };
  SignIn(Options options, const Clock& clock);

  // Errors: those of TokenFile::any().
  Result<bool> required() const;
  struct Refusal {
    int status = 401;  // 401, 429 or 503
    std::string detail;
    bool wrong = false;  // a credential was given, and is not valid
    std::chrono::seconds wait{0};
  };
  // Who asks; or why nobody is known to.
  std::variant<Caller, Refusal> caller(const ServedRequest& request);

 private:
  Result<Caller> check(std::string_view credential) const;

  const Options options_;
  const TokenFile tokens_;
  const Clock& clock_;
  RateLimit failures_;
  mutable std::atomic<bool> was_required_{false};
};

}  // namespace precedent
