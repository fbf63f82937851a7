// RemoteServers: all MCP servers that are configured, and the tools of theirs that may be called.
//
// Which tools there are is asked once, of all servers at the same time and within a short deadline;
// a server that cannot be reached, or lists what cannot be, is a warning and costs nothing else.
// Thread safety: after load(), all members. Ownership: owns the clients, which its tools share; the
// HTTP client is borrowed and outlives both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "mcp/mcp_client.h"
#include "mcp/mcp_config.h"
#include "tools/tool.h"

namespace precedent {

// What a child process gets beside what is configured for it: where programs and homes are, and no
// secret of ours. kStartedByMcp tells a precedent who started it.
inline constexpr std::string_view kStartedByMcp = "PRECEDENT_STARTED_BY_MCP";
std::map<std::string, std::string> child_environment(const McpEnvironment& environment,
                                                     const std::map<std::string, std::string>& own);

class RemoteServers {
 public:
  // `environment`: ours.
  RemoteServers(std::vector<McpServerConfig> configs, HttpClient& http,
                const McpEnvironment& environment);
  // With the transports of a test, one a server.
  RemoteServers(std::vector<McpServerConfig> configs,
                std::vector<std::unique_ptr<McpTransport>> transports);

  struct Report {
    std::string server;
    std::string revision;               // "": it could not be asked
    size_t offered = 0, allowed = 0;    // tools
    std::vector<std::string> warnings;  // naming the server
  };
  // At most `patience` in all, and a server's own timeout. Each server once.
  std::vector<Report> load(Toolset& tools, std::chrono::milliseconds patience,
                           const CancelToken& cancel);

 private:
  struct Server {
    McpServerConfig config;
    std::shared_ptr<McpClient> client;
  };
  struct Offer {
    Report report;
    std::vector<std::unique_ptr<Tool>> tools;
  };
  static Offer ask(const Server& server, const McpWait& wait);

  std::vector<Server> servers_;
};

}  // namespace precedent
