#include "mcp/remote_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/helpers.h"
#include "base/strings.h"
#include "mcp/http_transport.h"
#include "mcp/remote_tool.h"
#include "mcp/stdio_transport.h"

namespace precedent {
namespace {

// What programs need to run at all.
constexpr auto kPassedOn = std::to_array<std::string_view>(
    {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "SSL_CERT_DIR",
     "SSL_CERT_FILE", "TERM", "TMPDIR", "TZ", "USER"});
// Also the most that helps: each mostly waits.
constexpr size_t kMaxAtOnce = 8;
// More than this a model cannot tell apart.
constexpr size_t kMaxTools = 128;
constexpr size_t kMaxWarnings = 10;

std::string some_names(const std::vector<OfferedTool>& tools) {
  constexpr size_t kShown = 10;
  std::vector<std::string> names;
  for (const OfferedTool& tool : tools)
    if (names.size() < kShown) names.push_back(tool.name);
  return names.empty() ? "none" : join(names, ", ") + (tools.size() > kShown ? ", …" : "");
}

}  // namespace

std::map<std::string, std::string> child_environment(
    const McpEnvironment& environment, const std::map<std::string, std::string>& own) {
  std::map<std::string, std::string> all;
  for (const std::string_view name : kPassedOn)
    if (auto value = environment(std::string(name))) all.emplace(name, std::move(*value));
  for (const auto& [name, value] : own) all.insert_or_assign(name, value);
  all.insert_or_assign(std::string(kStartedByMcp), "1");
  return all;
}

RemoteServers::RemoteServers(std::vector<McpServerConfig> configs, HttpClient& http,
                             const McpEnvironment& environment) {
  for (McpServerConfig& config : configs) {
    std::unique_ptr<McpTransport> transport;
    if (!config.url.empty()) {
      transport = std::make_unique<HttpTransport>(http, config.url, config.headers);
    } else {
      transport = std::make_unique<StdioTransport>(
          StdioCommand{.command = config.command,
                       .args = config.args,
                       .env = child_environment(environment, config.env),
                       .cwd = config.cwd});
    }
    auto client = std::make_shared<McpClient>(config.name, std::move(transport));
    servers_.push_back({std::move(config), std::move(client)});
  }
}

RemoteServers::RemoteServers(std::vector<McpServerConfig> configs,
                             std::vector<std::unique_ptr<McpTransport>> transports) {
  for (size_t i = 0; i < configs.size(); ++i) {
    auto client = std::make_shared<McpClient>(configs[i].name, std::move(transports[i]));
    servers_.push_back({std::move(configs[i]), std::move(client)});
  }
}

RemoteServers::Offer RemoteServers::ask(const Server& server, const McpWait& wait) {
  const McpServerConfig& config = server.config;
  Offer offer;
  offer.report.server = config.name;
  std::vector<std::string>& warnings = offer.report.warnings;
  const auto warn = [&](std::string_view what) {
    if (warnings.size() < kMaxWarnings)
      warnings.push_back(fmt::format("MCP server '{}': {}", config.name, what));
  };
  if (config.allow.empty()) {
    warn("none of its tools may be called; name them in its 'allow'");
    return offer;
  }
  auto offered = server.client->list_tools(
      {wait.cancel, std::min(wait.deadline, std::chrono::steady_clock::now() + config.timeout)});
  if (!offered) {
    warnings.push_back(offered.error().text() + "; its tools are not there");
    return offer;
  }
  offer.report.revision = offered->revision;
  offer.report.offered = offered->tools.size();
  for (const std::string& problem : offered->problems) warn(problem);
  for (const std::string& allowed : config.allow) {
    const bool there =
        allowed == "*" ||
        std::ranges::find(offered->tools, allowed, &OfferedTool::name) != offered->tools.end();
    if (!there)
      warn(fmt::format("'allow' names '{}', which it does not offer; it offers {}", allowed,
                       some_names(offered->tools)));
  }
  std::vector<std::string> writers;
  for (OfferedTool& tool : offered->tools) {
    if (!config.allows(tool.name)) continue;
    const std::string name = tool.name;
    if (!tool.read_only && !config.allow_writes) {
      writers.push_back(name);
      continue;
    }
    auto made = RemoteTool::make(server.client, std::move(tool), config.timeout);
    if (made)
      offer.tools.push_back(std::move(*made));
    else
      warn(fmt::format("'{}' is left out: {}", name, made.error().message));
  }
  if (!writers.empty())
    warn(fmt::format("left out, as they may write: {}; \"allowWrites\": true lets them in",
                     foreign_words(join(writers, ", "))));
  return offer;
}

std::vector<RemoteServers::Report> RemoteServers::load(Toolset& tools,
                                                       std::chrono::milliseconds patience,
                                                       const CancelToken& cancel) {
  const McpWait wait{cancel, std::chrono::steady_clock::now() + patience};
  std::vector<Offer> offers(servers_.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < servers_.size(); i = next++) offers[i] = ask(servers_[i], wait);
  };
  {
    const auto helpers = start_helpers(
        std::min(servers_.size() - std::min<size_t>(servers_.size(), 1), kMaxAtOnce - 1), work);
    work();
  }
  std::vector<Report> reports;
  size_t count = 0;
  for (Offer& offer : offers) {
    for (auto& tool : offer.tools) {
      if (count == kMaxTools || tools.find(tool->spec().name)) {
        offer.report.warnings.push_back(fmt::format(
            "MCP server '{}': '{}' is left out: {}", offer.report.server, tool->spec().name,
            count == kMaxTools
                ? fmt::format("there are more than {} tools of other servers", kMaxTools)
                : "another tool has this name"));
        continue;
      }
      ++count;
      ++offer.report.allowed;
      tools.add(std::move(tool));
    }
    reports.push_back(std::move(offer.report));
  }
  return reports;
}

}  // namespace precedent
