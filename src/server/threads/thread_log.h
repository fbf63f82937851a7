// ThreadLog: what happens in the runs of a thread, in a form of its own, from which each client
// reads in the shape that it speaks: a run's stream (run_stream.h) or the thread's
// (thread_events.h).
//
// The events of the last run and of the one before it are kept. Events are numbered; the numbers
// begin at the time at which the log was made, in milliseconds, so that those of a log that was
// forgotten, or of a server before this one, are never taken for others.
//
// Thread safety: all members. Ownership: a log lives as long as a run, a reader or the table holds
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "net/http_server.h"

namespace precedent {

struct ThreadEvent {
  enum class Type : uint8_t {
    kRunStart,      // {run_id, thread_id}
    kAnswered,      // {interrupt_ids}: the run answers them
    kValues,        // the state
    kUpdates,       // what `node` wrote, in the shape of values
    kMessageStart,  // {id}: a message begins to be said
    kMessageDelta,  // {id, text}
    kMessageEnd,    // the message that was said piece by piece
    kMessage,       // a message that comes whole
    kToolCall,      // {id, tool, args}
    kToolResult,    // {id, tool, status, took_ms, note}
    kCustom,        // {type, …}: what a chat is told (turn_events.h)
    kCheckpoint,    // {step, source, next, id}
    kInterrupt,     // what is asked back
    kError,         // {error, message}
    kRunEnd,        // {run_id, status}
  };
  Type type = Type::kRunStart;
  std::string run;
  std::string data;       // compact JSON
  std::string node = {};  // of the graph
  uint64_t number = 0;    // given by the log
  int64_t at_ms = 0;      // since 1970; given by the log
};

class ThreadLog : public std::enable_shared_from_this<ThreadLog> {
 public:
  ThreadLog();
  void add(ThreadEvent event);
  // A run is about to begin, when a worker is free: whoever follows the last run means this one.
  void expect_run();
  // … or was not taken after all.
  void expect_none();
  // Ends all readers: the server stops.
  void close();

  // What a client is sent of an event; "": nothing. Called by one reader, event by event.
  using Show = std::function<std::string(const ThreadEvent& event)>;
  // The events of a run, to its end, which `over` tells of one that is no longer kept. Events up to
  // the number `seen` are passed over: `show` sees them, but the client does not. `gone` is called
  // if the client leaves before the end.
  struct RunReader {
    std::string run;
    uint64_t seen = 0;
    std::function<bool()> over;
    std::function<void()> gone = {};
  };
  std::shared_ptr<HttpStream> read(RunReader reader, Show show);
  // The events behind `since`, without an end; without one those of the last run, from its
  // beginning, and of all that follow.
  std::shared_ptr<HttpStream> follow(uint64_t since, Show show);

 private:
  friend class ThreadReader;
  // The first event of this number or a later one; null: there is none yet.
  std::shared_ptr<const ThreadEvent> from(uint64_t number) const;
  bool closed() const;
  void wake_all();

  mutable Mutex mutex_;
  std::deque<std::shared_ptr<const ThreadEvent>> events_ GUARDED_BY(mutex_);  // by number
  uint64_t next_ GUARDED_BY(mutex_);
  uint64_t last_start_ GUARDED_BY(mutex_) = 0;  // the number of the last run's first event
  uint64_t expected_ GUARDED_BY(mutex_) = 0;    // the least that the next run's can be; 0: none is
  bool closed_ GUARDED_BY(mutex_) = false;
  std::map<const void*, std::function<void()>> waiting_ GUARDED_BY(mutex_);
};

// One event as it leaves: "id: …\nevent: …\ndata: …\n\n".
std::string sse_frame(const std::string& id, std::string_view event, std::string_view data);

}  // namespace precedent
