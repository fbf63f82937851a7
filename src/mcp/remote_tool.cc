#include "mcp/remote_tool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "mcp/tool_schema.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxName = 64;
constexpr size_t kMaxDescription = 1000;
// Of what a tool says of its failure.
constexpr size_t kMaxFailure = 2000;
constexpr size_t kMaxLeftOut = 20;

uint32_t fnv1a(std::string_view text) {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// Bounded, and it says so.
std::string bounded(std::string text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const std::string_view kept = utf8_prefix(text, max_bytes);
  return fmt::format("{}\n[{} of {} bytes are left out; ask for less]", kept,
                     text.size() - kept.size(), text.size());
}

// Servers repeat what is structured as text, since older clients read that alone.
bool says_the_same(const std::string& text, const json& structured) {
  const json read = parse_json(text);
  return !read.is_discarded() && read == structured;
}

}  // namespace

std::string remote_name(std::string_view server, std::string_view tool) {
  std::string name = fmt::format("{}__{}", server, tool);
  const std::string whole = name;
  for (char& c : name)
    if (!is_alnum(c) && c != '_' && c != '-') c = '_';
  if (name.size() <= kMaxName) return name;
  const std::string hash = fmt::format("_{:08x}", fnv1a(whole));
  return name.substr(0, kMaxName - hash.size()) + hash;
}

Result<std::unique_ptr<RemoteTool>> RemoteTool::make(std::shared_ptr<McpClient> client,
                                                     OfferedTool offered,
                                                     std::chrono::milliseconds timeout) {
  ToolSpec spec;
  spec.name = remote_name(client->name(), offered.name);
  const std::string words = described(offered.description, kMaxDescription);
  spec.description =
      fmt::format("A tool of the MCP server '{}', not of precedent. {}", client->name(),
                  words.empty() ? "It has no description." : "Its own description: " + words);
  spec.params = TRY(params_of(offered.schema));
  return std::unique_ptr<RemoteTool>(
      new RemoteTool(std::move(spec), std::move(client), std::move(offered), timeout));
}

Result<Tool::Outcome> RemoteTool::run(const Args& args, ToolContext& context) const {
  const json given = TRY(fit(offered_.schema, args.given()));
  static const CancelToken kNever;
  const McpWait wait{context.cancel == nullptr ? kNever : *context.cancel,
                     std::chrono::steady_clock::now() + timeout_};
  CallOutcome said = TRY(client_->call(offered_, given, wait));
  said.text = repair_utf8(said.text);
  if (said.failed) {
    const std::string_view why = trim(said.text);
    return fail(ErrorCode::kInvalidArgument, why.empty() ? "it says that it failed, and not why"
                                                         : bounded(std::string(why), kMaxFailure));
  }
  Outcome outcome;
  RemoteResult result{.server = client_->name(), .name = spec().name, .tool = offered_.name};
  const size_t most = context.limits.max_receipt_bytes;
  outcome.text = bounded(std::move(said.text), most);
  if (!said.structured.is_null()) {
    std::string structured = dump_json(said.structured);
    if (structured.size() > most) {
      said.left_out.push_back(fmt::format("structured content of {} bytes", structured.size()));
    } else {
      if (trim(outcome.text).empty())
        outcome.text = structured;
      else if (!says_the_same(outcome.text, said.structured) &&
               outcome.text.size() + structured.size() <= most)
        outcome.text += fmt::format("\nStructured: {}", structured);
      result.structured = std::move(structured);
    }
  }
  if (said.left_out.size() > kMaxLeftOut) said.left_out.resize(kMaxLeftOut);
  if (!said.left_out.empty())
    outcome.text += fmt::format("\n[Not shown: {}]", join(said.left_out, "; "));
  result.left_out = std::move(said.left_out);
  outcome.empty = trim(outcome.text).empty();
  if (outcome.empty) outcome.text = fmt::format("{} returned nothing.", spec().name);
  outcome.explain.push_back(
      fmt::format("asked the tool '{}' of the MCP server '{}'", offered_.name, client_->name()));
  outcome.result = std::move(result);
  return outcome;
}

}  // namespace precedent
