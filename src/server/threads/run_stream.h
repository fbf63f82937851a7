// The stream of one run as clients of the LangGraph server API read it: server-sent events named
// by their mode.
//
//   metadata {run_id, thread_id}        the first one
//   values, updates, custom             what the mode is called
//   messages [chunk, metadata]          of the mode messages-tuple
//   messages/metadata|partial|complete  of the mode messages
//   error {error, message}              end {run_id, status}, the last one
//
// Thread safety: one thread at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "server/threads/thread_log.h"

namespace precedent {

struct RunModes {
  bool values = false;
  bool updates = false;
  bool messages = false;
  bool tuples = false;  // messages-tuple
  bool custom = false;
};
// A mode, a list of them, or null for `values`. Errors: kInvalidArgument naming the mode.
Result<RunModes> read_modes(const nlohmann::json& modes);

class RunStream {
 public:
  RunStream(RunModes modes, std::string thread) : modes_(modes), thread_(std::move(thread)) {}
  // "" for what the modes do not show.
  std::string show(const ThreadEvent& event);

 private:
  std::string show_message(const ThreadEvent& event);
  nlohmann::json metadata(const ThreadEvent& event) const;

  const RunModes modes_;
  const std::string thread_;
  std::string said_;  // of the message that is being said
};

}  // namespace precedent
