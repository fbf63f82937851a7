// The fake of McpTransport: a function answers, and what was sent is kept.
//
// Thread safety: one thread.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "mcp/mcp_transport.h"

namespace precedent {

class ScriptedMcpTransport final : public McpTransport {
 public:
  using Script = std::function<Result<nlohmann::json>(const McpMessage& message)>;
  explicit ScriptedMcpTransport(Script script) : script_(std::move(script)) {}

  Result<McpConnection> open(const McpWait&) override {
    if (unreachable) return std::unexpected(*unreachable);
    return connection;
  }
  Result<nlohmann::json> exchange(const McpMessage& message, McpConnection asked,
                                  const McpWait& wait) override {
    TRY(wait.cancel.check());
    sent.push_back(message);
    if (asked != connection) return fail(ErrorCode::kUnavailable, "it ended");
    return script_(message);
  }
  Result<void> notify(const McpMessage& message, McpConnection, const McpWait&) override {
    sent.push_back(message);
    return {};
  }

  std::vector<McpMessage> sent;
  McpConnection connection = 1;  // another number: the server was started anew
  std::optional<Error> unreachable = std::nullopt;

 private:
  Script script_;
};

}  // namespace precedent
