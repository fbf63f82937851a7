#include "server/mcp_api.h"

#include "server/chats.h"
#include "server/problem.h"

namespace precedent {

void add_mcp_route(Router& router, const Mcp& mcp, Turns& turns) {
  router.add("POST", "/mcp", [&mcp, &turns](const Routed& routed, const Respond& respond) {
    const ServedRequest& request = routed.request;
    const McpHeaders headers{std::string(request.header("MCP-Protocol-Version")),
                             std::string(request.header("Mcp-Method")),
                             std::string(request.header("Mcp-Name"))};
    // A call may take as long as a question, so it waits for a worker as one does.
    const auto turn = turns.start(
        "mcp-" + new_chat_id(), [&mcp, respond, headers, message = request.body](ChatTurn& own) {
          const McpAnswer answer = mcp.handle(message, &headers, own.cancel);
          respond(answer.body.is_null() ? ServedResponse{.status = answer.status}
                                        : json_response(answer.body, answer.status));
        });
    if (!turn) respond(problem(turn.error()));
  });
}

}  // namespace precedent
