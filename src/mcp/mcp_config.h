// mcp.json: which MCP servers there are, in the shape that other clients share, and which of their
// tools may be called.
//
//   {"mcpServers": {"tickets": {"command": "tickets-mcp", "args": ["--read-only"],
//                               "env": {"TICKETS_TOKEN": "${TICKETS_TOKEN}"},
//                               "allow": ["search", "get_ticket"], "timeout": 20},
//                   "wiki": {"url": "https://wiki.example/mcp", "headers": {…}, "allow": "*"}}}
//
// docs/mcp-servers.md explains each key. `${NAME}` is the environment's, `${NAME:-otherwise}` may
// be missing. Thread safety: pure functions.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "base/error.h"
#include "net/http_client.h"

namespace precedent {

struct McpServerConfig {
  std::string name;
  // A child process …
  std::string command;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::string cwd;
  // … or an address.
  std::string url;
  std::vector<HttpHeader> headers;

  std::vector<std::string> allow;  // the server's own names; "*" is all
  bool allow_writes = false;       // also what does not claim to be read-only
  std::chrono::milliseconds timeout{30'000};

  bool allows(std::string_view tool) const;
};

using McpEnvironment = std::function<std::optional<std::string>(const std::string& name)>;

// In the order of the file; those with `"disabled": true` are left out. "" is a file without any.
// Errors: kInvalidArgument naming file, server and key; with `all`, each goes there instead, and
// the server is left out.
Result<std::vector<McpServerConfig>> read_mcp_config(std::string_view text, std::string_view path,
                                                     const McpEnvironment& environment,
                                                     ConfigProblems* all = nullptr);

// `mcp.config` of precedent.yaml: the path of the file, from the folder of `path`; "" if it is not
// named. Errors: kInvalidArgument naming file, line and key.
Result<std::string> read_mcp_path(std::string_view yaml, std::string_view path,
                                  ConfigProblems* all = nullptr);

}  // namespace precedent
