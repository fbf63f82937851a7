#include "graph/stream.h"

namespace precedent {

bool StreamModes::shows(Event::Type type) const {
  switch (type) {
    case Event::Type::kStatus:
    case Event::Type::kTitle:
    case Event::Type::kPlan:
    case Event::Type::kToolCall:
    case Event::Type::kToolResult: return custom;
    case Event::Type::kToken:
    case Event::Type::kReset:
    case Event::Type::kGrounding: return messages;
    case Event::Type::kValues: return values;
    case Event::Type::kUpdates: return updates;
    case Event::Type::kTask:
    case Event::Type::kCheckpoint: return debug;
    case Event::Type::kInterrupt:
    case Event::Type::kComplete:
    case Event::Type::kError: return true;
  }
  return true;
}

void RunSink::emit(const Event& event) {
  if (!modes_.shows(event.type)) return;
  const MutexLock lock(mutex_);
  if (ended_) return;
  ended_ = event.type == Event::Type::kComplete || event.type == Event::Type::kInterrupt ||
           event.type == Event::Type::kError;
  consumer_.emit(event);
}

void TaskSink::emit(const Event& event) {
  Event stamped = event;
  if (stamped.node.empty()) stamped.node = node_;
  stamped.step = step_;
  behind_.emit(stamped);
}

}  // namespace precedent
