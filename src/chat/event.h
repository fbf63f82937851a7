// What happens while an answer is made: one event type for terminal and JSON, one sink to give it
// to.
//
// Thread safety: a sink is called by one thread at a time unless it says otherwise.
#pragma once

#include <string>
#include <vector>

namespace precedent {

struct Event {
  enum class Type { kStatus };
  Type type = Type::kStatus;
  std::string text;  // "Searching for INC-2025-08-24-001..."
  bool operator==(const Event&) const = default;
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void emit(const Event& event) = 0;
  void status(std::string text) { emit({Event::Type::kStatus, std::move(text)}); }
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
