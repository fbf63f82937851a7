#include "mcp/mcp_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "net/url.h"

namespace precedent {
namespace {

using nlohmann::ordered_json;

constexpr auto kKeys =
    std::to_array<std::string_view>({"allow", "allowWrites", "args", "command", "cwd", "disabled",
                                     "env", "headers", "timeout", "type", "url"});
constexpr std::string_view kYamlKeys[] = {"config"};
// More would be offered more tools than any model can tell apart.
constexpr size_t kMaxServers = 32;
// The name begins the name of each tool.
constexpr size_t kMaxName = 24;
constexpr int kLeastSeconds = 1, kMostSeconds = 600;

// One server of the file, while it is read.
struct Reader {
  std::string where;  // "mcp.json: mcpServers.wiki"
  const std::string& folder;
  const McpEnvironment& environment;
  const ordered_json& entry;

  std::unexpected<Error> wrong(std::string_view key, std::string_view what) const {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}.{}: {}", where, key, what));
  }
  bool has(const char* key) const { return entry.contains(key); }

  // With what it takes from the environment.
  Result<std::string> expanded(std::string_view key, std::string_view text) const {
    std::string out;
    for (size_t at = 0;;) {
      const size_t begin = text.find("${", at);
      out += text.substr(at, begin - at);
      if (begin == std::string_view::npos) return out;
      const size_t end = text.find('}', begin);
      if (end == std::string_view::npos) return wrong(key, "'${' has no '}'");
      const std::string_view inside = text.substr(begin + 2, end - begin - 2);
      const size_t dash = inside.find(":-");
      const std::string name(inside.substr(0, dash));
      if (auto value = environment(name); value && !value->empty())
        out += *value;
      else if (dash != std::string_view::npos)
        out += inside.substr(dash + 2);
      else
        return wrong(key, fmt::format("the environment has no {}; set it", name));
      at = end + 1;
    }
  }

  Result<std::string> text(const char* key) const {
    if (!has(key)) return std::string();
    if (!entry[key].is_string()) return wrong(key, "is no text");
    return expanded(key, entry[key].get_ref<const std::string&>());
  }
  Result<std::vector<std::string>> texts(const char* key, bool expand) const {
    std::vector<std::string> out;
    if (!has(key)) return out;
    const ordered_json& value = entry[key];
    const ordered_json list = value.is_string() ? ordered_json::array({value}) : value;
    if (!list.is_array()) return wrong(key, "is no list of texts");
    for (const ordered_json& item : list) {
      if (!item.is_string()) return wrong(key, "is no list of texts");
      const auto& said = item.get_ref<const std::string&>();
      out.push_back(expand ? TRY(expanded(key, said)) : said);
    }
    return out;
  }
  Result<std::vector<std::pair<std::string, std::string>>> pairs(const char* key) const {
    std::vector<std::pair<std::string, std::string>> out;
    if (!has(key)) return out;
    if (!entry[key].is_object()) return wrong(key, "is no object of names and texts");
    for (const auto& [name, value] : entry[key].items()) {
      const std::string inner = fmt::format("{}.{}", key, name);
      if (!value.is_string()) return wrong(inner, "is no text");
      out.emplace_back(name, TRY(expanded(inner, value.template get_ref<const std::string&>())));
    }
    return out;
  }
  Result<bool> flag(const char* key) const {
    if (!has(key)) return false;
    if (!entry[key].is_boolean()) return wrong(key, "is neither true nor false");
    return entry[key].get<bool>();
  }

  Result<void> check_keys() const {
    if (!entry.is_object()) return fail(ErrorCode::kInvalidArgument, where + ": is no object");
    const std::vector<std::string> known(kKeys.begin(), kKeys.end());
    for (const auto& [key, value] : entry.items()) {
      if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
      const auto close = nearest(key, known);
      return wrong(key, close ? fmt::format("is unknown; did you mean {}?", *close)
                              : fmt::format("is unknown; the keys are {}", join(known, ", ")));
    }
    return {};
  }

