// The chat API: questions in, answers and streams of events out (docs/server.md).
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include <string>

#include "base/clock.h"
#include "server/http/router.h"
#include "server/turns/answerer.h"
#include "server/turns/chats.h"
#include "server/turns/turns.h"

namespace precedent {

struct ChatApi {
  Answerer& answerer;
  const Chats& chats;
  Turns& turns;
  const Clock& clock;
  std::string model;  // the one that answers: "offline", "openai gpt-4o"
};

void add_chat_routes(Router& router, const ChatApi& api);

}  // namespace precedent
