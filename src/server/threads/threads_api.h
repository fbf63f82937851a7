// The LangGraph server API (docs/clients.md): assistants, threads with their states, runs, and the
// agent streaming protocol. Format: what @langchain/langgraph-sdk 1.15.0 sends and reads.
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include <string>

#include "base/clock.h"
#include "server/http/router.h"
#include "server/threads/runs.h"
#include "server/threads/threads.h"

namespace precedent {

struct ThreadsApi {
  const Threads& threads;
  Runs& runs;
  const Clock& clock;
  std::string version;
};

// All of them: what follows, in files of their own, is a part of this.
void add_thread_routes(Router& router, const ThreadsApi& api);
void add_assistant_routes(Router& router, const ThreadsApi& api);
void add_run_routes(Router& router, const ThreadsApi& api);
void add_command_routes(Router& router, const ThreadsApi& api);

}  // namespace precedent
