// CountedAnswerer: an Answerer whose questions count, whichever API they come by.
//
// Thread safety: all members. Ownership: borrows both parts.
#pragma once

#include <chrono>

#include "agent/turn/request_records.h"
#include "observe/counters.h"
#include "server/turns/answerer.h"

namespace precedent {

class CountedAnswerer final : public Answerer {
 public:
  CountedAnswerer(Answerer& answerer, Counters& counters)
      : answerer_(answerer), counters_(counters) {}

  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override {
    const auto started = std::chrono::steady_clock::now();
    Reply reply = answerer_.ask(question, options, clock, events, cancel);
    RequestRecord record = record_of(reply, question.text);
    record.took =
        std::chrono::duration_cast<RequestDuration>(std::chrono::steady_clock::now() - started);
    counters_.add(record);
    return reply;
  }
  // The question that it finishes was counted.
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) override {
    return answerer_.resume(options, clock, events, cancel);
  }

 private:
  Answerer& answerer_;
  Counters& counters_;
};

}  // namespace precedent
