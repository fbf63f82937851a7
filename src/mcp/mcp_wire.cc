#include "mcp/mcp_wire.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxNameBytes = 128;
// A page of any real server has some dozens.
constexpr size_t kMaxToolsPerPage = 500;
// Schemas that are larger would be most of what a model reads.
constexpr size_t kMaxSchemaBytes = 64 * 1024;
constexpr size_t kMaxDescriptionBytes = 8 * 1024;
constexpr size_t kMaxProblems = 20;
constexpr size_t kMaxParts = 200;
constexpr size_t kMaxCursorBytes = 4096;
constexpr std::string_view kMetaPrefix = "io.modelcontextprotocol/";

bool flag_at(const json& object, const char* key) {
  if (!object.is_object()) return false;
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

// What servers may call their tools; anything else could not be said in a header.
bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, [](char c) {
    return is_alnum(c) || std::string_view("_-./: ").find(c) != std::string_view::npos;
  });
}

std::unexpected<Error> no_such(std::string_view what) {
  return fail(ErrorCode::kCorrupt, fmt::format("what it said is no {}", what));
}

size_t decoded_bytes(const json& part, const char* key) {
  const auto found = part.find(key);
  return found != part.end() && found->is_string()
             ? found->get_ref<const std::string&>().size() / 4 * 3
             : 0;
}

std::string left_out_blob(std::string_view what, const json& part, const char* key) {
  return fmt::format("{} ({}, {} bytes)", what,
                     foreign_words(foreign::string_at(part, "mimeType"), 60),
                     decoded_bytes(part, key));
}

void add_part(const json& part, CallOutcome& outcome) {
  const std::string type = foreign::string_at(part, "type");
  const auto add_text = [&](const std::string& text) {
    if (!outcome.text.empty() && !text.empty()) outcome.text += '\n';
    outcome.text += text;
  };
  if (type == "text") return add_text(foreign::string_at(part, "text"));
  if (type == "image" || type == "audio") {
    outcome.left_out.push_back(left_out_blob(type, part, "data"));
    return;
  }
  if (type == "resource_link") {
    outcome.left_out.push_back(
        fmt::format("link to {}", foreign_words(foreign::string_at(part, "uri"))));
    return;
  }
  const json resource = type == "resource" ? part.value("resource", json()) : json();
  if (const std::string text = foreign::string_at(resource, "text"); !text.empty())
    return add_text(text);
  if (resource.is_object()) {
    outcome.left_out.push_back(left_out_blob(
        fmt::format("resource {}", foreign_words(foreign::string_at(resource, "uri"))), resource,
        "blob"));
    return;
  }
  outcome.left_out.push_back(fmt::format("a part of type '{}'", foreign_words(type, 60)));
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    for (size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) out += k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

// As SEP-2243 has it: what is no plain visible ASCII travels in base64.
std::string header_value(const std::string& value) {
  const bool plain = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; }) &&
                     trim(value) == value && !value.starts_with("=?base64?");
  return plain ? value : fmt::format("=?base64?{}?=", base64(value));
}

}  // namespace

std::string to_line(const McpMessage& message) {
  json body = {{"jsonrpc", "2.0"}, {"method", message.method}, {"params", message.params}};
  if (message.id != 0) body["id"] = message.id;
  if (message.is_stateless()) {
    json& meta = body["params"]["_meta"];
    meta[std::string(kMetaPrefix) + "protocolVersion"] = message.revision;
    meta[std::string(kMetaPrefix) + "clientCapabilities"] = json::object();
    meta[std::string(kMetaPrefix) + "clientInfo"] = client_info();
  }
  return dump_json(body);
}

json client_info() { return {{"name", "precedent"}, {"version", "0.1.0"}}; }

bool answers(const json& message, int64_t id) {
  if (!message.is_object() || message.contains("method")) return false;
  const auto found = message.find("id");
  if (found == message.end() || found->is_null()) return message.contains("error");
  return found->is_number_integer() && *found == id;
}

Result<std::expected<json, RpcError>> read_response(json response) {
  if (!response.is_object()) return no_such("response");
  const auto error = response.find("error");
  if (error != response.end()) {
    if (!error->is_object()) return no_such("response");
    RpcError said;
    const json code = error->value("code", json());
    if (code.is_number_integer()) said.code = code.get<int64_t>();
    said.message = foreign_words(foreign::string_at(*error, "message"));
    const json data = error->value("data", json());
    const json supported = data.is_object() ? data.value("supported", json()) : json();
    if (supported.is_array())
      for (const json& one : supported)
        if (one.is_string() && said.supported.size() < kMaxProblems)
          said.supported.push_back(foreign_words(one.get<std::string>(), 40));
    return std::expected<json, RpcError>(std::unexpected(std::move(said)));
  }
  const auto result = response.find("result");
  if (result == response.end() || !result->is_object()) return no_such("response");
  return std::expected<json, RpcError>(std::move(*result));
}

