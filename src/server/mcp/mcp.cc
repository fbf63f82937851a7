#include "server/mcp/mcp.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/utf8.h"
#include "server/mcp/prompts.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kInstructions =
    "Answers about incidents, runbooks, code and metrics of this company, each claim with its "
    "source. Call `ask` with a whole question; call the other tools to look something up yourself.";

json supported_versions() {
  json all = json::array({kMcpModern});
  for (const std::string_view version : kMcpLegacy) all.push_back(version);
  return all;
}

bool is_legacy(std::string_view version) {
  return std::ranges::find(kMcpLegacy, version) != kMcpLegacy.end();
}

McpAnswer refused(const json& id, const McpError& error) {
  return {error.status, mcp_error_body(id, error)};
}

McpError mismatch(std::string message) { return {kMcpHeaderMismatch, std::move(message), 400}; }

// What the headers say otherwise than the body; nothing if they agree.
std::optional<McpError> check_headers(const std::string& method, const json& params,
                                      const McpHeaders& headers) {
  if (headers.protocol_version.empty())
    return mismatch("the header MCP-Protocol-Version is missing");
  if (headers.method != method)
    return mismatch(fmt::format("Mcp-Method is '{}', the body says '{}'", headers.method, method));
  const auto name = mcp_name_of(method, params);
  if (name && decoded_header(headers.name) != *name)
    return mismatch(fmt::format("Mcp-Name is '{}', the body says '{}'",
                                utf8_prefix(headers.name, 200), utf8_prefix(*name, 200)));
  return std::nullopt;
}

// What is wrong with a message of the newer revision before anybody looks at what it asks; nothing
// if nothing is.
std::optional<McpError> check_envelope(const json& id, const std::string& method,
                                       const json& params, const McpHeaders* headers) {
  const json& meta = foreign::member(params, "_meta");
  const std::string version = foreign::string_at(meta, kMcpVersionKey);
  if (version.empty())
    return McpError{kMcpInvalidParams, fmt::format("'_meta' has no '{}'", kMcpVersionKey), 400};
  if (headers != nullptr && !headers->protocol_version.empty() &&
      headers->protocol_version != version)
    return mismatch(fmt::format("MCP-Protocol-Version is '{}', the body says '{}'",
                                headers->protocol_version, version));
  if (version != kMcpModern)
    return McpError{kMcpUnsupportedVersion,
                    fmt::format("the revision '{}' is not spoken here", version),
                    400,
                    {{"supported", supported_versions()}, {"requested", version}}};
  if (!foreign::member(meta, kMcpCapabilitiesKey).is_object())
    return McpError{kMcpInvalidParams, fmt::format("'_meta' has no '{}'", kMcpCapabilitiesKey),
                    400};
  if (headers == nullptr || id.is_null()) return std::nullopt;
  return check_headers(method, params, *headers);
}

// Results that a client may keep for a while.
bool is_kept(const std::string& method) {
  return method == "server/discover" || method.ends_with("/list") || method == "resources/read";
}

std::vector<const McpJob*> all_jobs(const McpJob& first, std::vector<const McpJob*> others) {
  others.insert(others.begin(), &first);
  return others;
}

}  // namespace

Mcp::Mcp(McpServices services)
    : services_(std::move(services)),
      ask_(services_),
      jobs_(all_jobs(ask_, services_.jobs)),
      tasks_(services_, jobs_),
      tools_(services_, jobs_, tasks_),
      resources_(services_) {}

json Mcp::info() const {
  return {{"name", "precedent"}, {"title", "precedent"}, {"version", services_.version}};
}

json Mcp::capabilities(bool modern) const {
  json all = {{"tools", json::object()}, {"prompts", json::object()}};
  if (resources_.offered()) all["resources"] = json::object();
  if (modern && tasks_.offered()) all["extensions"] = {{kMcpTasksExtension, json::object()}};
  return all;
}

