// McpTransport over a child process (stdio_process.h): started on first need, started anew after it
// died, the sooner the more it served before.
//
// Ownership: owns the process. Thread safety: all members.
#pragma once

#include <memory>

#include "base/mutex.h"
#include "mcp/stdio_process.h"

namespace precedent {

class StdioTransport final : public McpTransport {
 public:
  using Now = std::chrono::steady_clock::time_point (*)();
  explicit StdioTransport(StdioCommand command, Now now = &std::chrono::steady_clock::now)
      : command_(std::move(command)), now_(now) {}

  // Errors: kUnavailable with why it died, while the next start has to wait.
  Result<McpConnection> open(const McpWait& wait) override;
  Result<nlohmann::json> exchange(const McpMessage& message, McpConnection connection,
                                  const McpWait& wait) override;
  Result<void> notify(const McpMessage& message, McpConnection connection,
                      const McpWait& wait) override;

 private:
  Result<std::shared_ptr<StdioProcess>> process_of(McpConnection connection);

  const StdioCommand command_;
  const Now now_;
  Mutex mutex_;
  std::shared_ptr<StdioProcess> process_ GUARDED_BY(mutex_);  // null: never started
  McpConnection connection_ GUARDED_BY(mutex_) = 0;
  size_t failures_ GUARDED_BY(mutex_) = 0;  // starts since it last served
  std::chrono::steady_clock::time_point started_ GUARDED_BY(mutex_);
};

}  // namespace precedent
