// A GitHub App as the one who asks: an RS256 JWT of its key, and the installation token that GitHub
// gives for it, fetched anew before it expires.
//
// The key signs on this machine and is sent nowhere; the token is for the one repository. GitHub's
// documentation: "Generating a JSON Web Token (JWT) for a GitHub App", "Generating an installation
// access token". Errors name the app and never a key or a token: kInvalidArgument for a file that
// is no RSA key; kPermission where GitHub does not know the app, or it is not installed there.
// Thread safety: one thread. Ownership: borrows client and clock.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "net/http_client.h"
#include "sources/source_http.h"

namespace precedent {

struct GithubAppOptions {
  std::string base_url = "https://api.github.com";
  std::string app;           // its id, or its client id
  std::string key_file;      // PEM, as GitHub gives it
  std::string installation;  // its number; "": looked up for `repo`
  std::string repo;          // "org/repo"
};

// header.payload.signature, valid for nine minutes from `now`. `pem`: an RSA key without a
// passphrase.
Result<std::string> github_app_jwt(std::string_view app, std::string_view pem, TimePoint now);

class GithubApp {
 public:
  GithubApp(HttpClient& client, const Clock& clock, GithubAppOptions options,
            std::function<Result<void>(std::chrono::seconds, const CancelToken&)> wait);

  // One that is valid for some minutes more.
  Result<std::string> token(const CancelToken& cancel);

 private:
  Result<std::string> installation(const SourceHttp& http, const CancelToken& cancel);

  HttpClient& client_;
  const Clock& clock_;
  GithubAppOptions options_;
  std::function<Result<void>(std::chrono::seconds, const CancelToken&)> wait_;
  std::string token_;
  TimePoint expires_at_{};
};

}  // namespace precedent
