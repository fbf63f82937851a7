// tools/list and tools/call: jobs (job.h), of which `ask` is the first, and every tool of the
// program.
//
// What goes wrong in a tool is a result with `isError`, as the caller's model should read it. What
// a job asks back becomes a form for clients that have forms (`resultType: "input_required"`), and
// its own result for all others; to clients that declare tasks, a job is one.
// Thread safety: all members. Ownership: borrows the services and the tasks.
#pragma once

#include <span>

#include "server/mcp/protocol.h"
#include "server/mcp/services.h"
#include "server/mcp/state.h"
#include "server/mcp/tasks.h"

namespace precedent {

class McpTools {
 public:
  McpTools(const McpServices& services, std::span<const McpJob* const> jobs, McpTasks& tasks)
      : services_(services),
        jobs_(jobs),
        tasks_(tasks),
        state_(services.state_key, services.principal) {}

  // Jobs first, then the tools in their own order.
  nlohmann::json list() const;
  // Errors: kMcpInvalidParams for a tool that there is not, and for a `requestState` or
  // `inputResponses` that are not right; kMcpBusy with the `turn_id` of a turn that runs in the
  // conversation; those of the job.
  McpResult<nlohmann::json> call(const McpCall& call) const;

 private:
  McpResult<nlohmann::json> run(const McpCall& call, const McpJob& job,
                                const nlohmann::json& args) const;
  // As a turn of its conversation within the turn of the request, where there are both.
  McpResult<McpOutcome> run_now(const McpCall& call, const McpJob& job,
                                const McpRound& round) const;
  nlohmann::json ask_back(const McpState::Pending& pending, const nlohmann::json& args) const;
  nlohmann::json call_tool(const McpCall& call, const Tool& tool, const nlohmann::json& args) const;

  const McpServices& services_;
  const std::span<const McpJob* const> jobs_;
  McpTasks& tasks_;
  const McpState state_;
};

}  // namespace precedent
