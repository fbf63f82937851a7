// MCP over HTTP: POST /mcp, one message a request, one JSON answer. Nothing is sent unasked, so
// that GET, which would open a stream for that, is 405.
//
// Thread safety: as Router. Ownership: borrows its parts.
#pragma once

#include "server/mcp.h"
#include "server/router.h"
#include "server/turns.h"

namespace precedent {

void add_mcp_route(Router& router, const Mcp& mcp, Turns& turns);

}  // namespace precedent
