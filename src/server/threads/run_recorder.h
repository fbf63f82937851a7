// RunRecorder: writes down what happens in a run, in the log of its thread.
//
// A message has the id under which the thread will keep it from its first piece on: messages are
// counted, as the state counts them (graph/shared_list.h). Only checked text is told: nobody could
// take a draft back. Thread safety: as EventSink. Ownership: owns nothing but its share of the log.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "agent/turn/reply.h"
#include "chat/event.h"
#include "server/threads/thread_log.h"
#include "server/turns/checked_text.h"

namespace precedent {

class RunRecorder final : public EventSink {
 public:
  // `values`: of the thread before it, or null; `messages`: how many there are once the question is
  // among them.
  RunRecorder(std::shared_ptr<ThreadLog> log, std::string run, nlohmann::json values,
              size_t messages)
      : log_(std::move(log)),
        run_(std::move(run)),
        messages_(messages),
        values_(std::move(values)) {}
  void emit(const Event& event) override;
  // The last values; `interrupt`: what is asked back, or null.
  nlohmann::json end(const Reply& reply, const nlohmann::json& interrupt);

 private:
  void add(ThreadEvent::Type type, const nlohmann::json& data, const std::string& node = {});
  void say(const std::string& text, const std::string& node);
  void take_updates(const Event& event);
  void take_message(const nlohmann::json& message, const std::string& node);
  void take_checkpoint(const Event& event);
  std::string next_id() const { return "m" + std::to_string(messages_ + 1); }

  const std::shared_ptr<ThreadLog> log_;
  const std::string run_;
  size_t messages_;
  CheckedText text_;       // of the message that is being said
  nlohmann::json values_;  // after the last step
  nlohmann::json parent_;  // the last checkpoint's id
};

}  // namespace precedent
