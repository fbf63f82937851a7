#include "cli/config/mcp_servers.h"

#include <fmt/format.h>

#include "files/files.h"
#include "llm/model_config.h"
#include "mcp/remote_tool.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxConfigBytes = 1 << 20;

}  // namespace

Result<ConfigFile> find_mcp_config(const std::string& named, const fs::path& data_dir,
                                   const ConfigFile& precedent) {
  fs::path path = named;
  if (path.empty()) path = TRY(read_mcp_path(precedent.text, precedent.path));
  if (path.empty()) {
    std::error_code ignored;
    path = data_dir / "mcp.json";
    if (fs::status(path, ignored).type() == fs::file_type::not_found) return ConfigFile{};
  }
  std::error_code error;
  // Its commands are run, so nobody else may write it.
  if ((fs::status(path, error).permissions() & fs::perms::others_write) != fs::perms::none &&
      !error) {
    return fail(ErrorCode::kPermission,
                fmt::format("{}: anybody may write it, and it names commands to run; take that "
                            "right away (chmod o-w)",
                            path.string()));
  }
  auto text = read_file(path, kMaxConfigBytes);
  if (!text) return fail(ErrorCode::kInvalidArgument, text.error().text());
  return ConfigFile{path.string(), std::move(*text)};
}

Result<std::unique_ptr<McpServers>> McpServers::open(const std::string& named,
                                                     const fs::path& data_dir,
                                                     const ConfigFile& precedent,
                                                     std::string_view only_for) {
  std::unique_ptr<McpServers> opened(new McpServers());
  if (system_environment(std::string(kStartedByMcp))) return opened;
  const ConfigFile file = TRY(find_mcp_config(named, data_dir, precedent));
  auto configs = TRY(read_mcp_config(file.text, file.path, system_environment));
  std::erase_if(configs, [&](const McpServerConfig& config) {
    return !only_for.empty() && !only_for.starts_with(remote_name(config.name, ""));
  });
  if (!configs.empty())
    opened->servers_ =
        std::make_unique<RemoteServers>(std::move(configs), opened->http_, system_environment);
  return opened;
}

std::vector<RemoteServers::Report> McpServers::add_tools(Toolset& tools,
                                                         const CancelToken& cancel) {
  if (servers_ == nullptr) return {};
  return servers_->load(tools, kMcpPatience, cancel);
}

std::vector<std::string> warnings_of(const std::vector<RemoteServers::Report>& reports) {
  std::vector<std::string> all;
  for (const RemoteServers::Report& report : reports)
    all.insert(all.end(), report.warnings.begin(), report.warnings.end());
  return all;
}

}  // namespace precedent