McpResult<json> Mcp::result(const McpCall& call) const {
  const std::string& method = call.method;
  if (method == "tools/list") return tools_.list();
  if (method == "tools/call") return tools_.call(call);
  if (method == "prompts/list") return list_prompts(services_.more);
  if (method == "prompts/get") return get_prompt(call.params, services_.more);
  if (resources_.offered()) {
    if (method == "resources/list") return resources_.list(call);
    if (method == "resources/templates/list") return resources_.templates();
    if (method == "resources/read") return resources_.read(call);
  }
  if (call.modern && tasks_.offered() && method.starts_with("tasks/")) return of_tasks(call);
  if (call.modern && method == "server/discover")
    return json{{"supportedVersions", supported_versions()},
                {"capabilities", capabilities(true)},
                {"instructions", kInstructions}};
  if (!call.modern && method == "initialize") {
    const std::string asked = foreign::string_at(call.params, "protocolVersion");
    return json{{"protocolVersion", is_legacy(asked) ? asked : std::string(kMcpLegacy.front())},
                {"capabilities", capabilities(false)},
                {"serverInfo", info()},
                {"instructions", kInstructions}};
  }
  if (!call.modern && method == "ping") return json::object();
  return mcp_fail(kMcpMethodNotFound,
                  fmt::format("there is no method '{}'", utf8_prefix(method, 100)),
                  call.modern ? 404 : 200);
}

McpResult<json> Mcp::of_tasks(const McpCall& call) const {
  if (call.method == "tasks/get") return tasks_.get(call);
  if (call.method == "tasks/update") return tasks_.update(call);
  if (call.method == "tasks/cancel") return tasks_.cancel(call);
  return mcp_fail(kMcpMethodNotFound,
                  fmt::format("there is no method '{}'", utf8_prefix(call.method, 100)), 404);
}

McpAnswer Mcp::handle(std::string_view message, const McpHeaders* headers,
                      const CancelToken& cancel, McpPeer& peer) const {
  return handle_read(parse_json(message), headers, cancel, peer);
}

McpAnswer Mcp::handle_read(const json& message, const McpHeaders* headers,
                           const CancelToken& cancel, McpPeer& peer) const {
  if (message.is_discarded())
    return refused({}, {kMcpParseError, "the message is no JSON in UTF-8", 400});
  const std::string method = foreign::string_at(message, "method");
  if (foreign::string_at(message, "jsonrpc") != "2.0" || method.empty())
    return refused({}, {kMcpInvalidRequest, "the message is no request of JSON-RPC 2.0", 400});
  const json& id = foreign::member(message, "id");
  if (message.contains("id") && !id.is_string() && !id.is_number_integer())
    return refused({}, {kMcpInvalidRequest, "'id' must be a string or a whole number", 400});
  const json& params = foreign::member(message, "params");
  const bool claimed = !foreign::member(foreign::member(params, "_meta"), kMcpVersionKey).is_null();
  const bool by_header = headers != nullptr && headers->protocol_version == kMcpModern;
  const bool modern = claimed || by_header;
  if (modern) {
    if (const auto wrong = check_envelope(id, method, params, headers)) return refused(id, *wrong);
  } else if (headers != nullptr && !headers->protocol_version.empty() &&
             !is_legacy(headers->protocol_version)) {
    return refused(id,
                   {kMcpUnsupportedVersion,
                    fmt::format("the revision '{}' is not spoken here", headers->protocol_version),
                    400,
                    {{"supported", supported_versions()}}});
  }
  if (!message.contains("id")) return {202, {}};
  auto got = result({id, method, params, modern, cancel, peer});
  if (!got) return refused(id, got.error());
  if (modern) {
    // A minute: what is known changes with the next ingest.
    constexpr int kTtl = 60'000;
    if (!got->contains("resultType")) (*got)["resultType"] = "complete";
    (*got)["_meta"] = {{kMcpServerInfoKey, info()}};
    // What is visible may depend on who asks.
    if (is_kept(method)) got->update({{"ttlMs", kTtl}, {"cacheScope", "private"}});
  }
  return {200, {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(*got)}}};
}

}  // namespace precedent
