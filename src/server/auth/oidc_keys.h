// The keys that an identity provider publishes: fetched when they are first needed, kept, and
// replaced as the provider rotates them.
//
// A set is fresh for as long as the provider says (Cache-Control: max-age), within kMinFresh and
// kMaxFresh. A fetch that fails leaves the set in force for kGrace more, and then there are no keys
// and nobody comes in. One thread fetches at a time, within kFetchTime; others go on with the keys
// that there are, or wait for it no longer than that. Fetches are kPause apart whatever tokens say,
// so that made-up ids of keys neither load the provider nor block the server.
//
// The addresses come from the configuration and from the provider's own document, never from a
// token. Thread safety: all members. Ownership: borrows the client and the clock; the client is
// used by one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"
#include "net/http_client.h"
#include "server/auth/jwt_keys.h"

namespace precedent {

class OidcKeys {
 public:
  using Keys = std::shared_ptr<const JwtKeys>;

  static constexpr std::chrono::seconds kMinFresh{300};
  static constexpr std::chrono::seconds kFreshUnsaid{3600};
  static constexpr std::chrono::seconds kMaxFresh{12 * 3600};
  static constexpr std::chrono::seconds kGrace{3600};
  static constexpr std::chrono::seconds kPause{30};
  static constexpr std::chrono::seconds kPauseAfterFailure{10};
  static constexpr std::chrono::seconds kFetchTime{5};

  // `jwks_uri`: "" where the provider's document at the issuer tells it.
  OidcKeys(std::string issuer, std::string jwks_uri, HttpClient& http, const Clock& clock);

  // The keys in force, never null. Errors: kUnavailable, with what went wrong and when it is tried
  // again.
  Result<Keys> current();
  // For a token that `seen` has no key for: newer ones if there are any, else `seen`.
  Keys newer_than(const Keys& seen);

 private:
  struct Fetched {
    Keys keys;
    std::chrono::seconds fresh{};
  };
  Result<Fetched> fetch() const;
  Result<std::string> find_jwks_uri(const HttpContext& context) const;

  // Whether this thread is to fetch: then it calls fetch_and_keep().
  bool begins_fetch() REQUIRES_LOCK(mutex_);
  void fetch_and_keep();
  void wait_for_fetch() REQUIRES_LOCK(mutex_);
  bool has_keys(TimePoint now) const REQUIRES_LOCK(mutex_);

  const std::string issuer_;
  const std::string jwks_uri_;
  HttpClient& http_;
  const Clock& clock_;

  Mutex mutex_;
  ConditionVariable fetched_;
  bool fetching_ GUARDED_BY(mutex_) = false;
  Keys keys_ GUARDED_BY(mutex_);
  TimePoint fresh_until_ GUARDED_BY(mutex_){};
  TimePoint tried_at_ GUARDED_BY(mutex_){};
  std::chrono::seconds pause_ GUARDED_BY(mutex_){0};  // after tried_at_
  std::string failure_ GUARDED_BY(mutex_);            // of the last fetch; "": it went well
};

}  // namespace precedent
