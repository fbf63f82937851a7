// McpClient: one server of the Model Context Protocol, asked for its tools and to run them.
//
// The newer revision is tried first (`server/discover`); a server that does not know it is asked
// with `initialize`. That happens on first need, and again when the connection is a new one. A call
// is never made twice, except where the server said that it did not even look at it (its session
// had ended). Errors name the server. Thread safety: all members. Ownership: owns its transport.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "mcp/mcp_transport.h"

namespace precedent {

struct OfferedTools {
  std::string revision;  // of the protocol, as agreed
  std::vector<OfferedTool> tools;
  std::vector<std::string> problems;  // what is odd about the list, a sentence each
};

class McpClient {
 public:
  McpClient(std::string name, std::unique_ptr<McpTransport> transport)
      : name_(std::move(name)), transport_(std::move(transport)) {}

  const std::string& name() const { return name_; }
  // All pages.
  Result<OfferedTools> list_tools(const McpWait& wait);
  // Errors, beside those of the transport: kInvalidArgument with the server's words where it
  // refused the call.
  Result<CallOutcome> call(const OfferedTool& tool, const nlohmann::json& args,
                           const McpWait& wait);

 private:
  struct Agreed {
    McpConnection connection = 0;
    std::string revision;
  };
  Result<Agreed> agree(const McpWait& wait);
  Result<std::string> ask_revision(McpConnection& connection, const McpWait& wait);
  Result<std::string> initialize(McpConnection connection, const McpWait& wait);
  Result<nlohmann::json> request(McpMessage message, const McpWait& wait);
  std::unexpected<Error> named(Error error) const;

  std::string name_;
  std::unique_ptr<McpTransport> transport_;
  std::atomic<int64_t> last_id_{0};
  Mutex mutex_;
  Agreed agreed_ GUARDED_BY(mutex_);
};

}  // namespace precedent
