// `ask` as a tool of MCP: a question to the copilot, in a conversation of its caller.
//
// Thread safety and ownership: as McpJob; borrows the services.
#pragma once

#include "server/mcp/job.h"
#include "server/mcp/services.h"

namespace precedent {

class McpAsk final : public McpJob {
 public:
  explicit McpAsk(const McpServices& services) : services_(services) {}

  std::string_view name() const override { return "ask"; }
  nlohmann::json tool() const override;
  std::optional<nlohmann::json> refusal(const nlohmann::json& args) const override;
  std::string chat(const nlohmann::json& args) const override;
  std::string question(const McpRound& round) const override;
  McpResult<McpOutcome> run(const McpRound& round, EventSink& events,
                            const CancelToken& cancel) const override;
  std::string mark(const nlohmann::json& args) const override;
  std::optional<McpOutcome> recall(const std::string& chat, std::string_view mark) const override;

 private:
  const McpServices& services_;
};

}  // namespace precedent
