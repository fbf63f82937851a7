// The `McpJob` seam: a tool of MCP that may take its time, tell how far it is, and ask back. `ask`
// is one (ask.h).
//
// How a job runs is the matter of whoever calls it: at once, with progress (tools.h), or as a
// task for clients that declare tasks (tasks.h). What it asks back is a form for clients that
// have forms; its next round begins when every form has an answer.
//
// Thread safety: all members. Ownership: outlives the Mcp that offers it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "agent/turn/reply.h"
#include "base/cancel.h"
#include "chat/event.h"
#include "server/mcp/protocol.h"

namespace precedent {

struct McpRound {
  const nlohmann::json& args;  // of the call, never refused
  const std::string& chat;     // the conversation that it goes on with
  // Of rounds after the first: what the job kept when it asked back, and the answers to its forms
  // by key, each with an `action`.
  nlohmann::json kept = {};
  nlohmann::json answers = nlohmann::json::object();
};

struct McpOutcome {
  nlohmann::json result;            // of tools/call; of a question back: for clients without forms
  nlohmann::json forms = {};        // null: nothing is asked back; else as `inputRequests`
  nlohmann::json kept = {};         // for the next round; no secret from whoever called
  std::optional<Reply> reply = {};  // what a turn of a conversation ends with
};

class McpJob {
 public:
  virtual ~McpJob() = default;
  virtual std::string_view name() const = 0;
  // Its entry in tools/list.
  virtual nlohmann::json tool() const = 0;
  // A result that says what is wrong with the arguments; nothing if nothing is.
  virtual std::optional<nlohmann::json> refusal(const nlohmann::json& args) const = 0;
  // The conversation that the arguments name; "": a new one.
  virtual std::string chat(const nlohmann::json& args) const = 0;
  // What a round asks, as its conversation shows it; "": nothing that a conversation has.
  virtual std::string question(const McpRound& round) const {
    (void)round;
    return {};
  }
  // An error is one of the protocol: what goes wrong in the job is a result with `isError`.
  virtual McpResult<McpOutcome> run(const McpRound& round, EventSink& events,
                                    const CancelToken& cancel) const = 0;

  // For tasks of before a restart: what tells this call from others of its conversation (letters
  // and digits), and what came of the conversation's last call if that is its mark.
  virtual std::string mark(const nlohmann::json& args) const = 0;
  virtual std::optional<McpOutcome> recall(const std::string& chat, std::string_view mark) const {
    (void)chat, (void)mark;
    return std::nullopt;
  }
};

// {key: elicitation/create …}
nlohmann::json mcp_form(const std::string& key, const std::string& message,
                        const nlohmann::json& schema);
// Whether each form has an answer.
bool is_answered(const nlohmann::json& forms, const nlohmann::json& answers);
// Those of a client's `inputResponses` that answer one of the forms; what nobody asked for is left
// aside. Errors: kMcpInvalidParams for what is no answer of a form.
McpResult<nlohmann::json> read_form_answers(const nlohmann::json& responses,
                                            const nlohmann::json& forms);

}  // namespace precedent
