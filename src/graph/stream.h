// What of a run's events a consumer sees, and the sinks between the nodes and the consumer.
//
// Thread safety: see each class.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/mutex.h"
#include "chat/event.h"

namespace precedent {

// A set of modes; which events each shows is said in chat/event.h.
struct StreamModes {
  bool values = false;   // the whole state after each step: grows with the conversation
  bool updates = false;  // what each node wrote
  bool messages = true;  // tokens, resets
  bool custom = true;    // statuses, the title, plan and calls
  bool debug = false;    // tasks, checkpoints

  bool shows(Event::Type type) const;
  bool operator==(const StreamModes&) const = default;
};

// Lets the events of the modes through, one at a time, up to the one that ends the stream: what
// works beside the run may speak too late. Thread safety: any thread.
class RunSink final : public EventSink {
 public:
  RunSink(StreamModes modes, EventSink& consumer) : modes_(modes), consumer_(consumer) {}
  const StreamModes& modes() const { return modes_; }
  void emit(const Event& event) override;

 private:
  const StreamModes modes_;
  Mutex mutex_;
  EventSink& consumer_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
};

// Says of each event which node and step it is from. Thread safety: as the sink behind it.
class TaskSink final : public EventSink {
 public:
  TaskSink(std::string_view node, int step, EventSink& behind)
      : node_(node), step_(step), behind_(behind) {}
  void emit(const Event& event) override;

 private:
  std::string_view node_;
  int step_;
  EventSink& behind_;
};

}  // namespace precedent
