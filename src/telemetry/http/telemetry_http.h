// Asking a monitoring server over HTTP: one address, one way to authenticate, timeouts, retries,
// and errors that say what an operator can do. What Prometheus and Alertmanager share.
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "net/http_client.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct EndpointConfig {
  std::string url = {};    // without a slash at the end
  std::string token = {};  // sent as a bearer token; never printed
  std::string token_env = {};
  std::chrono::milliseconds timeout{10'000};  // of one request
  int retries = 1;                            // after 429, 502, 503, 504 and broken connections
  std::chrono::milliseconds pause{200};       // before the first retry; doubles
  bool operator==(const EndpointConfig&) const = default;
};

using FormFields = std::vector<std::pair<std::string, std::string>>;

class TelemetryHttp {
 public:
  // `product` is "Prometheus", for messages.
  TelemetryHttp(HttpClient& client, EndpointConfig config, std::string product)
      : client_(client), config_(std::move(config)), product_(std::move(product)) {}

  // "Prometheus at 127.0.0.1:9090".
  std::string describe() const;

  // The response, of any status but those above. Errors: as MetricsSource.
  Result<HttpResponse> get(std::string_view path, const FormFields& fields,
                           const SourceContext& context) const;
  // The fields as a form in the body: queries may be longer than an address.
  Result<HttpResponse> post(std::string_view path, const FormFields& fields,
                            const SourceContext& context) const;
  // What a response that is none of ours means: a proxy's page, a login, a wrong address.
  std::unexpected<Error> not_ours(const HttpResponse& response) const;

 private:
  Result<HttpResponse> send(HttpRequest request, const SourceContext& context) const;

  HttpClient& client_;
  EndpointConfig config_;
  std::string product_;
};

// name=value&…, percent-encoded.
std::string encode_form(const FormFields& fields);

}  // namespace precedent
