// What a client of a chat is told while a turn runs: events of the graph → named server-sent
// events, each with one JSON object.
//
//   status {text}                    token {text, draft}        reset {}
//   title {title}                    plan {calls: [{tool, args, purpose, rule?}]}
//   tool_call {id, tool, args}       tool_result {id, tool, status, took_ms, note}
//   grounding {…, claims: [{text, verdict, …}]}                 needs_input {text}
//   refused {text}                   complete {answer, chat_id, …}
//   error {status, title, detail}    the last one is always complete or error
//
// Thread safety: as EventSink.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "agent/turn/reply.h"
#include "chat/event.h"
#include "server/turns/turns.h"

namespace precedent {

// The name and the object of an event that a client of a chat is told; nothing of the others: how
// the graph works is not told there, and its end is told by say_end().
struct ToldEvent {
  std::string_view name;
  nlohmann::json data;
};
std::optional<ToldEvent> told(const Event& event);

class TurnEvents final : public EventSink {
 public:
  explicit TurnEvents(ChatTurn& turn) : turn_(turn) {}
  void emit(const Event& event) override;

 private:
  ChatTurn& turn_;
};

// Both are told.
class BothSinks final : public EventSink {
 public:
  BothSinks(EventSink& first, EventSink& second) : first_(first), second_(second) {}
  void emit(const Event& event) override {
    first_.emit(event);
    second_.emit(event);
  }

 private:
  EventSink& first_;
  EventSink& second_;
};

// What a turn begins with: who joins its stream is told what was asked.
void say_begin(ChatTurn& turn, const std::string& question);
// The object that ends a turn: that of `ask --json`, for a chat.
nlohmann::json answer_json(const Reply& reply, const ChatTurn& turn);
// Why a turn has no answer: 503 where the server ended it, 409 where somebody cancelled it.
int error_status(const Reply& reply, const ChatTurn& turn);
std::string error_detail(const Reply& reply, const ChatTurn& turn);
// Grounding, what is asked back or refused, and the end.
void say_end(ChatTurn& turn, const Reply& reply);
// The same of a turn that was cut off, and of which nobody remembers why.
void say_cut_off(ChatTurn& turn);

}  // namespace precedent
