// Asking a store of logs or traces over HTTP: one address, a tenant, one way to authenticate,
// retries, and errors that name the entry of tools.yaml and what to do about it.
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "telemetry/http/telemetry_http.h"

namespace precedent {

// Secrets are never printed; `secret_from` says where they came from: "LOKI_TOKEN".
struct StoreEndpoint {
  std::string url = {};     // without a slash at the end
  std::string tenant = {};  // sent as X-Scope-OrgID; "": none
  std::string token = {};   // a bearer token, or
  std::string user = {};    // with `password`: basic authentication
  std::string password = {};
  std::string secret_from = {};
  std::chrono::milliseconds timeout{30'000};  // of one request
  int retries = 1;                       // after 429, 500, 502, 503, 504 and broken connections
  std::chrono::milliseconds pause{500};  // before the first retry; doubles
  bool operator==(const StoreEndpoint&) const = default;
};

class StoreHttp {
 public:
  // A server that asks for a longer wait (Retry-After) is not waited for.
  static constexpr std::chrono::seconds kLongestWait{15};
  // Of one answer: 5,000 lines of 4 kB, as JSON.
  static constexpr size_t kMaxAnswerBytes = 32ull << 20;

  // `product` is "Loki", `entry` "logs.loki", for messages.
  StoreHttp(HttpClient& client, StoreEndpoint endpoint, std::string product, std::string entry)
      : client_(client),
        endpoint_(std::move(endpoint)),
        product_(std::move(product)),
        entry_(std::move(entry)) {}

  // "Loki at 127.0.0.1:3100".
  std::string describe() const;

  // The JSON of an answer with status 200. Errors, beyond those of LogsSource: kResourceExhausted
  // for an answer above kMaxAnswerBytes.
  Result<nlohmann::json> get(std::string_view path, const FormFields& fields,
                             const SourceContext& context) const;
  // What an answer that is JSON, and not the product's, means.
  std::unexpected<Error> not_ours(std::string_view said) const;

 private:
  HttpRequest request_of(std::string_view path, const FormFields& fields) const;
  Result<HttpResponse> send(const HttpRequest& request, const SourceContext& context) const;
  std::unexpected<Error> refused(const HttpResponse& response) const;

  HttpClient& client_;
  StoreEndpoint endpoint_;
  std::string product_, entry_;
};

}  // namespace precedent
