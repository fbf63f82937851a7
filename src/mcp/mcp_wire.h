// The Model Context Protocol as its client reads and writes it: messages as values, no I/O.
//
// Two eras. Revision 2026-07-28 knows no session: each request carries its envelope in `_meta`.
// The revisions up to 2025-11-25 begin with `initialize`. What a server says is foreign: every
// reader here takes any JSON, gives an error that says what is wrong, and bounds what it keeps.
//
// Thread safety: pure functions over values.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

inline constexpr std::string_view kStatelessRevision = "2026-07-28";
// The first is what is asked for.
inline constexpr auto kSessionRevisions =
    std::to_array<std::string_view>({"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"});

// A request, or a notification if `id` is 0.
struct McpMessage {
  int64_t id = 0;
  std::string method;
  nlohmann::json params = nlohmann::json::object();
  std::string revision = {};  // "": not agreed upon yet
  std::string name = {};      // of the tool that is called
  // Further headers of HTTP, as the newer revision wants them.
  std::vector<std::pair<std::string, std::string>> headers = {};
  bool is_stateless() const { return revision == kStatelessRevision; }
};
// One line of JSON, with the envelope of its era.
std::string to_line(const McpMessage& message);

// As servers are told who asks.
nlohmann::json client_info();

// Whether a message answers the request `id`. An error may have no id, where the server could not
// read it.
bool answers(const nlohmann::json& message, int64_t id);

// What a server said instead of a result. `code` is the protocol's.
struct RpcError {
  int64_t code = 0;
  std::string message;
  std::vector<std::string> supported = {};  // revisions, with -32022
};
// The result of a response, or what is said instead.
// Errors: kCorrupt for what is no response.
Result<std::expected<nlohmann::json, RpcError>> read_response(nlohmann::json response);

// What a server calls one of its tools. Its words are foreign text.
struct OfferedTool {
  std::string name;
  std::string description;
  nlohmann::json schema;   // of the arguments; an object
  bool read_only = false;  // it claims to be
};
struct ToolPage {
  std::vector<OfferedTool> tools;
  std::string next;                   // cursor of the next page; "": this is the last
  std::vector<std::string> problems;  // of the tools that were left out
};
// Errors: kCorrupt for what is no list.
Result<ToolPage> read_tools(const nlohmann::json& result);

// What a call returned.
struct CallOutcome {
  std::string text;                   // of all text parts
  nlohmann::json structured;          // null if there is none
  std::vector<std::string> left_out;  // "image (image/png, 2048 bytes)"
  bool failed = false;                // the tool says so
};
// Errors: kCorrupt for what is no result; kInvalidArgument if the server wants to ask back.
Result<CallOutcome> read_outcome(const nlohmann::json& result);

// The headers into which the newer revision wants arguments copied: Mcp-Param-Region of a property
// with `"x-mcp-header": "Region"`.
std::vector<std::pair<std::string, std::string>> param_headers(const nlohmann::json& schema,
                                                               const nlohmann::json& args);

// Foreign words for a message of ours: one line, nothing hidden, no secrets, at most `max_bytes`.
std::string foreign_words(std::string_view text, size_t max_bytes = 300);

}  // namespace precedent
