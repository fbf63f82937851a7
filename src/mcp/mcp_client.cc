#include "mcp/mcp_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace precedent {
namespace {

using nlohmann::json;
using Steady = std::chrono::steady_clock;

// A server of the older revisions may not answer what it does not know.
constexpr auto kProbeTime = std::chrono::seconds(3);
constexpr size_t kMaxPages = 50;
constexpr size_t kMaxTools = 1000;
constexpr int64_t kUnsupportedRevision = -32022;

bool is_session_revision(std::string_view revision) {
  return std::ranges::find(kSessionRevisions, revision) != kSessionRevisions.end();
}

bool lists_stateless(const json& result) {
  const json versions = result.value("supportedVersions", json());
  return versions.is_array() &&
         std::ranges::find(versions, json(kStatelessRevision)) != versions.end();
}

}  // namespace

std::unexpected<Error> McpClient::named(Error error) const {
  error.message = fmt::format("MCP server '{}': {}", name_, error.message);
  return std::unexpected(std::move(error));
}

Result<std::string> McpClient::initialize(McpConnection connection, const McpWait& wait) {
  McpMessage message{.id = ++last_id_, .method = "initialize"};
  message.params = {{"protocolVersion", kSessionRevisions.front()},
                    {"capabilities", json::object()},
                    {"clientInfo", client_info()}};
  json response = TRY(transport_->exchange(message, connection, wait));
  const auto result = TRY(read_response(std::move(response)));
  if (!result) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("it refused `initialize`: {}", result.error().message));
  }
  const json said = result->value("protocolVersion", json());
  if (!said.is_string() || !is_session_revision(said.get_ref<const std::string&>())) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("it speaks the revision {} of the protocol, which is not spoken here",
                    foreign_words(said.dump(-1, ' ', false, json::error_handler_t::replace), 40)));
  }
  const auto revision = said.get<std::string>();
  TRY(transport_->notify({.method = "notifications/initialized", .revision = revision}, connection,
                         wait));
  return revision;
}

Result<std::string> McpClient::ask_revision(McpConnection& connection, const McpWait& wait) {
  const McpMessage discover{
      .id = ++last_id_, .method = "server/discover", .revision = std::string(kStatelessRevision)};
  const McpWait probe{wait.cancel, std::min(wait.deadline, Steady::now() + kProbeTime)};
  const auto said = transport_->exchange(discover, connection, probe);
  if (said) {
    const auto result = TRY(read_response(*said));
    if (result && lists_stateless(*result)) return std::string(kStatelessRevision);
    if (!result && result.error().code == kUnsupportedRevision &&
        std::ranges::none_of(result.error().supported, is_session_revision)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("it speaks the revisions {} of the protocol, and none of them is "
                              "spoken here",
                              join(result.error().supported, ", ")));
    }
  } else if (said.error().code == ErrorCode::kCancelled ||
             said.error().code == ErrorCode::kPermission) {
    return std::unexpected(said.error());
  } else {
    // Some end at what they do not know: then there is a new process.
    connection = TRY(transport_->open(wait));
  }
  return initialize(connection, wait);
}

Result<McpClient::Agreed> McpClient::agree(const McpWait& wait) {
  const MutexLock lock(mutex_);
  McpConnection connection = TRY(transport_->open(wait));
  if (connection == agreed_.connection) return agreed_;
  std::string revision = TRY(ask_revision(connection, wait));
  agreed_ = {connection, std::move(revision)};
  return agreed_;
}

Result<json> McpClient::request(McpMessage message, const McpWait& wait) {
  Agreed agreed = TRY(agree(wait));
  message.revision = agreed.revision;
  message.id = ++last_id_;
  auto response = transport_->exchange(message, agreed.connection, wait);
  if (!response && response.error().code == ErrorCode::kNotFound && !message.is_stateless()) {
    // Its session ended before it looked at the message: the one case in which it is sent again.
    agreed = TRY(agree(wait));
    message.revision = agreed.revision;
    message.id = ++last_id_;
    response = transport_->exchange(message, agreed.connection, wait);
  }
  if (!response) return std::unexpected(std::move(response).error());
  auto result = TRY(read_response(std::move(*response)));
  if (!result) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("it refused '{}': {} ({})", message.method, result.error().message,
                            result.error().code));
  }
  return std::move(*result);
}

Result<OfferedTools> McpClient::list_tools(const McpWait& wait) {
  OfferedTools all;
  std::set<std::string, std::less<>> cursors, names;
  std::string cursor;
  for (size_t page_number = 0;; ++page_number) {
    McpMessage message{.method = "tools/list"};
    if (!cursor.empty()) message.params["cursor"] = cursor;
    const auto result = request(std::move(message), wait);
    if (!result) return named(result.error());
    auto page = read_tools(*result);
    if (!page) return named(page.error());
    for (OfferedTool& tool : page->tools) {
      if (!names.insert(tool.name).second)
        all.problems.push_back(fmt::format("it lists the tool '{}' twice", tool.name));
      else
        all.tools.push_back(std::move(tool));
    }
    all.problems.insert(all.problems.end(), page->problems.begin(), page->problems.end());
    cursor = page->next;
    if (cursor.empty()) break;
    if (page_number + 1 == kMaxPages || all.tools.size() >= kMaxTools ||
        !cursors.insert(cursor).second) {
      all.problems.emplace_back("its list of tools does not end; the rest is left out");
      break;
    }
  }
  const MutexLock lock(mutex_);
  all.revision = agreed_.revision;
  return all;
}

Result<CallOutcome> McpClient::call(const OfferedTool& tool, const json& args,
                                    const McpWait& wait) {
  McpMessage message{.method = "tools/call",
                     .params = {{"name", tool.name}, {"arguments", args}},
                     .name = tool.name,
                     .headers = param_headers(tool.schema, args)};
  const auto result = request(std::move(message), wait);
  if (!result) return named(result.error());
  auto outcome = read_outcome(*result);
  if (!outcome) return named(outcome.error());
  return std::move(*outcome);
}

}  // namespace precedent
