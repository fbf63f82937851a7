// A mutex that clang's thread-safety analysis understands (std::mutex of libstdc++ is invisible to
// it).
//
//   Mutex mutex_;
//   std::deque<Job> jobs_ GUARDED_BY(mutex_);
//   { const MutexLock lock(mutex_); jobs_.pop_front(); }
//
// The annotations are those of clang's manual, "Thread Safety Analysis"; other compilers ignore
// them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PRECEDENT_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define PRECEDENT_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(x) PRECEDENT_THREAD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY PRECEDENT_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) PRECEDENT_THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES_LOCK(...) PRECEDENT_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define ACQUIRES_LOCK(...) PRECEDENT_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASES_LOCK(...) PRECEDENT_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace precedent {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRES_LOCK() { mutex_.lock(); }
  void unlock() RELEASES_LOCK() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRES_LOCK(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASES_LOCK() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Wait in a loop: `while (!condition) changed_.wait(mutex_);`
class ConditionVariable {
 public:
  void wait(Mutex& mutex) REQUIRES_LOCK(mutex) { condition_.wait(mutex); }
  // False once `time` has passed.
  bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time) REQUIRES_LOCK(mutex) {
    return condition_.wait_until(mutex, time) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable_any condition_;
};

}  // namespace precedent
