// RequestCounting: the counters of all turns that this process answered, behind a lock.
//
// Thread safety: all members.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/request_records.h"
#include "base/mutex.h"
#include "observe/counters.h"

namespace precedent {

class RequestCounting {
 public:
  // `tools`: as Counters.
  explicit RequestCounting(const std::vector<std::string>& tools) : counters_(tools) {}
  // What `answer` gives, counted with the time it took.
  template <typename Answer>
  Reply counted(std::string_view question, Answer answer) {
    const auto started = std::chrono::steady_clock::now();
    Reply reply = answer();
    RequestRecord record = record_of(reply, question);
    record.took =
        std::chrono::duration_cast<RequestDuration>(std::chrono::steady_clock::now() - started);
    counters_.add(record);
    return reply;
  }
  std::string exposition() const { return counters_.exposition(); }

 private:
  Counters counters_;
};

}  // namespace precedent
