// Watchdog: ends the wait for a server that stays connected and says nothing any more.
//
// A blocking client library waits in poll(2) for ever. shutdown(2) of its socket from another
// thread makes it fail as if the server had gone. Thread safety: all of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace precedent::db {

class Watchdog {
 public:
  explicit Watchdog(std::chrono::milliseconds patience) : patience_(patience) {}

  // While it lives, `socket` is shut down once patience is over. The socket stays open meanwhile;
  // the watchdog outlives it.
  class Watch {
   public:
    Watch(Watchdog& dog, int socket) : dog_(dog), id_(dog.add(socket)) {}
    ~Watch() { dog_.remove(id_); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    // Whether it had to be shut down.
    bool is_over() const { return !dog_.has(id_); }

   private:
    Watchdog& dog_;
    const uint64_t id_;
  };

  std::chrono::milliseconds patience() const { return patience_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    Clock::time_point until;
    int socket;
  };

  uint64_t add(int socket);
  void remove(uint64_t id);
  bool has(uint64_t id);
  void run(const std::stop_token& stop);

  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable_any added_;
  std::map<uint64_t, Watched> watched_;  // in the order of their ends, as patience is one for all
  uint64_t last_ = 0;
  std::jthread thread_;  // since the first watch
};

}  // namespace precedent::db
