// MCP over HTTP: POST /mcp, one message a request, answered with one JSON object or a stream that
// ends with it (stream.h). Nothing is sent unasked and there are no sessions, so that GET and
// DELETE are 405. In the newer revision a client that closes the stream has cancelled its request;
// in the older ones it has not, and a notifications/cancelled cannot be told from that of another
// client, as nothing says whose request it means.
//
// Thread safety: as Router. Ownership: borrows its parts.
#pragma once

#include "server/http/router.h"
#include "server/mcp/mcp.h"
#include "server/turns/turns.h"

namespace precedent {

void add_mcp_route(Router& router, const Mcp& mcp, Turns& turns);

}  // namespace precedent
