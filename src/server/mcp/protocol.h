// The wire of the Model Context Protocol: names, error codes, one request as it is answered, and
// the seam to whoever sent it.
//
// Thread safety: plain values and pure functions; a peer is called by one thread at a time.
// Lifetime: a call borrows its token and its peer.
#pragma once

#include <array>
#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"

namespace precedent {

class ChatTurn;

inline constexpr std::string_view kMcpModern = "2026-07-28";
inline constexpr std::array<std::string_view, 3> kMcpLegacy = {"2025-11-25", "2025-06-18",
                                                               "2025-03-26"};
inline constexpr const char* kMcpVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* kMcpCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* kMcpServerInfoKey = "io.modelcontextprotocol/serverInfo";
inline constexpr const char* kMcpTasksExtension = "io.modelcontextprotocol/tasks";

enum McpCode {
  kMcpParseError = -32700,
  kMcpInvalidRequest = -32600,
  kMcpMethodNotFound = -32601,
  kMcpInvalidParams = -32602,
  kMcpInternalError = -32603,
  kMcpBusy = -32000,              // of our own: too many requests wait, or a turn is in the way
  kMcpResourceNotFound = -32002,  // of the older revisions
  kMcpHeaderMismatch = -32020,
  kMcpMissingCapability = -32021,
  kMcpUnsupportedVersion = -32022,
};

struct McpError {
  int code = kMcpInternalError;
  std::string message;
  int status = 200;  // over HTTP
  nlohmann::json data = {};
};
template <typename T>
using McpResult = std::expected<T, McpError>;
std::unexpected<McpError> mcp_fail(int code, std::string message, int status = 200,
                                   nlohmann::json data = {});

// Whoever sent a request, while it is being answered.
class McpPeer {
 public:
  virtual ~McpPeer() = default;
  // The answer may take its time. `closing_cancels`: a sender who goes away has cancelled it.
  virtual void open(bool closing_cancels) = 0;
  // Before the answer. Dropped where the sender reads nothing but the answer.
  virtual void notify(const nlohmann::json& message) = 0;
  // The turn in which the request is answered; null: there is none.
  virtual const ChatTurn* turn() const { return nullptr; }
};

class SilentPeer final : public McpPeer {
 public:
  void open(bool /*closing_cancels*/) override {}
  void notify(const nlohmann::json& /*message*/) override {}
};

struct McpCall {
  nlohmann::json id;
  std::string method;
  nlohmann::json params;
  bool modern = false;
  const CancelToken& cancel;
  McpPeer& peer;

  // `_meta` of the parameters; an empty object where there is none.
  const nlohmann::json& meta() const;
  // Of the newer revision, where each request says what its client can do: an extension, and forms
  // that a person fills in.
  bool declares_tasks() const;
  bool elicits() const;
};

nlohmann::json mcp_error_body(const nlohmann::json& id, const McpError& error);

// The value that the header Mcp-Name must have for such a request; nothing where it has none.
std::optional<std::string> mcp_name_of(const std::string& method, const nlohmann::json& params);
// A header's value as its sender meant it: `=?base64?…?=` is how one says what is not ASCII.
std::string decoded_header(std::string_view value);

}  // namespace precedent
