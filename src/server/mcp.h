// The Model Context Protocol: the tools, and asking, for programs that carry a model of their own.
//
// Two revisions on one door. Messages that carry the envelope of 2026-07-28 (`_meta` with
// io.modelcontextprotocol/protocolVersion) are answered as that revision has it: no session, a
// `resultType` in every result, `ttlMs` and `cacheScope` in those that may be kept. All others are
// of the revisions up to 2025-11-25, which begin with `initialize` and know none of these.
// Errors of the protocol: -32700, -32600, -32601, -32602; -32020 (a header that says something else
// than the body), -32022 (a revision that is not spoken here). What goes wrong in a tool is a
// result with `isError`, as the caller's model should read it.
//
// Thread safety: handle() from any thread. Ownership: borrows its services.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "server/answerer.h"
#include "tools/tool.h"

namespace precedent {

struct McpServices {
  Answerer& answerer;
  const Toolset& tools;
  // Calls a tool for somebody outside; a receipt in any case.
  std::function<Receipt(const Tool& tool, const nlohmann::json& args, const CancelToken& cancel)>
      call_tool;
  const Clock& clock;
  std::string version;
};

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
  explicit Mcp(McpServices services) : services_(std::move(services)) {}

  // `headers`: null over stdio.
  McpAnswer handle(std::string_view message, const McpHeaders* headers,
                   const CancelToken& cancel) const;

 private:
  struct Call {
    nlohmann::json id;
    std::string method;
    nlohmann::json params;
    bool modern = false;
    const CancelToken& cancel;
  };
  McpAnswer answer(const Call& call) const;
  nlohmann::json list_tools() const;
  std::optional<nlohmann::json> call_tool(const nlohmann::json& params,
                                          const CancelToken& cancel) const;
  nlohmann::json ask(const nlohmann::json& args, const CancelToken& cancel) const;

  McpServices services_;
};

}  // namespace precedent
