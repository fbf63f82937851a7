// The Model Context Protocol: tools, asking, documents and prompts for programs that carry a model
// of their own. Start reading here: a message enters at handle(), its envelope is checked, and it
// goes by its method to tools.h, resources.h, prompts.h or tasks.h.
//
// Two revisions on one door. Messages that carry the envelope of 2026-07-28 (`_meta` with
// io.modelcontextprotocol/protocolVersion) are answered as that revision has it: no session, a
// `resultType` in every result, `ttlMs` and `cacheScope` in those that may be kept. All others are
// of the revisions up to 2025-11-25, which begin with `initialize` and know none of these.
// Errors of the protocol: protocol.h; over HTTP a method that there is not is 404 in the newer
// revision, what is wrong with a message or its headers is 400.
//
// Thread safety: handle() from any thread. Ownership: borrows what its services name.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "server/mcp/ask.h"
#include "server/mcp/protocol.h"
#include "server/mcp/resources.h"
#include "server/mcp/services.h"
#include "server/mcp/tasks.h"
#include "server/mcp/tools.h"

namespace precedent {

// What HTTP says of a message beside its body; "" where a header is missing.
struct McpHeaders {
  std::string protocol_version;  // MCP-Protocol-Version
  std::string method;            // Mcp-Method
  std::string name;              // Mcp-Name
};

struct McpAnswer {
  int status = 200;     // over HTTP
  nlohmann::json body;  // null: there is nothing to say (a notification)
};

class Mcp {
 public:
  explicit Mcp(McpServices services);
  Mcp(const Mcp&) = delete;
  Mcp& operator=(const Mcp&) = delete;

  // `headers`: null over stdio.
  McpAnswer handle(std::string_view message, const McpHeaders* headers, const CancelToken& cancel,
                   McpPeer& peer) const;
  // The same of a message that is read already; discarded: it was no JSON.
  McpAnswer handle_read(const nlohmann::json& message, const McpHeaders* headers,
                        const CancelToken& cancel, McpPeer& peer) const;

 private:
  // The result without what the revision adds to all of them.
  McpResult<nlohmann::json> result(const McpCall& call) const;
  McpResult<nlohmann::json> of_tasks(const McpCall& call) const;
  nlohmann::json capabilities(bool modern) const;
  nlohmann::json info() const;

  const McpServices services_;
  const McpAsk ask_;
  const std::vector<const McpJob*> jobs_;
  mutable McpTasks tasks_;  // guards itself
  const McpTools tools_;
  const McpResources resources_;
};

}  // namespace precedent
