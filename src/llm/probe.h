// Probe: is a model there, does it answer, and how fast? For `precedent models` and `doctor`.
//
// Thread safety: pure but for the model.
#pragma once

#include "llm/chat_model.h"

namespace precedent {

struct ProbeReport {
  std::string name;                 // of the model, as configured
  std::optional<Error> error = {};  // why it did not answer
  bool reachable = false;           // somebody answered, if only with a refusal
  bool follows = false;             // it said what it was asked to say
  std::string answer = {};          // at most 200 bytes
  std::string model = {};           // who answered, as it calls itself
  Usage usage = {};
  std::chrono::milliseconds first_token{0};  // 0: none came
  std::chrono::milliseconds total{0};
};

// Asks one short question. Costs a few tokens.
ProbeReport probe(ChatModel& model, const CancelToken& cancel,
                  std::chrono::milliseconds timeout = std::chrono::seconds(30));

}  // namespace precedent
