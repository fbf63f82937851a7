#include "server/threads/run_recorder.h"

#include "base/foreign_json.h"
#include "server/threads/thread_shape.h"
#include "server/turns/turn_events.h"

namespace precedent {

using nlohmann::json;
using Type = ThreadEvent::Type;

void RunRecorder::add(Type type, const json& data, const std::string& node) {
  log_->add({.type = type, .run = run_, .data = dump_json(data), .node = node});
}

void RunRecorder::emit(const Event& event) {
  switch (event.type) {
    case Event::Type::kToken: {
      const bool begins = !text_.begun();
      const std::string piece = text_.piece_of(event);
      if (piece.empty()) return;
      if (begins) add(Type::kMessageStart, {{"id", next_id()}}, event.node);
      return say(piece, event.node);
    }
    case Event::Type::kValues:
      values_ = shaped_values(parse_json_leniently(event.data));
      return add(Type::kValues, values_);
    case Event::Type::kUpdates: return take_updates(event);
    case Event::Type::kCheckpoint: return take_checkpoint(event);
    case Event::Type::kToolCall:
      add(Type::kToolCall, parse_json_leniently(event.data), event.node);
      break;
    case Event::Type::kToolResult:
      add(Type::kToolResult, parse_json_leniently(event.data), event.node);
      break;
    // Of drafts, which nobody saw.
    case Event::Type::kReset:
    case Event::Type::kGrounding: return;
    case Event::Type::kStatus:
    case Event::Type::kTitle:
    case Event::Type::kPlan:
    case Event::Type::kTask:
    case Event::Type::kInterrupt:
    case Event::Type::kComplete:
    case Event::Type::kError: break;
  }
  if (auto said = told(event)) {
    said->data["type"] = said->name;
    add(Type::kCustom, said->data, event.node);
  }
}

void RunRecorder::say(const std::string& text, const std::string& node) {
  add(Type::kMessageDelta, {{"id", next_id()}, {"text", text}}, node);
}

void RunRecorder::take_updates(const Event& event) {
  json change = shaped_values(parse_json_leniently(event.data));
  if (const auto messages = change.find("messages"); messages != change.end()) {
    for (json& message : *messages) {
      if (message["id"].get<std::string>().empty()) message["id"] = next_id();
      take_message(message, event.node);
      ++messages_;
    }
  }
  add(Type::kUpdates, change, event.node);
}

void RunRecorder::take_message(const json& message, const std::string& node) {
  if (!text_.begun() || message["type"] != "ai") return add(Type::kMessage, message, node);
  const std::string rest = text_.rest_of(message["content"].get<std::string>());
  if (!rest.empty()) say(rest, node);
  add(Type::kMessageEnd, message, node);
  text_ = {};
}

void RunRecorder::take_checkpoint(const Event& event) {
  json checkpoint = parse_json_leniently(event.data);
  if (!checkpoint.contains("id")) return;  // it is not kept yet
  checkpoint["id"] = std::to_string(checkpoint["id"].get<int64_t>());
  if (!parent_.is_null()) checkpoint["parent_id"] = parent_;
  parent_ = checkpoint["id"];
  add(Type::kCheckpoint, checkpoint);
}

json RunRecorder::end(const Reply& reply, const json& interrupt) {
  // What no question can be made of comes to no node, and is not kept.
  json& messages = values_["messages"];
  if (messages.empty() || messages.back()["content"] != reply.text)
    messages.push_back(
        shaped_message({{"role", "assistant"}, {"id", next_id()}, {"content", reply.text}}));
  values_["status"] = name(reply.status);
  add_grounding(values_, reply);
  if (!interrupt.is_null()) values_["__interrupt__"] = json::array({interrupt});
  if (reply.status != AnswerStatus::kError) add(Type::kValues, values_);
  if (!interrupt.is_null()) add(Type::kInterrupt, interrupt);
  return values_;
}

}  // namespace precedent
