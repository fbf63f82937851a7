// The OpenAI-compatible endpoints: /v1/models, /v1/chat/completions, /v1/responses
// (docs/clients.md).
//
// Thread safety: as Router. Ownership: borrows its parts, which outlive the router's calls.
#pragma once

#include "base/clock.h"
#include "server/http/router.h"
#include "server/turns/answerer.h"
#include "server/turns/chats.h"
#include "server/turns/turns.h"

namespace precedent {

struct OpenAiApi {
  Answerer& answerer;
  const Chats& chats;
  Turns& turns;
  const Clock& clock;
};

void add_openai_routes(Router& router, const OpenAiApi& api);
// The second of them, in responses_api.cc.
void add_responses_route(Router& router, const OpenAiApi& api);

// Runs a turn of its own: `events` is told what happens, `ended` what came of it.
Result<std::shared_ptr<ChatTurn>> run_turn(const OpenAiApi& api, const std::string& name,
                                           Question question, AskOptions options,
                                           std::function<void(ChatTurn&, const Event&)> events,
                                           std::function<void(ChatTurn&, const Reply&)> ended);

}  // namespace precedent
