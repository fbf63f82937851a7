#include "agent/state/copilot_state.h"

namespace precedent {

const CopilotFields& copilot_fields() {
  static const CopilotFields kFields;
  return kFields;
}

size_t last_question(const SharedList<Message>& messages) {
  for (size_t i = messages.size(); i-- > 0;)
    if (messages[i].role == Role::kUser) return i;
  return messages.size();
}

std::vector<Receipt> receipts_of_last_question(const CopilotState& state) {
  std::vector<Receipt> receipts;
  for (size_t i = last_question(state.messages); i < state.messages.size(); ++i) {
    const Message& message = state.messages[i];
    if (message.role != Role::kTool) continue;
    for (const Receipt& receipt : state.receipts) {
      if (receipt.call != message.tool_call_id) continue;
      receipts.push_back(receipt);
      receipts.back().text = message.content;
    }
  }
  return receipts;
}

}  // namespace precedent
