#include "net/scripted_http_client.h"

namespace precedent {

Result<HttpResponse> ScriptedHttpClient::stream(const HttpRequest& request,
                                                const HttpContext& context,
                                                const OnHttpBody& on_body) {
  TRY(context.cancel.check());
  if (context.deadline && std::chrono::steady_clock::now() >= *context.deadline)
    return fail(ErrorCode::kTimeout, "the deadline passed");
  requests_.push_back(request);
  if (script_.empty())
    return fail(ErrorCode::kUnavailable, "the script is over: one request more than expected");
  const ScriptedExchange exchange = std::move(script_.front());
  script_.pop_front();
  size_t bytes = 0;
  for (const std::string& piece : exchange.pieces) {
    bytes += piece.size();
    if (bytes > request.max_response_bytes)
      return fail(ErrorCode::kResourceExhausted, "the response is larger than the request allows");
    if (!on_body(exchange.head, piece)) return exchange.head;
    TRY(context.cancel.check());
  }
  if (exchange.error) return std::unexpected(*exchange.error);
  return exchange.head;
}

}  // namespace precedent
