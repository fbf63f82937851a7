#include "server/mcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "server/chats.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kModern = "2026-07-28";
constexpr std::array<std::string_view, 3> kLegacy = {"2025-11-25", "2025-06-18", "2025-03-26"};
constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServerInfoKey = "io.modelcontextprotocol/serverInfo";
constexpr std::string_view kAsk = "ask";
constexpr std::string_view kInstructions =
    "Answers about incidents, runbooks, code and metrics of this company, each claim with its "
    "source. Call `ask` with a whole question; call the other tools to look something up yourself.";

// 25,000 tokens of four bytes: what clients take at most.
constexpr size_t kMaxText = 100'000;

enum Code {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kHeaderMismatch = -32020,
  kUnsupportedVersion = -32022,
};

json error_body(const json& id, int code, std::string_view message, json data = {}) {
  json error = {{"code", code}, {"message", redact(message)}};
  if (!data.is_null()) error["data"] = std::move(data);
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

McpAnswer refuse(const json& id, int code, std::string_view message, int status = 400,
                 json data = {}) {
  return {status, error_body(id, code, message, std::move(data))};
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

json supported_versions() {
  json all = json::array({kModern});
  for (const std::string_view version : kLegacy) all.push_back(version);
  return all;
}

bool is_legacy(std::string_view version) {
  return std::ranges::find(kLegacy, version) != kLegacy.end();
}

// What is wrong with a message of the newer revision before anybody looks at what it asks; nothing
// if nothing is.
std::optional<McpAnswer> check_envelope(const json& id, const std::string& method,
                                        const json& params, const McpHeaders* headers) {
  const json meta = params.is_object() ? params.value("_meta", json()) : json();
  const std::string version = text_at(meta, kVersionKey);
  if (version.empty())
    return refuse(id, kInvalidParams, fmt::format("'_meta' has no '{}'", kVersionKey));
  if (headers != nullptr && !headers->protocol_version.empty() &&
      headers->protocol_version != version)
    return refuse(id, kHeaderMismatch,
                  fmt::format("MCP-Protocol-Version is '{}', the body says '{}'",
                              headers->protocol_version, version));
  if (version != kModern)
    return refuse(id, kUnsupportedVersion,
                  fmt::format("the revision '{}' is not spoken here", version), 400,
                  {{"supported", supported_versions()}, {"requested", version}});
  if (!meta.contains(kCapabilitiesKey) || !meta[kCapabilitiesKey].is_object())
    return refuse(id, kInvalidParams, fmt::format("'_meta' has no '{}'", kCapabilitiesKey));
  if (headers == nullptr || id.is_null()) return std::nullopt;
  if (headers->protocol_version.empty())
    return refuse(id, kHeaderMismatch, "the header MCP-Protocol-Version is missing");
  if (headers->method != method)
    return refuse(id, kHeaderMismatch,
                  fmt::format("Mcp-Method is '{}', the body says '{}'", headers->method, method));
  if (method == "tools/call" && headers->name != text_at(params, "name"))
    return refuse(id, kHeaderMismatch,
                  fmt::format("Mcp-Name is '{}', the body says '{}'", headers->name,
                              text_at(params, "name")));
  return std::nullopt;
}

std::string bounded(const std::string& text) {
  if (text.size() <= kMaxText) return text;
  const std::string_view kept = utf8_prefix(text, kMaxText);
  return fmt::format("{}\n\n[{} of {} bytes are left out; ask for less]", kept,
                     text.size() - kept.size(), text.size());
}

json tool_result(const std::string& text, json structured, bool failed) {
  return {{"content", json::array({{{"type", "text"}, {"text", bounded(text)}}})},
          {"structuredContent", std::move(structured)},
          {"isError", failed}};
}

json annotations(bool again) {
  return {{"readOnlyHint", true},
          {"destructiveHint", false},
          {"idempotentHint", again},
          {"openWorldHint", false}};
}

json string_schema(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}

json ask_tool() {
  return {{"name", kAsk},
          {"title", "Ask precedent"},
          {"description",
           "Answer a question about incidents, runbooks, architecture, code, changes, alerts or "
           "metrics, with the sources of each claim. What cannot be found is said."},
          {"inputSchema",
           {{"type", "object"},
            {"required", {"question"}},
            {"additionalProperties", false},
            {"properties",
             {{"question", string_schema("The question, with whatever belongs to it")},
              {"chat_id", string_schema("Go on with this conversation")}}}}},
          {"outputSchema",
           {{"type", "object"},
            {"required", {"status", "answer", "sources", "missing"}},
            {"properties",
             {{"status", string_schema("ok, partial, needs_input, refused or error")},
              {"answer", string_schema("Markdown")},
              {"chat_id", {{"type", {"string", "null"}}}},
              {"sources", {{"type", "array"}, {"items", {{"type", "object"}}}}},
              {"missing", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}}},
          {"annotations", annotations(false)}};
}

json output_schema() {
  return {{"type", "object"},
          {"required", {"tool", "status", "at"}},
          {"properties",
           {{"tool", {{"type", "string"}}},
            {"status", string_schema("ok, empty or error")},
            {"at", string_schema("When it was called")}}}};
}

}  // namespace

json Mcp::list_tools() const {
  json tools = json::array({ask_tool()});
  for (const auto& tool : services_.tools.all()) {
    const ToolSpec& spec = tool->spec();
    tools.push_back({{"name", spec.name},
                     {"description", spec.description},
                     {"inputSchema", json_schema(spec.params)},
                     {"outputSchema", output_schema()},
                     {"annotations", annotations(true)}});
  }
  return {{"tools", std::move(tools)}};
}

json Mcp::ask(const json& args, const CancelToken& cancel) const {
  const auto failed = [](const std::string& text) {
    return tool_result(text,
                       {{"status", "error"},
                        {"answer", text},
                        {"sources", json::array()},
                        {"missing", json::array({text})}},
                       true);
  };
  const std::string question = text_at(args, "question");
  if (trim(question).empty()) return failed("'question' is missing or blank; ask something");
  AskOptions options;
  options.thread = text_at(args, "chat_id");
  if (!options.thread.empty() && !is_chat_id(options.thread))
    return failed("'chat_id' is no id of a conversation");
  if (options.thread.empty()) options.thread = new_chat_id();
  NullSink events;
  const Reply reply =
      services_.answerer.ask({question, {}}, options, services_.clock, events, cancel);
  const json whole = to_json(reply);
  return tool_result(reply.text,
                     {{"status", whole["status"]},
                      {"answer", bounded(reply.text)},
                      {"chat_id", whole["thread_id"]},
                      {"sources", whole["sources"]},
                      {"missing", whole["missing"]}},
                     reply.status == AnswerStatus::kError);
}

std::optional<json> Mcp::call_tool(const json& params, const CancelToken& cancel) const {
  const std::string name = text_at(params, "name");
  json args = params.is_object() ? params.value("arguments", json()) : json();
  if (args.is_null()) args = json::object();
  if (name == kAsk) return ask(args, cancel);
  const auto tool = services_.tools.find(name);
  if (!tool) return std::nullopt;
  const Receipt receipt = services_.call_tool(**tool, args, cancel);
  return tool_result(receipt.text,
                     {{"tool", receipt.tool},
                      {"status", precedent::name(receipt.status)},
                      {"at", format_time(receipt.at)}},
                     receipt.status == ReceiptStatus::kError);
}

McpAnswer Mcp::answer(const Call& call) const {
  const json info = {{"name", "precedent"}, {"title", "precedent"}, {"version", services_.version}};
  const json capabilities = {{"tools", json::object()}};
  const auto done = [&](json result, bool kept = false) {
    if (call.modern) {
      constexpr int kTtl = 60'000;
      result["resultType"] = "complete";
      result["_meta"] = {{kServerInfoKey, info}};
      // What is visible may depend on who asks.
      if (kept) result.update({{"ttlMs", kTtl}, {"cacheScope", "private"}});
    }
    return McpAnswer{200, {{"jsonrpc", "2.0"}, {"id", call.id}, {"result", std::move(result)}}};
  };
  if (call.method == "tools/list") return done(list_tools(), true);
  if (call.method == "tools/call") {
    auto result = call_tool(call.params, call.cancel);
    if (!result)
      return refuse(call.id, kInvalidParams,
                    fmt::format("there is no tool '{}'", text_at(call.params, "name")), 200);
    return done(std::move(*result));
  }
  if (call.modern && call.method == "server/discover")
    return done({{"supportedVersions", supported_versions()},
                 {"capabilities", capabilities},
                 {"instructions", kInstructions}},
                true);
  if (!call.modern && call.method == "initialize") {
    const std::string asked = text_at(call.params, "protocolVersion");
    return done({{"protocolVersion", is_legacy(asked) ? asked : std::string(kLegacy.front())},
                 {"capabilities", capabilities},
                 {"serverInfo", info},
                 {"instructions", kInstructions}});
  }
  if (!call.modern && call.method == "ping") return done(json::object());
  return refuse(call.id, kMethodNotFound,
                fmt::format("there is no method '{}'", utf8_prefix(call.method, 100)),
                call.modern ? 404 : 200);
}

McpAnswer Mcp::handle(std::string_view message, const McpHeaders* headers,
                      const CancelToken& cancel) const {
  const json body = parse_json(message);
  if (body.is_discarded()) return refuse({}, kParseError, "the message is no JSON in UTF-8");
  if (!body.is_object() || text_at(body, "jsonrpc") != "2.0" || text_at(body, "method").empty())
    return refuse({}, kInvalidRequest, "the message is no request of JSON-RPC 2.0");
  const json id = body.value("id", json());
  if (!id.is_null() && !id.is_string() && !id.is_number_integer())
    return refuse({}, kInvalidRequest, "'id' must be a string or a whole number");
  const json params = body.value("params", json());
  const std::string method = text_at(body, "method");
  const json meta = params.is_object() ? params.value("_meta", json()) : json();
  const bool claimed = meta.is_object() && meta.contains(kVersionKey);
  const bool by_header = headers != nullptr && headers->protocol_version == kModern;
  const bool modern = claimed || by_header;
  if (modern) {
    if (auto wrong = check_envelope(id, method, params, headers)) return std::move(*wrong);
  } else if (headers != nullptr && !headers->protocol_version.empty() &&
             !is_legacy(headers->protocol_version)) {
    return refuse(id, kUnsupportedVersion,
                  fmt::format("the revision '{}' is not spoken here", headers->protocol_version),
                  400, {{"supported", supported_versions()}});
  }
  if (!body.contains("id")) return {202, {}};
  return answer({id, method, params, modern, cancel});
}

}  // namespace precedent
