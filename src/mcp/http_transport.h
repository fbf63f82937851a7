// McpTransport over streamable HTTP: a POST a message, answered by JSON or by a stream of events.
//
// The newer revision has no session; its headers repeat what the body says. The older ones get a
// session from `initialize`; when that has ended (404), the connection is a new one. No redirect is
// followed: the configured headers are for the configured server. Thread safety: all members.
// Ownership: borrows its client.
#pragma once

#include <string>
#include <vector>

#include "base/mutex.h"
#include "mcp/mcp_transport.h"
#include "net/http_client.h"

namespace precedent {

class HttpTransport final : public McpTransport {
 public:
  HttpTransport(HttpClient& client, std::string url, std::vector<HttpHeader> headers)
      : client_(client), url_(std::move(url)), headers_(std::move(headers)) {}

  Result<McpConnection> open(const McpWait& wait) override;
  Result<nlohmann::json> exchange(const McpMessage& message, McpConnection connection,
                                  const McpWait& wait) override;
  Result<void> notify(const McpMessage& message, McpConnection connection,
                      const McpWait& wait) override;

 private:
  HttpRequest request_for(const McpMessage& message);
  void end_session(McpConnection connection);

  HttpClient& client_;
  const std::string url_;
  const std::vector<HttpHeader> headers_;
  Mutex mutex_;
  McpConnection connection_ GUARDED_BY(mutex_) = 1;
  std::string session_ GUARDED_BY(mutex_);
};

}  // namespace precedent
