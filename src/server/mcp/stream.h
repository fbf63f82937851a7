// McpHttpPeer: the sender of one request over HTTP. A short call is answered with one JSON object;
// once something is said before the answer, or a call takes its time, the response is a stream of
// server-sent events, whose last one is the answer.
//
// Thread safety: one thread at a time, but for the stream, which the server reads. Lifetime:
// borrows the turn that answers.
#pragma once

#include "net/http_server.h"
#include "server/mcp/mcp.h"
#include "server/turns/turns.h"

namespace precedent {

class McpHttpPeer final : public McpPeer {
 public:
  // `takes_streams`: the client's Accept header has text/event-stream.
  McpHttpPeer(ChatTurn& turn, Respond respond, bool takes_streams)
      : turn_(turn), respond_(std::move(respond)), takes_streams_(takes_streams) {}

  void open(bool closing_cancels) override;
  void notify(const nlohmann::json& message) override;
  const ChatTurn* turn() const override { return &turn_; }
  void finish(const McpAnswer& answer);

 private:
  ChatTurn& turn_;
  const Respond respond_;
  const bool takes_streams_;
  bool opened_ = false;
};

}  // namespace precedent
