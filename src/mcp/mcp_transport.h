// The `McpTransport` seam: one message to an MCP server, and the message that answers it.
//
// Errors name what happened, not the server, which the caller knows:
//   kUnavailable        it cannot be started or reached, or it ended
//   kTimeout            the deadline passed
//   kResourceExhausted  a message is too long
//   kCorrupt            what came is no message
//   kPermission         it wants a sign-in, or the network is switched off
//   kNotFound, kInvalidArgument  HTTP said so, without a message of the protocol
//   kCancelled          the token was set
// Thread safety: all members of an implementation may be called by several threads at once.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>

#include "base/cancel.h"
#include "base/error.h"
#include "mcp/mcp_wire.h"

namespace precedent {

struct McpWait {
  const CancelToken& cancel;
  std::chrono::steady_clock::time_point deadline;
};

// What is agreed upon holds for one connection: a process, or a session. Never 0.
using McpConnection = uint64_t;

class McpTransport {
 public:
  virtual ~McpTransport() = default;

  // The connection there is, or a new one.
  virtual Result<McpConnection> open(const McpWait& wait) = 0;
  // The response to a request, whole, as it came. An error if `connection` has ended.
  virtual Result<nlohmann::json> exchange(const McpMessage& message, McpConnection connection,
                                          const McpWait& wait) = 0;
  virtual Result<void> notify(const McpMessage& message, McpConnection connection,
                              const McpWait& wait) = 0;
};

}  // namespace precedent
