// A job of MCP (job.h) as a turn of its conversation: whoever reads the conversation's stream
// sees the work and its end, and may cancel it there.
//
// Thread safety: as Turns.
#pragma once

#include "server/mcp/job.h"
#include "server/turns/turns.h"

namespace precedent {

// Runs a round; the turn has its last event when this returns. `events` is told the work, too.
McpResult<McpOutcome> run_as_turn(const McpJob& job, const McpRound& round, ChatTurn& turn,
                                  EventSink& events);

// Of a round that no turn takes now; names the turn that is in its way, if one is.
std::unexpected<McpError> mcp_busy(const Error& error, const Turns& turns, const std::string& chat);

}  // namespace precedent
