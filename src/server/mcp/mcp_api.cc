#include "server/mcp/mcp_api.h"

#include "base/strings.h"
#include "server/http/problem.h"
#include "server/mcp/stream.h"
#include "server/turns/chats.h"

namespace precedent {

void add_mcp_route(Router& router, const Mcp& mcp, Turns& turns) {
  router.add("POST", "/mcp", [&mcp, &turns](const Routed& routed, const Respond& respond) {
    const ServedRequest& request = routed.request;
    const McpHeaders headers{std::string(request.header("MCP-Protocol-Version")),
                             std::string(request.header("Mcp-Method")),
                             std::string(request.header("Mcp-Name"))};
    const bool takes_streams = ascii_lower(request.header("Accept")).contains("text/event-stream");
    // A call may take as long as a question, so it waits for a worker as one does.
    const auto turn = turns.start("mcp-" + new_chat_id(), [&mcp, respond, headers, takes_streams,
                                                           message = request.body](ChatTurn& own) {
      McpHttpPeer peer(own, respond, takes_streams);
      peer.finish(mcp.handle(message, &headers, own.cancel, peer));
    });
    if (!turn) respond(problem(turn.error()));
  });
}

}  // namespace precedent
