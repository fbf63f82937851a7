#include "agent/model/model_view.h"

#include "base/untrusted_text.h"

namespace precedent {

std::vector<Message> defused_messages(const CopilotState& state) {
  std::vector<Message> messages(state.messages.begin(), state.messages.end());
  for (Message& message : messages)
    if (message.role != Role::kSystem) message.content = defuse(message.content);
  return messages;
}

void delimit_results(std::vector<Message>& messages, const CopilotState& state) {
  for (Message& message : messages) {
    if (message.role != Role::kTool) continue;
    DataOrigin origin;
    for (const Receipt& receipt : state.receipts)
      if (receipt.call == message.tool_call_id) origin = {receipt.id, receipt.tool};
    message.content = delimit(message.content, origin);
  }
}

}  // namespace precedent