Result<ToolPage> read_tools(const json& result) {
  const auto tools = result.find("tools");
  if (tools == result.end() || !tools->is_array()) return no_such("list of tools");
  ToolPage page;
  page.next = foreign::string_at(result, "nextCursor");
  if (page.next.size() > kMaxCursorBytes) return no_such("list of tools: its cursor is too long");
  const auto problem = [&](std::string what) {
    if (page.problems.size() < kMaxProblems) page.problems.push_back(std::move(what));
  };
  for (const json& tool : *tools) {
    if (page.tools.size() == kMaxToolsPerPage) {
      problem(fmt::format("it lists more than {} tools at once; the others are left out",
                          kMaxToolsPerPage));
      break;
    }
    OfferedTool offered;
    offered.name = foreign::string_at(tool, "name");
    if (!is_tool_name(offered.name)) {
      problem(
          fmt::format("a tool is called '{}', which is no name", foreign_words(offered.name, 80)));
      continue;
    }
    const auto schema = tool.find("inputSchema");
    if (schema == tool.end() || !schema->is_object() ||
        foreign::string_at(*schema, "type") != "object") {
      problem(
          fmt::format("the tool '{}' has no schema of an object for its arguments", offered.name));
      continue;
    }
    if (dump_json(*schema).size() > kMaxSchemaBytes) {
      problem(fmt::format("the schema of the tool '{}' is larger than {} bytes", offered.name,
                          kMaxSchemaBytes));
      continue;
    }
    offered.schema = *schema;
    offered.description =
        utf8_prefix(foreign::string_at(tool, "description"), kMaxDescriptionBytes);
    offered.read_only = flag_at(tool.value("annotations", json()), "readOnlyHint");
    page.tools.push_back(std::move(offered));
  }
  return page;
}

Result<CallOutcome> read_outcome(const json& result) {
  if (!result.is_object()) return no_such("result of a call");
  const std::string type = foreign::string_at(result, "resultType");
  if (type == "input_required") {
    return fail(ErrorCode::kInvalidArgument,
                "it wants to ask something back, which is not possible here; give all that its "
                "description asks for");
  }
  if (!type.empty() && type != "complete")
    return no_such(fmt::format("result of a call but of type '{}'", foreign_words(type, 60)));
  CallOutcome outcome;
  outcome.failed = flag_at(result, "isError");
  const auto structured = result.find("structuredContent");
  if (structured != result.end()) outcome.structured = *structured;
  const auto content = result.find("content");
  if (content == result.end() && outcome.structured.is_null()) return no_such("result of a call");
  if (content == result.end()) return outcome;
  if (!content->is_array()) return no_such("result of a call");
  size_t parts = 0;
  for (const json& part : *content) {
    if (++parts > kMaxParts) {
      outcome.left_out.push_back(fmt::format("{} further parts", content->size() - kMaxParts));
      break;
    }
    add_part(part, outcome);
  }
  return outcome;
}

std::vector<std::pair<std::string, std::string>> param_headers(const json& schema,
                                                               const json& args) {
  std::vector<std::pair<std::string, std::string>> headers;
  const json properties = schema.value("properties", json());
  if (!properties.is_object()) return headers;
  for (const auto& [key, property] : properties.items()) {
    const std::string name = foreign::string_at(property, "x-mcp-header");
    const bool token =
        !name.empty() && name.size() <= kMaxNameBytes &&
        std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '-' || c == '_'; });
    const auto value = args.find(key);
    if (!token || value == args.end() || value->is_structured() || value->is_null()) continue;
    headers.emplace_back(
        "Mcp-Param-" + name,
        header_value(value->is_string() ? value->get<std::string>() : dump_json(*value)));
  }
  return headers;
}

std::string foreign_words(std::string_view text, size_t max_bytes) {
  // What is cut is cleaned first as a whole, up to what anybody would read.
  const std::string_view readable = utf8_prefix(text, 16 * max_bytes);
  const std::string clean = squeeze(redact(defuse(readable)));
  if (clean.size() <= max_bytes) return clean;
  return std::string(utf8_prefix(clean, max_bytes)) + "…";
}

}  // namespace precedent
