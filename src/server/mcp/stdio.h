// McpStdio: MCP over two pipes, a message a line. Calls of tools run beside each other, on the
// workers of Turns, and are answered in the order in which they end; all else is answered at once.
// `notifications/cancelled` stops a call that runs, which then has no answer.
//
// Thread safety: take(), finish() and cancel_all() belong to one thread; `write` is called by one
// thread at a time. Lifetime: borrows its parts; finish() before the end.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "server/mcp/mcp.h"
#include "server/turns/turns.h"

namespace precedent {

class McpStdio {
 public:
  using Write = std::function<void(const std::string& line)>;
  McpStdio(const Mcp& mcp, Turns& turns, Write write)
      : mcp_(mcp), turns_(turns), write_(std::move(write)) {}

  void take(const std::string& line);
  // Waits for what runs; once `interrupted` is set, what runs is cancelled.
  void finish(const CancelToken& interrupted);

 private:
  class Peer;
  struct Running {
    std::shared_ptr<ChatTurn> turn;
    bool unwanted = false;  // its sender has cancelled it
  };
  void start(const nlohmann::json& message);
  void cancel(const nlohmann::json& message);
  void send(const nlohmann::json& message);
  void end(const std::string& key, const McpAnswer& answer);

  const Mcp& mcp_;
  Turns& turns_;
  const Write write_;
  Mutex writing_;
  Mutex mutex_;
  ConditionVariable ended_;
  std::map<std::string, Running> running_ GUARDED_BY(mutex_);  // by the id of the request
};

}  // namespace precedent
