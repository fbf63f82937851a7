// McpProgress: what happens during a call, as notifications/progress to whoever asked for it by a
// `progressToken`. Without one nothing is said.
//
// Thread safety: as EventSink. Lifetime: borrows the call.
#pragma once

#include "chat/event.h"
#include "server/mcp/protocol.h"

namespace precedent {

class McpProgress final : public EventSink {
 public:
  explicit McpProgress(const McpCall& call);
  bool wanted() const { return !token_.is_null(); }
  void emit(const Event& event) override;
  void say(std::string_view message);

 private:
  const McpCall& call_;
  nlohmann::json token_;  // null: nobody wants to know
  int steps_ = 0;
};

}  // namespace precedent
