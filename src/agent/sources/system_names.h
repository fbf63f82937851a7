// System names: what runs and what is measured, by name, remembered for a while. A question is read
// several times in a turn, and a message of several parts more often; each reading would ask every
// source again.
//
// Thread safety: get() may be called from several threads; who comes first reads, the others wait.
// Ownership: of what was read.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "agent/slots/change_subjects.h"
#include "base/mutex.h"
#include "base/time.h"

namespace precedent {

struct KnownSystems {
  std::vector<std::string> services;   // of the documents, the record of changes and the metrics
  std::vector<std::string> written;    // of the former two alone
  std::vector<std::string> endpoints;  // of the metrics
};

struct MetricName {
  std::string name;
  std::string own;  // of one that is configured: what the source calls the metric that it alone is
                    // made of; "" of others
};

template <typename T>
class NamesFor {
 public:
  // What `read()` gave not long ago, for a question of about that moment; else what it gives now.
  template <typename Read>
  T get(TimePoint now, const Read& read) {
    const MutexLock lock(mutex_);
    const auto at = std::chrono::steady_clock::now();
    const bool fresh =
        value_ && at - read_at_ < kFresh && now - asked_at_ < kFresh && asked_at_ - now < kFresh;
    if (!fresh) {
      value_ = read();
      read_at_ = at;
      asked_at_ = now;
    }
    return *value_;
  }

 private:
  // A turn; a service that is new shows with the next question but one.
  static constexpr std::chrono::seconds kFresh{30};

  Mutex mutex_;
  std::optional<T> value_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point read_at_ GUARDED_BY(mutex_){};
  TimePoint asked_at_ GUARDED_BY(mutex_){};
};

struct SystemNames {
  NamesFor<KnownSystems> systems;
  NamesFor<std::vector<MetricName>> metrics;
  NamesFor<RecordedNames> recorded;
};

}  // namespace precedent
