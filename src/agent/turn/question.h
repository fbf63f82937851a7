// What a turn is asked, and how. Plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chat/message.h"
#include "graph/state_graph.h"

namespace precedent {

struct Question {
  std::string text;
  std::vector<Message> history =
      {};  // said before, oldest first; of a conversation that is not kept
};

struct AskOptions {
  std::string thread = {};  // "": not kept
  std::string user = {};
  bool generate_title = true;
  bool explain = false;
  bool langfuse_enabled = false;  // trace this turn, if the services have a tracer
  StreamModes modes = {};
  Durability durability = Durability::kSync;
  std::optional<Context::Deadline> deadline = {};
};

}  // namespace precedent
