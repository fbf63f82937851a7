#include "server/mcp/stdio.h"

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "server/turns/chats.h"

namespace precedent {

using nlohmann::json;

class McpStdio::Peer final : public McpPeer {
 public:
  explicit Peer(McpStdio& stdio, const ChatTurn* turn = nullptr) : stdio_(stdio), turn_(turn) {}
  void open(bool /*closing_cancels*/) override {}
  void notify(const json& message) override { stdio_.send(message); }
  const ChatTurn* turn() const override { return turn_; }

 private:
  McpStdio& stdio_;
  const ChatTurn* const turn_;
};

void McpStdio::send(const json& message) {
  const std::string line = dump_json(message);
  const MutexLock lock(writing_);
  write_(line);
}

void McpStdio::take(const std::string& line) {
  const json message = parse_json(line);
  const std::string method = foreign::string_at(message, "method");
  if (method == "tools/call" && message.contains("id")) return start(message);
  if (method == "notifications/cancelled") return cancel(message);
  const CancelToken never;
  Peer peer(*this);
  const McpAnswer answer = mcp_.handle_read(message, nullptr, never, peer);
  if (!answer.body.is_null()) send(answer.body);
}

void McpStdio::start(const json& message) {
  const std::string key = dump_json(message["id"]);
  const auto refuse = [&](int code, const char* why) {
    send(mcp_error_body(message["id"], {code, why}));
  };
  {
    const MutexLock lock(mutex_);
    if (running_.contains(key))
      return refuse(kMcpInvalidRequest, "a request of this 'id' still runs");
    running_[key] = {};
  }
  const auto turn = turns_.start("mcp-" + new_chat_id(), [this, key, message](ChatTurn& own) {
    Peer peer(*this, &own);
    end(key, mcp_.handle_read(message, nullptr, own.cancel, peer));
  });
  const MutexLock lock(mutex_);
  const auto found = running_.find(key);
  if (found == running_.end()) return;  // it has ended already
  if (turn) {
    found->second.turn = *turn;
    return;
  }
  running_.erase(found);
  refuse(kMcpBusy, "too many calls wait; call again once one has ended");
}

void McpStdio::end(const std::string& key, const McpAnswer& answer) {
  bool wanted = true;
  {
    const MutexLock asked(mutex_);
    const auto found = running_.find(key);
    wanted = found != running_.end() && !found->second.unwanted;
  }
  if (wanted && !answer.body.is_null()) send(answer.body);
  const MutexLock lock(mutex_);
  running_.erase(key);
  // Under the lock: whoever waits for the last one may take this object away.
  ended_.notify_all();
}

void McpStdio::cancel(const json& message) {
  const std::string key =
      dump_json(foreign::member(foreign::member(message, "params"), "requestId"));
  const MutexLock lock(mutex_);
  const auto found = running_.find(key);
  if (found == running_.end()) return;
  found->second.unwanted = true;
  if (found->second.turn != nullptr) found->second.turn->cancel.cancel();
}

void McpStdio::finish(const CancelToken& interrupted) {
  constexpr std::chrono::milliseconds kLook{50};
  const MutexLock lock(mutex_);
  while (!running_.empty()) {
    if (interrupted.cancelled())
      for (auto& [key, running] : running_)
        if (running.turn != nullptr) running.turn->cancel.cancel();
    ended_.wait_until(mutex_, std::chrono::steady_clock::now() + kLook);
  }
}

}  // namespace precedent
