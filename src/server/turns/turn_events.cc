#include "server/turns/turn_events.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "server/http/problem.h"

namespace precedent {

using nlohmann::json;

std::optional<ToldEvent> told(const Event& event) {
  const auto data = [&] { return parse_json_leniently(event.data); };
  switch (event.type) {
    case Event::Type::kStatus: return ToldEvent{"status", {{"text", event.text}}};
    case Event::Type::kTitle: return ToldEvent{"title", {{"title", event.text}}};
    case Event::Type::kToken:
      return ToldEvent{"token", {{"text", event.text}, {"draft", event.draft}}};
    case Event::Type::kReset: return ToldEvent{"reset", json::object()};
    case Event::Type::kGrounding: return ToldEvent{"grounding", data()};
    case Event::Type::kPlan: return ToldEvent{"plan", {{"calls", data()}}};
    case Event::Type::kToolCall: return ToldEvent{"tool_call", data()};
    case Event::Type::kToolResult: return ToldEvent{"tool_result", data()};
    case Event::Type::kValues:
    case Event::Type::kUpdates:
    case Event::Type::kTask:
    case Event::Type::kCheckpoint:
    case Event::Type::kInterrupt:
    case Event::Type::kComplete:
    case Event::Type::kError: return std::nullopt;
  }
  return std::nullopt;
}

void TurnEvents::emit(const Event& event) {
  if (const auto said = told(event)) turn_.say(said->name, dump_json(said->data));
}

void say_begin(ChatTurn& turn, const std::string& question) {
  turn.say("status", dump_json({{"text", "Analyzing your request... please hold on."},
                                {"question", question},
                                {"chat_id", turn.chat},
                                {"turn_id", turn.id}}));
}

json answer_json(const Reply& reply, const ChatTurn& turn) {
  json object = to_json(reply);
  object.erase("thread_id");
  object["chat_id"] = turn.chat;
  object["turn_id"] = turn.id;
  return object;
}

int error_status(const Reply& reply, const ChatTurn& turn) {
  if (turn.server_stops) return 503;
  return reply.busy || turn.cancel.cancelled() ? 409 : 500;
}

std::string error_detail(const Reply& reply, const ChatTurn& turn) {
  if (!turn.cancel.cancelled()) return reply.text;
  if (turn.server_stops)
    return "the server was stopped before the answer was finished; what was looked up until then "
           "is kept with the question; ask again once the server is back";
  return "the answer was cancelled; what was looked up until then is kept with the question";
}

namespace {

void say_error(ChatTurn& turn, int status, std::string_view title, const std::string& detail) {
  const json error = {{"status", status},
                      {"title", title},
                      {"detail", detail},
                      {"chat_id", turn.chat},
                      {"turn_id", turn.id}};
  turn.say_last("error", dump_json(error));
}

}  // namespace

void say_cut_off(ChatTurn& turn) {
  say_error(turn, 503, reason_phrase(503),
            "this answer was never finished; what was looked up until then is kept with the "
            "question; ask again");
}

void say_end(ChatTurn& turn, const Reply& reply) {
  const auto say = [&](std::string_view name, const json& data) {
    turn.say(name, dump_json(data));
  };
  if (reply.status == AnswerStatus::kError) {
    const int status = error_status(reply, turn);
    const bool cancelled = status == 409 && !reply.busy;
    return say_error(turn, status, cancelled ? "Cancelled" : reason_phrase(status),
                     error_detail(reply, turn));
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
