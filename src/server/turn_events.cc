#include "server/turn_events.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "server/problem.h"

namespace precedent {

using nlohmann::json;

void TurnEvents::emit(const Event& event) {
  const auto say = [&](std::string_view name, const json& data) {
    turn_.say(name, dump_json(data));
  };
  switch (event.type) {
    case Event::Type::kStatus: return say("status", {{"text", event.text}});
    case Event::Type::kTitle: return say("title", {{"title", event.text}});
    case Event::Type::kToken: return say("token", {{"text", event.text}, {"draft", event.draft}});
    case Event::Type::kReset: return say("reset", json::object());
    case Event::Type::kGrounding: return say("grounding", parse_json_leniently(event.data));
    case Event::Type::kPlan: return say("plan", {{"calls", parse_json_leniently(event.data)}});
    case Event::Type::kToolCall: return say("tool_call", parse_json_leniently(event.data));
    case Event::Type::kToolResult: return say("tool_result", parse_json_leniently(event.data));
    // How the graph works is not told here; its end is told by say_end().
    case Event::Type::kValues:
    case Event::Type::kUpdates:
    case Event::Type::kTask:
    case Event::Type::kCheckpoint:
    case Event::Type::kInterrupt:
    case Event::Type::kComplete:
    case Event::Type::kError: return;
  }
}

json answer_json(const Reply& reply, const ChatTurn& turn) {
  json object = to_json(reply);
  object.erase("thread_id");
  object["chat_id"] = turn.chat;
  object["turn_id"] = turn.id;
  return object;
}

void say_end(ChatTurn& turn, const Reply& reply) {
  const auto say = [&](std::string_view name, const json& data) {
    turn.say(name, dump_json(data));
  };
  if (reply.status == AnswerStatus::kError) {
    const int status = turn.cancel.cancelled() ? 409 : 500;
    const json error = {{"status", status},
                        {"title", turn.cancel.cancelled() ? "Cancelled" : reason_phrase(status)},
                        {"detail", reply.text},
                        {"chat_id", turn.chat},
                        {"turn_id", turn.id}};
    return turn.say_last("error", dump_json(error));
  }
  const json answer = answer_json(reply, turn);
  if (!answer["grounding"].is_null()) {
    json grounding = answer["grounding"];
    grounding["claims"] = answer["claims"];
    say("grounding", grounding);
  }
  if (reply.status == AnswerStatus::kNeedsInput) say("needs_input", {{"text", reply.text}});
  if (reply.status == AnswerStatus::kRefused) say("refused", {{"text", reply.text}});
  turn.say_last("complete", dump_json(answer));
}

}  // namespace precedent
