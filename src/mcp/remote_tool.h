// RemoteTool: a tool of an MCP server as one of ours: the same checks before, the same receipt
// behind. What the server says is foreign: bounded, cleaned as every receipt is, and shown to a
// model as data.
//
// Thread safety: as Tool. Ownership: shares its client with the other tools of the server.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "mcp/mcp_client.h"
#include "tools/tool.h"

namespace precedent {

// "tickets__get_ticket": the server's name and the tool's, in characters that vendors take, at most
// 64. What has to be cut ends in a hash of the whole.
std::string remote_name(std::string_view server, std::string_view tool);

class RemoteTool final : public Tool {
 public:
  // Errors: kInvalidArgument for a tool that no call could be made by.
  static Result<std::unique_ptr<RemoteTool>> make(std::shared_ptr<McpClient> client,
                                                  OfferedTool offered,
                                                  std::chrono::milliseconds timeout);

 private:
  RemoteTool(ToolSpec spec, std::shared_ptr<McpClient> client, OfferedTool offered,
             std::chrono::milliseconds timeout)
      : Tool(std::move(spec)),
        client_(std::move(client)),
        offered_(std::move(offered)),
        timeout_(timeout) {}
  Result<Outcome> run(const Args& args, ToolContext& context) const override;

  std::shared_ptr<McpClient> client_;
  OfferedTool offered_;
  std::chrono::milliseconds timeout_;
};

}  // namespace precedent
