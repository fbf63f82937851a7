// HttpClient over libcurl: TLS verified, HTTP/2 where the server speaks it, proxies from the
// environment (HTTPS_PROXY, NO_PROXY …; never for this machine itself), connections kept alive.
//
// A cancel or a deadline is noticed within 50 ms. With PRECEDENT_NO_NETWORK=1 in the environment
// any request that leaves this machine is kPermission: the switch for tests. Thread safety: all
// members. Ownership: owns its connections.
#pragma once

#include <memory>

#include "net/http_client.h"

namespace precedent {

struct CurlHttpOptions {
  bool loopback_only = false;  // the switch above
  std::string ca_file = {};    // a bundle of certificates to trust instead of the system's

  // PRECEDENT_NO_NETWORK, SSL_CERT_FILE.
  static CurlHttpOptions from_environment();
};

class CurlHttpClient final : public HttpClient {
 public:
  explicit CurlHttpClient(CurlHttpOptions options = CurlHttpOptions::from_environment());
  ~CurlHttpClient() override;

  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                              const OnHttpBody& on_body) override;

 private:
  class Pool;
  CurlHttpOptions options_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace precedent
