// The MCP servers that are configured, opened for one command: the tools of theirs that may be
// called, beside our own.
//
// The file is --mcp-config, else what `mcp.config` of precedent.yaml names, else mcp.json in the
// data directory. It names commands to run, so nothing is looked for below the working directory.
// Nothing is started or asked before add_tools(). A precedent that a client of this kind started
// has no servers of its own: else it could start itself for ever. Thread safety: one thread.
// Ownership: owns the HTTP client that the tools use, and outlives them.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "cli/config/config_file.h"
#include "mcp/remote_servers.h"
#include "net/curl_http_client.h"

namespace precedent {

// `precedent`: precedent.yaml, as it was found.
// Errors: kInvalidArgument for a file that cannot be read, kPermission for one that anybody may
// write.
Result<ConfigFile> find_mcp_config(const std::string& named, const std::filesystem::path& data_dir,
                                   const ConfigFile& precedent);

class McpServers {
 public:
  // `only_for`: the name of one tool; the servers that cannot have it are left out. "": all.
  // Errors: those of find_mcp_config and read_mcp_config.
  static Result<std::unique_ptr<McpServers>> open(const std::string& named,
                                                  const std::filesystem::path& data_dir,
                                                  const ConfigFile& precedent,
                                                  std::string_view only_for = {});

  // Asks all servers, at most for kMcpPatience; what the operator should know is in the reports.
  std::vector<RemoteServers::Report> add_tools(Toolset& tools, const CancelToken& cancel);

 private:
  McpServers() = default;

  CurlHttpClient http_;
  std::unique_ptr<RemoteServers> servers_;  // null: none
};

// A server that has to be downloaded first takes longer; it is there at the next start.
inline constexpr std::chrono::seconds kMcpPatience{10};

// All of them, in order.
std::vector<std::string> warnings_of(const std::vector<RemoteServers::Report>& reports);

}  // namespace precedent
