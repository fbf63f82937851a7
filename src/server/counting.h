// RequestCounting: the counters of all turns that this process answered, behind a lock.
//
// Thread safety: all members.
#pragma once

#include <string>
#include <vector>

#include "agent/turn/request_records.h"
#include "base/mutex.h"
#include "observe/counters.h"

namespace precedent {

class RequestCounting {
 public:
  // `tools`: as Counters.
  explicit RequestCounting(const std::vector<std::string>& tools) : counters_(tools) {}
  void add(const Reply& reply, std::string_view question, RequestDuration took) {
    RequestRecord record = record_of(reply, question);
    record.took = took;
    counters_.add(record);
  }
  std::string exposition() const { return counters_.exposition(); }

 private:
  Counters counters_;
};

}  // namespace precedent
