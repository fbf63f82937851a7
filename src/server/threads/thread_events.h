// The events of a thread in the agent streaming protocol of LangGraph (@langchain/protocol 0.0.21),
// as POST /threads/{id}/stream/events streams them to who asked for their channels.
//
// The graph has no graphs within it: every event is of the root namespace.
// Thread safety: one thread at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "server/http/request_body.h"
#include "server/threads/thread_log.h"

namespace precedent {

// {channels, namespaces?, depth?, since?}.
struct EventFilter {
  std::set<std::string> channels;
  bool root = true;    // whether events of the root namespace are wanted
  uint64_t since = 0;  // 0: not said
};
Result<EventFilter> read_filter(RequestBody& body);

class ThreadEvents {
 public:
  explicit ThreadEvents(EventFilter filter) : filter_(std::move(filter)) {}
  // "" for what the filter does not let through.
  std::string show(const ThreadEvent& event);

 private:
  bool wants(const std::string& channel) const;
  std::string show_message(const ThreadEvent& event) const;
  std::string show_tool(const ThreadEvent& event) const;
  std::string show_custom(const ThreadEvent& event) const;
  std::string show_end(const ThreadEvent& event);

  const EventFilter filter_;
  std::string error_;  // of the run that ends
};

}  // namespace precedent
