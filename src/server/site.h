// Site: the whole API as one caller sees it. Each caller has one of their own, so that no handler
// has to remember whose chats, turns and runs these are: there are no others.
//
// Sites: those of the callers that were here lately.
//
// Thread safety: dispatch() and all members of Sites. Ownership: a site owns its seat and borrows
// what all share; whoever handles a request holds its site.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "base/clock.h"
#include "server/auth/caller.h"
#include "server/http/router.h"
#include "server/investigations/investigations.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/knowledge/named_desk.h"
#include "server/knowledge/source_desk.h"
#include "server/knowledge/uploads.h"
#include "server/mcp/investigate.h"
#include "server/mcp/mcp.h"
#include "server/seat.h"
#include "server/threads/runs.h"
#include "server/threads/threads.h"
#include "server/turns/chats.h"
#include "server/turns/counting.h"
#include "server/turns/turns.h"

namespace precedent {

// What the sites of all callers share.
struct SharedParts {
  TurnPool& pool;
  Counters& counters;
  KnowledgeDesk& desk;
  Uploads& uploads;
  SourceDesk* sources;
  const Clock& clock;
  std::string model;
  std::string version;
  std::string state_key;  // signs what clients hand back
  // Null, both: there are none.
  Investigator* investigator = nullptr;
  Investigations* investigations = nullptr;
};

class Site {
 public:
  Site(const Caller& caller, std::unique_ptr<Seat> seat, const SharedParts& shared);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  void dispatch(ServedRequest request, Respond respond) const {
    router_.dispatch(std::move(request), std::move(respond));
  }
  bool knows(std::string_view path) const { return router_.knows(path); }
  std::vector<std::string> routes() const { return router_.routes(); }
  // Ends the streams that would go on for ever.
  void close() { runs_.close(); }
  bool idle() const { return turns_.idle(); }
  const Caller& caller() const { return caller_; }

 private:
  void add_own_routes();
  std::vector<const McpJob*> jobs() const;

  const Caller caller_;
  const std::unique_ptr<Seat> seat_;
  const SharedParts shared_;
  CountedAnswerer answerer_;
  NamedDesk desk_;
  const KnowledgeServices knowledge_;
  const Chats chats_;
  Turns turns_;
  // Null for who may not see everything: a report is of what anybody wrote.
  const std::unique_ptr<McpInvestigate> investigate_;
  const Mcp mcp_;
  const Threads threads_;
  Runs runs_;
  Router router_;
};

class Sites {
 public:
  using MakeSeat = std::function<Result<std::unique_ptr<Seat>>(const Caller& caller)>;
  Sites(MakeSeat make, const SharedParts& shared) : make_(std::move(make)), shared_(shared) {}

  // Errors: those of making a seat.
  Result<std::shared_ptr<Site>> of(const Caller& caller);
  void close();

 private:
  const MakeSeat make_;
  const SharedParts shared_;
  Mutex mutex_;
  std::list<std::shared_ptr<Site>> sites_ GUARDED_BY(mutex_);  // the last used first
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace precedent
