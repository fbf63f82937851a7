// What the MCP server is made of: borrowed parts and function values.
//
// Lifetime: outlives the Mcp that it is given to. Thread safety: all functions, from any thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "server/knowledge/knowledge_view.h"
#include "server/mcp/job.h"
#include "server/mcp/more.h"
#include "server/turns/answerer.h"
#include "server/turns/chats.h"
#include "server/turns/turns.h"
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
  std::vector<const McpJob*> jobs = {};  // beside `ask`
  // Prompts and resources beside our own; null: none.
  const McpMore* more = nullptr;
  // What is known, as the caller may see it; empty: there are no resources.
  std::function<Result<KnowledgeView>()> knowledge = {};
  // Where tasks run; null: there are none.
  Turns* turns = nullptr;
  // For tasks of before a restart; empty: these are forgotten. Errors: kNotFound; kUnavailable for
  // a turn that has no answer yet.
  std::function<Result<KeptTurn>(const std::string& chat)> last_turn = {};
  // Who asks: the one place where a caller's name comes in. "": nobody signed in.
  std::string principal = {};
  // Signs what a client hands back; "": a key of this object alone.
  std::string state_key = {};
};

}  // namespace precedent
