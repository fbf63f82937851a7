// The `Answerer` seam: who answers what the server is asked. The command line's Session is one.
//
// Thread safety: both may be called from several threads. Ownership: outlives the server.
#pragma once

#include "agent/turn/question.h"
#include "agent/turn/reply.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "chat/event.h"

namespace precedent {

class Answerer {
 public:
  virtual ~Answerer() = default;
  // Never fails: whatever goes wrong is a reply of status kError that says so.
  virtual Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
                    EventSink& events, const CancelToken& cancel) = 0;
  // Finishes a turn that was cut off, in the thread of `options`. Never fails, as ask().
  virtual Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
                       const CancelToken& cancel) = 0;
};

}  // namespace precedent
