#include "agent/turn/request_records.h"

#include <nlohmann/json.hpp>

namespace precedent {

RequestRecord record_of(const Reply& reply, std::string_view question) {
  RequestRecord record;
  record.thread_id = reply.thread_id;
  record.status = name(reply.status);
  record.question = question;
  // What was refused before it was read has an intent without members.
  if (reply.intent != "{}") record.intent = reply.intent;
  record.plan = reply.plan;
  record.grounding = reply.grounding;
  record.answer = reply.text;
  for (const Receipt& receipt : reply.receipts) {
    record.calls.push_back({receipt.id, receipt.tool, receipt.args, receipt.text,
                            std::string(name(receipt.status)), receipt.took});
  }
  if (reply.usage.steps > 0) {
    record.usage = FieldCodec<RunUse>::json(reply.usage).dump();
    record.model_took = reply.usage.time;
  }
  return record;
}

std::string last_question_text(const CopilotState& state) {
  const size_t at = last_question(state.messages);
  return at < state.messages.size() ? state.messages[at].content : "";
}

}  // namespace precedent
