// What a client of the LangGraph server API wants run: the body of a run, or the parameters of the
// command run.start, read and held against the thread.
//
//   input             {messages: [{type | role, content}]}: the last human message is the question.
//                     null: the turn that was cut off is finished
//   command           {resume: text | {interrupt: text}}: answers what was asked back
//   checkpoint_id     also as checkpoint, or in config.configurable: goes back there first
//
// Thread safety: pure functions.
#pragma once

#include <string>

#include "server/http/request_body.h"
#include "server/threads/runs.h"
#include "server/threads/threads.h"

namespace precedent {

// What the body asks for that is not done here, as a sentence; "" if there is nothing. To be
// refused rather than ignored, since it would change what runs.
std::string unsupported(RequestBody& body);

// `thread`: "" for a run that nothing is kept of. Errors: kInvalidArgument naming the field;
// kNotFound for another assistant, an unknown thread or checkpoint; kConflict where an answer is
// given and nothing was asked.
Result<RunRequest> read_run(RequestBody& body, const std::string& thread, const Threads& threads);

// The answer to the interrupt of this id; "": to whichever waits. Errors: as read_run().
Result<RunRequest> read_answer(const std::string& thread, const std::string& interrupt,
                               const nlohmann::json& answer, const Threads& threads);

}  // namespace precedent
