// Prompts: questions that an engineer asks again and again, as templates that a client offers. Each
// tells the client's model which tools to call, and to keep to what they find.
//
// Thread safety: pure functions.
#pragma once

#include "server/mcp/more.h"
#include "server/mcp/protocol.h"

namespace precedent {

// {prompts: […]}, in a stable order. `more`: others behind them; null: none.
nlohmann::json list_prompts(const McpMore* more);
// {description, messages}. Errors: kMcpInvalidParams for a name that there is not, for an argument
// that is missing, unknown, no text or too long.
McpResult<nlohmann::json> get_prompt(const nlohmann::json& params, const McpMore* more);

}  // namespace precedent
