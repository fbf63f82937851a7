#include "net/http_client.h"

#include "base/strings.h"

namespace precedent {

std::string_view HttpResponse::header(std::string_view name) const {
  for (const HttpHeader& header : headers)
    if (iequals(header.name, name)) return header.value;
  return "";
}

Result<HttpResponse> HttpClient::send(const HttpRequest& request, const HttpContext& context) {
  std::string body;
  HttpResponse response =
      TRY(stream(request, context, [&](const HttpResponse&, std::string_view piece) {
        body += piece;
        return true;
      }));
  response.body = std::move(body);
  return response;
}

}  // namespace precedent
