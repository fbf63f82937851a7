#include "server/mcp/turn.h"

#include "server/turns/turn_events.h"

namespace precedent {

McpResult<McpOutcome> run_as_turn(const McpJob& job, const McpRound& round, ChatTurn& turn,
                                  EventSink& events) {
  if (const std::string asked = job.question(round); !asked.empty()) say_begin(turn, asked);
  TurnEvents told(turn);
  BothSinks both(told, events);
  auto outcome = job.run(round, both, turn.cancel);
  if (outcome && outcome->reply)
    say_end(turn, *outcome->reply);
  else
    turn.say_last("complete", "{}");
  return outcome;
}

std::unexpected<McpError> mcp_busy(const Error& error, const Turns& turns,
                                   const std::string& chat) {
  const auto running = error.code == ErrorCode::kConflict ? turns.last_of(chat) : nullptr;
  if (running == nullptr) return mcp_fail(kMcpBusy, error.text());
  return mcp_fail(kMcpBusy, error.text(), 200, {{"chat_id", chat}, {"turn_id", running->id}});
}

}  // namespace precedent
