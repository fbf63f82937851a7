#include "mcp/stdio_transport.h"

#include <fmt/format.h>

#include <algorithm>

namespace precedent {
namespace {

using nlohmann::json;

// After a death it is started at once, then a second later, two, four …
constexpr std::chrono::seconds kMaxRest{60};
constexpr size_t kMaxDoublings = 6;

std::chrono::seconds rest_after(size_t failures) {
  if (failures < 2) return std::chrono::seconds(0);
  return std::min(kMaxRest,
                  std::chrono::seconds(int64_t{1} << std::min(failures - 2, kMaxDoublings)));
}

}  // namespace

Result<McpConnection> StdioTransport::open(const McpWait& wait) {
  TRY(wait.cancel.check());
  const MutexLock lock(mutex_);
  if (process_ != nullptr && process_->alive()) return connection_;
  const auto next = started_ + rest_after(failures_);
  if (failures_ > 0 && now_() < next) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(next - now_());
    return fail(ErrorCode::kUnavailable,
                fmt::format("{}; it is started again in {} s at the earliest",
                            process_ == nullptr ? "it could not be started" : process_->obituary(),
                            left.count()));
  }
  ++failures_;
  started_ = now_();
  process_ = TRY(StdioProcess::start(command_));
  return ++connection_;
}

Result<std::shared_ptr<StdioProcess>> StdioTransport::process_of(McpConnection connection) {
  const MutexLock lock(mutex_);
  if (process_ == nullptr || connection != connection_)
    return fail(ErrorCode::kUnavailable, "it ended");
  return process_;
}

Result<json> StdioTransport::exchange(const McpMessage& message, McpConnection connection,
                                      const McpWait& wait) {
  const auto process = TRY(process_of(connection));
  auto response = process->exchange(to_line(message), message.id, wait);
  // Only who answers a real question has served; a discovery is answered by anything.
  if (response && message.method.starts_with("tools/")) {
    const MutexLock lock(mutex_);
    if (connection == connection_) failures_ = 0;
  }
  return response;
}

Result<void> StdioTransport::notify(const McpMessage& message, McpConnection connection,
                                    const McpWait& /*wait*/) {
  return TRY(process_of(connection))->send(to_line(message));
}

}  // namespace precedent
