// The fake of HttpClient: plays exchanges in order and keeps the requests that it was sent.
//
// Thread safety: one thread.
#pragma once

#include <deque>
#include <vector>

#include "net/http_client.h"

namespace precedent {

struct ScriptedExchange {
  HttpResponse head;                          // status and headers; `body` is not used
  std::vector<std::string> pieces = {};       // of the body, as they come
  std::optional<Error> error = std::nullopt;  // after the pieces, instead of an end
};

class ScriptedHttpClient final : public HttpClient {
 public:
  void play(ScriptedExchange exchange) { script_.push_back(std::move(exchange)); }
  // A whole response.
  void play(int status, std::string body, std::vector<HttpHeader> headers = {}) {
    play({{status, std::move(headers)}, {std::move(body)}});
  }
  const std::vector<HttpRequest>& requests() const { return requests_; }

  // Errors: kUnavailable once the script is over, or what the exchange says; a cancelled token, a
  // deadline that passed and a body above the request's limit as the real client.
  Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                              const OnHttpBody& on_body) override;

 private:
  std::deque<ScriptedExchange> script_;
  std::vector<HttpRequest> requests_;
};

}  // namespace precedent