  Result<void> read_place(McpServerConfig& server) const {
    server.command = TRY(text("command"));
    server.url = TRY(text("url"));
    if (server.command.empty() == server.url.empty())
      return wrong("command", "name either a command or a url");
    const std::string type = TRY(text("type"));
    if (type == "sse")
      return wrong("type", "the transport 'sse' of 2024 is not spoken; give it its streamable url");
    for (const char* key : {"args", "env", "cwd"})
      if (!server.url.empty() && has(key)) return wrong(key, "is for a command, and this is a url");
    if (server.url.empty() && has("headers"))
      return wrong("headers", "is for a url, and this is a command");
    server.args = TRY(texts("args", true));
    for (auto& [name, value] : TRY(pairs("env"))) server.env.insert_or_assign(name, value);
    server.cwd = TRY(text("cwd"));
    if (!server.cwd.empty()) server.cwd = std::filesystem::path(folder) / server.cwd;
    if (!server.url.empty())
      if (const auto url = parse_url(server.url); !url) return wrong("url", url.error().message);
    for (auto& [name, value] : TRY(pairs("headers"))) server.headers.push_back({name, value});
    return {};
  }

  Result<McpServerConfig> read(std::string name) const {
    TRY(check_keys());
    McpServerConfig server;
    server.name = std::move(name);
    const bool named = std::ranges::all_of(
        server.name, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
    if (server.name.empty() || server.name.size() > kMaxName || !named) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: a server's name has 1 to {} letters, digits, '-' and '_'", where,
                              kMaxName));
    }
    TRY(read_place(server));
    server.allow = TRY(texts("allow", false));
    server.allow_writes = TRY(flag("allowWrites"));
    if (has("timeout")) {
      const ordered_json& said = entry["timeout"];
      const double seconds = said.is_number() ? said.get<double>() : 0;
      if (!(seconds >= kLeastSeconds && seconds <= kMostSeconds)) {
        return wrong("timeout", fmt::format("is no number of seconds from {} to {}", kLeastSeconds,
                                            kMostSeconds));
      }
      server.timeout = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    }
    return server;
  }
};

}  // namespace

bool McpServerConfig::allows(std::string_view tool) const {
  return std::ranges::any_of(
      allow, [&](const std::string& allowed) { return allowed == "*" || allowed == tool; });
}

Result<std::vector<McpServerConfig>> read_mcp_config(std::string_view text, std::string_view path,
                                                     const McpEnvironment& environment,
                                                     ConfigProblems* all) {
  std::vector<McpServerConfig> servers;
  if (trim(text).empty()) return servers;
  const auto problem = [&](Error error) -> Result<void> {
    if (all == nullptr) return std::unexpected(std::move(error));
    all->push_back(std::move(error));
    return {};
  };
  const ordered_json file = parse_ordered_json(text);
  const auto list = file.is_object() ? file.find("mcpServers") : file.end();
  if (!file.is_object() || list == file.end() || !list->is_object()) {
    TRY(problem({ErrorCode::kInvalidArgument,
                 fmt::format("{}: is no JSON object with 'mcpServers'", path)}));
    return servers;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  for (const auto& [name, entry] : list->items()) {
    const Reader reader{fmt::format("{}: mcpServers.{}", path, name), folder, environment, entry};
    if (servers.size() == kMaxServers) {
      TRY(problem({ErrorCode::kInvalidArgument,
                   fmt::format("{}: more than {} servers", path, kMaxServers)}));
      break;
    }
    if (entry.is_object() && entry.value("disabled", ordered_json()) == true) continue;
    auto server = reader.read(name);
    if (server)
      servers.push_back(std::move(*server));
    else
      TRY(problem(std::move(server).error()));
  }
  return servers;
}

Result<std::string> read_mcp_path(std::string_view yaml, std::string_view path,
                                  ConfigProblems* all) {
  const ConfigSection root(TRY(parse_yaml(yaml, path)), path, "", all);
  std::string said;
  if (!root.has("mcp")) return said;
  const ConfigSection section = root.section("mcp");
  TRY(section.check(kYamlKeys));
  TRY(section.read("config", said));
  if (said.empty()) return said;
  return (std::filesystem::path(path).parent_path() / said).string();
}

}  // namespace precedent
