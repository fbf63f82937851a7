#include "db/watchdog.h"

#include <sys/socket.h>

namespace precedent::db {

uint64_t Watchdog::add(int socket) {
  const std::scoped_lock lock(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) {
      // The system gives no thread: nobody watches, and the next one to be watched tries again.
    }
  }
  watched_.emplace(++last_, Watched{Clock::now() + patience_, socket});
  if (watched_.size() == 1) added_.notify_one();
  return last_;
}

void Watchdog::remove(uint64_t id) {
  const std::scoped_lock lock(mutex_);
  watched_.erase(id);
}

bool Watchdog::has(uint64_t id) {
  const std::scoped_lock lock(mutex_);
  return watched_.contains(id);
}

void Watchdog::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (added_.wait(lock, stop, [this] { return !watched_.empty(); })) {
    const auto [id, first] = *watched_.begin();
    if (Clock::now() < first.until) {
      // Whatever is added meanwhile ends later. What was removed is seen then.
      added_.wait_until(lock, stop, first.until, [] { return false; });
      continue;
    }
    ::shutdown(first.socket, SHUT_RDWR);
    watched_.erase(id);
  }
}

}  // namespace precedent::db
