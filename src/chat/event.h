// What happens while an answer is made: one event type for terminal, JSON lines and SSE, and one
// sink to give it to.
//
// Tools, nodes and models say kStatus, kTitle, kPlan, kToolCall, kToolResult, kToken, kReset and
// kGrounding; the loop of graph/ says the rest. A stream ends with kComplete or kError, never with
// a status sentence.
//
// Tokens of a draft are marked. The answer is the tokens that are not: a reader who shows drafts
// removes them at kReset.
//
// Thread safety: a sink is called by one thread at a time unless it says otherwise.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Event {
  // What a stream of one mode shows: custom (kStatus, kTitle, kPlan,
  // kToolCall, kToolResult), messages (kToken, kReset, kGrounding),
  // values, updates, debug (kTask, kCheckpoint). kInterrupt, kComplete and kError are in every
  // stream.
  enum class Type {
    kStatus,      // text: "Searching for INC-2025-08-24-001..."
    kTitle,       // text: the conversation's title
    kPlan,        // data: calls that are about to be made: tool, args, purpose, rule
    kToolCall,    // data: a call that begins: id of its receipt, tool, args
    kToolResult,  // data: what came of it: id, tool, status, took_ms, note
    kToken,       // text: a piece of the answer, as it is made; node: who says it
    kReset,       // the drafts so far stand no longer; node: who wrote them
    kGrounding,   // data: what the drafts since the last reset claim, and what proves it
    kValues,      // data: the whole state after a step
    kUpdates,     // data: what one node wrote; node
    kTask,        // data: a task that starts or has ended; node, step
    kCheckpoint,  // data: the checkpoint that was written; step
    kInterrupt,   // data: what the graph asks of a person; node
    kComplete,    // data: what the consumer is given at the end
    kError,       // text: the error
  };
  Type type = Type::kStatus;
  std::string text = {};
  std::string node = {};
  int step = -1;          // of the graph's run; -1: not from a step
  std::string data = {};  // compact JSON; "" where a type has none
  bool draft = false;     // of kToken: nobody has checked it yet
  bool operator==(const Event&) const = default;
};

// The stable, lower-case name of a type, as written to JSON lines and SSE.
constexpr std::string_view name(Event::Type type) {
  switch (type) {
    case Event::Type::kStatus: return "status";
    case Event::Type::kTitle: return "title";
    case Event::Type::kPlan: return "plan";
    case Event::Type::kToolCall: return "tool_call";
    case Event::Type::kToolResult: return "tool_result";
    case Event::Type::kToken: return "token";
    case Event::Type::kReset: return "reset";
    case Event::Type::kGrounding: return "grounding";
    case Event::Type::kValues: return "values";
    case Event::Type::kUpdates: return "updates";
    case Event::Type::kTask: return "task";
    case Event::Type::kCheckpoint: return "checkpoint";
    case Event::Type::kInterrupt: return "interrupt";
    case Event::Type::kComplete: return "complete";
    case Event::Type::kError: return "error";
  }
  return "error";
}

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void emit(const Event& event) = 0;
  void status(std::string text) { emit({Event::Type::kStatus, std::move(text)}); }
  void title(std::string text) { emit({Event::Type::kTitle, std::move(text)}); }
  void token(std::string text) { emit({Event::Type::kToken, std::move(text)}); }
};

class NullSink final : public EventSink {
 public:
  void emit(const Event&) override {}
};

// The fake: keeps what it was given.
class RecordingSink final : public EventSink {
 public:
  void emit(const Event& event) override { events.push_back(event); }
  std::vector<Event> events;
};

}  // namespace precedent
