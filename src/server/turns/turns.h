// Turns: the turns of chats, run by a bounded pool of workers.
//
// A turn is ordinary code that blocks, and costs a thread while it runs. Threads are started when
// turns wait, up to the bound, and end when nothing was to do for a while.
//
// A turn writes what happens into its log, and any number of clients read that log, each at its own
// pace: from the beginning, or from after an event it has seen. So a client may go away, come back,
// or be slow, and the turn neither knows nor waits. The log of a chat's last turn is kept for a
// while after its end.
//
// Event ids are "TURN.NUMBER", counted from 1. Thread safety: all members. Ownership: a turn lives
// as long as a worker, a reader or the table of last turns holds it.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/mutex.h"
#include "net/http_server.h"

namespace precedent {

// How a turn is stopped; turns that are one piece of work share it.
struct TurnStop {
  CancelToken cancel;
  // Its end is the server's, not somebody's wish. Set before it is cancelled.
  std::atomic<bool> server_stops{false};
};

class ChatTurn : public std::enable_shared_from_this<ChatTurn> {
 public:
  ChatTurn(std::string own_id, std::string of_chat,
           std::shared_ptr<TurnStop> own_stop = std::make_shared<TurnStop>())
      : id(std::move(own_id)), chat(std::move(of_chat)), stop(std::move(own_stop)) {}

  const std::string id;
  const std::string chat;
  const std::shared_ptr<TurnStop> stop;
  CancelToken& cancel = stop->cancel;
  std::atomic<bool>& server_stops = stop->server_stops;

  // `data`: one line of JSON. After finish() nothing is added.
  void say(std::string_view event, std::string_view data);
  // The last event and the end at once: whoever has seen it may ask the next question.
  void say_last(std::string_view event, std::string_view data);
  // The same for events of another shape, as they leave: "data: {…}\n\n".
  void append(std::string encoded);
  void append_last(std::string encoded);
  void finish();
  bool finished() const;
  // As server-sent events, from after this event id on; from the beginning, if it is "" or of
  // another turn.
  std::shared_ptr<HttpStream> read(std::string_view after = {});

 private:
  friend class TurnReader;
  std::string encoded(std::string_view event, std::string_view data) const;
  void add(std::string encoded, bool last);
  mutable Mutex mutex_;
  std::vector<std::string> log_ GUARDED_BY(mutex_);  // events, encoded
  bool finished_ GUARDED_BY(mutex_) = false;
  std::map<const void*, std::function<void()>> waiting_ GUARDED_BY(mutex_);
};

struct TurnPoolOptions {
  size_t workers = 4;                           // turns that run at once
  size_t queue = 64;                            // turns that wait because all workers are busy
  std::chrono::milliseconds idle_time{30'000};  // after which a worker ends
};

// The workers that all turns of the process share.
class TurnPool {
 public:
  struct Job {
    std::shared_ptr<ChatTurn> turn;
    std::function<void(ChatTurn&)> work;
  };
  explicit TurnPool(const TurnPoolOptions& options);
  ~TurnPool() { stop(); }
  TurnPool(const TurnPool&) = delete;
  TurnPool& operator=(const TurnPool&) = delete;

  // Errors: kResourceExhausted if too many wait; kUnavailable while draining.
  Result<void> add(Job job);
  // Cancels what runs or waits, and waits for it; takes nothing more.
  void stop();
  // Takes no further turn; waits for those that run, and cancels what is left when the time is up.
  void drain(std::chrono::milliseconds time);

  size_t running() const;
  size_t waiting() const;
  size_t threads() const;  // workers that there are
  // For ids of turns: tells those of this process from those of one before it.
  std::string next_id();

 private:
  using Threads = std::list<std::jthread>;
  // False: the system gives no thread.
  bool start_worker() REQUIRES_LOCK(mutex_);
  void work(Threads::iterator own);
  void cancel_all() REQUIRES_LOCK(mutex_);
  // The next to do; nothing: the worker has left, and is to end.
  std::optional<Job> next_job(Threads::iterator own);

  const TurnPoolOptions options_;
  mutable Mutex mutex_;
  ConditionVariable work_;        // for workers
  ConditionVariable ended_turn_;  // for drain()
  std::deque<Job> queue_ GUARDED_BY(mutex_);
  std::map<ChatTurn*, std::shared_ptr<ChatTurn>> running_ GUARDED_BY(mutex_);
  uint64_t count_ GUARDED_BY(mutex_) = 0;
  bool draining_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  size_t idle_ GUARDED_BY(mutex_) = 0;  // workers that wait for work
  Threads workers_ GUARDED_BY(mutex_);
  Threads leaving_ GUARDED_BY(mutex_);  // workers that end by themselves, to be joined
  const std::string epoch_;
};

// The turns of one caller's chats. Lifetime: the pool outlives it.
class Turns {
 public:
  // Does the work; has said its last event when it returns.
  using Work = std::function<void(ChatTurn&)>;

  // `kept`: how many last turns can still be read.
  explicit Turns(TurnPool& pool, size_t kept = 256) : pool_(pool), kept_(kept) {}
  ~Turns() { stop(); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  // Errors: kConflict if a turn of this chat runs; those of TurnPool::add.
  Result<std::shared_ptr<ChatTurn>> start(const std::string& chat, Work work);
  // Does the work now, as a turn of this chat within a turn that runs already: who cancels one has
  // cancelled both. Errors: kConflict as above.
  Result<void> run_within(const ChatTurn& outer, const std::string& chat, const Work& work);
  // The running turn of a chat, or its last one; null: none is known.
  std::shared_ptr<ChatTurn> last_of(const std::string& chat) const;
  // Whether none runs or waits.
  bool idle() const;
  // Cancels what runs or waits, and waits for it.
  void stop();

 private:
  Result<void> require_idle(const std::string& chat) const REQUIRES_LOCK(mutex_);
  void open(const std::shared_ptr<ChatTurn>& turn) REQUIRES_LOCK(mutex_);
  void ended(const std::shared_ptr<ChatTurn>& turn);

  TurnPool& pool_;
  const size_t kept_;
  mutable Mutex mutex_;
  ConditionVariable ended_one_;
  std::map<std::string, std::shared_ptr<ChatTurn>, std::less<>> last_ GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<ChatTurn>> ended_ GUARDED_BY(mutex_);  // oldest first
  std::set<std::shared_ptr<ChatTurn>> open_ GUARDED_BY(mutex_);     // run or wait
};

}  // namespace precedent
