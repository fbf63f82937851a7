// tools/list and tools/call: `ask`, and every tool of the program.
//
// What goes wrong in a tool is a result with `isError`, as the caller's model should read it. A
// question back becomes a form for clients that have forms (`resultType: "input_required"`), and
// `needs_input` for all others; to clients that declare tasks, `ask` is one.
// Thread safety: all members. Ownership: borrows the services and the tasks.
#pragma once

#include "server/mcp_protocol.h"
#include "server/mcp_services.h"
#include "server/mcp_state.h"
#include "server/mcp_tasks.h"

namespace precedent {

class McpTools {
 public:
  McpTools(const McpServices& services, McpTasks& tasks)
      : services_(services), tasks_(tasks), state_(services.state_key, services.principal) {}

  // `ask` first, then the tools in their own order.
  nlohmann::json list() const;
  // Errors: kMcpInvalidParams for a tool that there is not, and for a `requestState` or
  // `inputResponses` that are not right.
  McpResult<nlohmann::json> call(const McpCall& call) const;

 private:
  McpResult<nlohmann::json> ask(const McpCall& call, const nlohmann::json& args) const;
  McpResult<nlohmann::json> go_on(const McpCall& call, const nlohmann::json& args) const;
  nlohmann::json answer(const McpCall& call, const nlohmann::json& args,
                        const std::string& question, const std::string& chat) const;
  nlohmann::json ask_back(const McpState::Pending& pending, const nlohmann::json& args) const;
  nlohmann::json call_tool(const McpCall& call, const Tool& tool, const nlohmann::json& args) const;

  const McpServices& services_;
  McpTasks& tasks_;
  const McpState state_;
};

}  // namespace precedent
