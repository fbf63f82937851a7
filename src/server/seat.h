// The `Seat` seam: what one caller of the server may use. The command line's is ServedSeat
// (cli/conversation/served_seat.h).
//
// It answers over what the caller may see and keeps their conversations apart from those of
// others: nothing behind it can reach further. Thread safety: all members. Ownership: belongs to
// the server, and borrows what outlives it.
#pragma once

#include <string>
#include <vector>

#include "agent/turn/copilot.h"
#include "server/knowledge/knowledge_view.h"
#include "server/mcp/job.h"
#include "server/mcp/more.h"
#include "server/turns/answerer.h"
#include "tools/tool.h"

namespace precedent {

class Seat : public Answerer {
 public:
  // For reading and writing the caller's conversations outside of a turn; the same one always.
  virtual const Copilot& copilot() const = 0;
  // Null: no conversation is kept.
  virtual Checkpointer* threads() const = 0;
  virtual const Toolset& tools() const = 0;
  // A receipt in any case.
  virtual Receipt call_tool(const Tool& tool, const nlohmann::json& args,
                            const CancelToken& cancel) = 0;
  // What MCP offers beside `ask` and the tools.
  virtual std::vector<const McpJob*> jobs() const { return {}; }
  // Prompts and resources that MCP offers beside our own; null: none.
  virtual const McpMore* more() const { return nullptr; }
  // Questions that what is known here answers, for whoever does not know what to ask.
  virtual std::vector<std::string> suggestions() const = 0;
  // As of now.
  virtual KnowledgeView knowledge() const = 0;
};

}  // namespace precedent
