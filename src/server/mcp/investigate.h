// `investigate` as a tool of MCP: the same as POST /investigations, with its report as the result.
//
// Thread safety and ownership: as McpJob; borrows the investigator.
#pragma once

#include "server/investigations/investigator.h"
#include "server/mcp/job.h"

namespace precedent {

class McpInvestigate final : public McpJob {
 public:
  explicit McpInvestigate(Investigator& investigator) : investigator_(investigator) {}

  std::string_view name() const override { return "investigate"; }
  nlohmann::json tool() const override;
  std::optional<nlohmann::json> refusal(const nlohmann::json& args) const override;
  std::string chat(const nlohmann::json&) const override { return ""; }
  McpResult<McpOutcome> run(const McpRound& round, EventSink& events,
                            const CancelToken& cancel) const override;
  std::string mark(const nlohmann::json& args) const override;

 private:
  Investigator& investigator_;
};

}  // namespace precedent
