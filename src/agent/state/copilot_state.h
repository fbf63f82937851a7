// CopilotState: what a conversation is, and how each part of it is written to checkpoints.
//
// Format: docs/format/checkpoints.md; the tags below are stored. Thread safety: plain values.
#pragma once

#include <string>
#include <vector>

#include "agent/state/reading_codec.h"
#include "agent/state/state_codec.h"
#include "chat/message.h"
#include "graph/state_schema.h"
#include "llm/limit_model.h"

namespace precedent {

struct CopilotState {
  SharedList<Message> messages;
  std::string title;
  std::string session_id;
  std::string user_id;
  bool langfuse_enabled = false;
  bool generate_title = true;
  SharedList<Receipt> receipts;  // without their text, which is the tool message's
  std::string intent;            // of the last question, JSON
  std::string plan;              // for the last question, JSON
  AnswerRecord answer;
  bool explain = false;
  RunUse usage;                  // of models, for the last question
  ConversationSummary summary;   // of the first messages, once they no longer fit a model's window
  KeptReading reading;           // of the last question
  bool archived = false;         // put away: not listed among the others
  std::string metadata;          // what clients keep with the conversation: a JSON object, or ""
  uint64_t dataset_version = 0;  // of the incident data at the last question; 0: there was none
};

// The schema and its handles.
struct CopilotFields {
  StateSchema<CopilotState> schema;
  FieldOf<Message> messages = schema.append(1, "messages", &CopilotState::messages);
  FieldOf<std::string> title = schema.overwrite(2, "title", &CopilotState::title);
  FieldOf<std::string> session_id = schema.overwrite(3, "session_id", &CopilotState::session_id);
  FieldOf<std::string> user_id = schema.overwrite(4, "user_id", &CopilotState::user_id);
  FieldOf<bool> langfuse_enabled =
      schema.overwrite(5, "langfuse_enabled", &CopilotState::langfuse_enabled);
  FieldOf<bool> generate_title =
      schema.overwrite(6, "generate_title", &CopilotState::generate_title);
  FieldOf<Receipt> receipts = schema.append(7, "receipts", &CopilotState::receipts);
  FieldOf<std::string> intent = schema.overwrite(8, "intent", &CopilotState::intent);
  FieldOf<std::string> plan = schema.overwrite(9, "plan", &CopilotState::plan);
  FieldOf<AnswerRecord> answer = schema.overwrite(10, "answer", &CopilotState::answer);
  FieldOf<bool> explain = schema.overwrite(11, "explain", &CopilotState::explain);
  FieldOf<RunUse> usage = schema.overwrite(12, "usage", &CopilotState::usage);
  FieldOf<ConversationSummary> summary = schema.overwrite(13, "summary", &CopilotState::summary);
  FieldOf<KeptReading> reading = schema.overwrite(14, "reading", &CopilotState::reading);
  FieldOf<bool> archived = schema.overwrite(15, "archived", &CopilotState::archived);
  FieldOf<std::string> metadata = schema.overwrite(16, "metadata", &CopilotState::metadata);
  FieldOf<uint64_t> dataset_version =
      schema.overwrite(17, "dataset_version", &CopilotState::dataset_version);
};
// Made once.
const CopilotFields& copilot_fields();

// Where the last question stands among the messages; messages.size() if nothing was asked.
size_t last_question(const SharedList<Message>& messages);
// The receipts of the tool calls made for the last question, in their order.
std::vector<Receipt> receipts_of_last_question(const CopilotState& state);

}  // namespace precedent
