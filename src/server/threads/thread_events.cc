#include "server/threads/thread_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "server/threads/thread_shape.h"

namespace precedent {

using nlohmann::json;

namespace {

constexpr const char* kChannels[] = {"values", "updates", "messages",    "tools", "lifecycle",
                                     "input",  "tasks",   "checkpoints", "custom"};

// `part` tells frames of the same event apart.
std::string frame(const ThreadEvent& event, const char* method, const std::string& data,
                  int part = 0) {
  const std::string id =
      part == 0 ? std::to_string(event.number) : fmt::format("{}.{}", event.number, part);
  const std::string node = event.node.empty() ? "" : R"("node":)" + dump_json(event.node) + ",";
  return sse_frame(
      id, method,
      fmt::format(R"({{"type":"event","event_id":"{}","seq":{},"method":"{}","params":)"
                  R"({{"namespace":[],"timestamp":{},{}"data":{}}}}})",
                  id, event.number, method, event.at_ms, node, data));
}

std::string frame(const ThreadEvent& event, const char* method, const json& data, int part = 0) {
  return frame(event, method, dump_json(data), part);
}

json text_block(const json& text) { return {{"type", "text"}, {"text", text}}; }

json message_start(const json& message) {
  const json type = message.value("type", json("ai"));
  return {{"event", "message-start"}, {"role", type}, {"id", message["id"]}};
}

}  // namespace

Result<EventFilter> read_filter(RequestBody& body) {
  EventFilter filter;
  const json channels = body.value("channels");
  if (!channels.is_array() || channels.empty())
    return fail(ErrorCode::kInvalidArgument, "'channels' must be a list of channels");
  for (const json& channel : channels) {
    const std::string name = channel.is_string() ? channel.get<std::string>() : "";
    if (!name.starts_with("custom:") && std::ranges::find(kChannels, name) == std::end(kChannels))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("there is no channel {}", dump_json(channel)));
    filter.channels.insert(name);
  }
  const json namespaces = body.value("namespaces");
  if (!namespaces.is_null() && !namespaces.is_array())
    return fail(ErrorCode::kInvalidArgument, "'namespaces' must be a list of paths");
  filter.root = namespaces.empty() || std::ranges::any_of(namespaces, [](const json& path) {
                  return path.is_array() && path.empty();
                });
  constexpr size_t kMostDeep = 1000;
  TRY(body.count("depth", kMostDeep));
  filter.since = TRY(body.count("since", SIZE_MAX)).value_or(0);
  return filter;
}

bool ThreadEvents::wants(const std::string& channel) const {
  return filter_.channels.contains(channel) ||
         (channel.starts_with("custom:") && filter_.channels.contains("custom"));
}

std::string ThreadEvents::show_message(const ThreadEvent& event) const {
  using Type = ThreadEvent::Type;
  const json data = parse_json_leniently(event.data);
  const auto start = [&] {
    return frame(event, "messages", message_start(data)) +
           frame(event, "messages",
                 json{{"event", "content-block-start"}, {"index", 0}, {"content", text_block("")}},
                 1);
  };
  if (event.type == Type::kMessageStart) return start();
  if (event.type == Type::kMessageDelta)
    return frame(event, "messages",
                 json{{"event", "content-block-delta"},
                      {"index", 0},
                      {"delta", {{"type", "text-delta"}, {"text", data["text"]}}}});
  const std::string end =
      frame(event, "messages",
            json{{"event", "content-block-finish"},
                 {"index", 0},
                 {"content", text_block(data["content"])}},
            2) +
      frame(event, "messages", json{{"event", "message-finish"}, {"reason", "stop"}}, 3);
  if (event.type == Type::kMessageEnd) return end;
  // Calls and their results are told on the channel `tools`.
  const bool said = data["type"] == "ai" && !data["content"].get<std::string>().empty();
  return said ? start() + end : "";
}

std::string ThreadEvents::show_tool(const ThreadEvent& event) const {
  const json data = parse_json_leniently(event.data);
  json told = {{"tool_call_id", data["id"]}, {"tool_name", data["tool"]}};
  if (event.type == ThreadEvent::Type::kToolCall) {
    told["event"] = "tool-started";
    told["input"] = data["args"];
  } else if (data["status"] == "error") {
    told["event"] = "tool-error";
    told["message"] = data["note"];
  } else {
    told["event"] = "tool-finished";
    told["output"] = data;
  }
  return frame(event, "tools", told);
}

std::string ThreadEvents::show_custom(const ThreadEvent& event) const {
  json payload = parse_json_leniently(event.data);
  const std::string name = payload.value("type", "");
  payload.erase("type");
  return wants("custom:" + name)
             ? frame(event, "custom", json{{"name", name}, {"payload", payload}})
             : "";
}

std::string ThreadEvents::show_end(const ThreadEvent& event) {
  const json status = parse_json_leniently(event.data)["status"];
  json data = {{"event", status == "success"       ? "completed"
                         : status == "interrupted" ? "interrupted"
                                                   : "failed"},
               {"graph_name", kGraphId}};
  if (!error_.empty()) data["error"] = std::exchange(error_, {});
  return wants("lifecycle") ? frame(event, "lifecycle", data) : "";
}

std::string ThreadEvents::show(const ThreadEvent& event) {
  using Type = ThreadEvent::Type;
  if (!filter_.root) return "";
  const auto data = [&] { return parse_json_leniently(event.data); };
  switch (event.type) {
    case Type::kRunStart:
      return wants("lifecycle")
                 ? frame(event, "lifecycle", json{{"event", "started"}, {"graph_name", kGraphId}})
                 : "";
    case Type::kAnswered: return wants("input") ? frame(event, "input.answered", event.data) : "";
    case Type::kValues: return wants("values") ? frame(event, "values", event.data) : "";
    case Type::kUpdates:
      return wants("updates") ? frame(event, "updates",
                                      fmt::format(R"({{"node":{},"values":{}}})",
                                                  dump_json(event.node), event.data))
                              : "";
    case Type::kMessageStart:
    case Type::kMessageDelta:
    case Type::kMessageEnd:
    case Type::kMessage: return wants("messages") ? show_message(event) : "";
    case Type::kToolCall:
    case Type::kToolResult: return wants("tools") ? show_tool(event) : "";
    case Type::kCustom: return show_custom(event);
    case Type::kCheckpoint:
      return wants("checkpoints") ? frame(event, "checkpoints", event.data) : "";
    case Type::kInterrupt: {
      const json asked = data();
      return wants("input")
                 ? frame(event, "input.requested",
                         json{{"interrupt_id", asked["id"]}, {"payload", asked["value"]}})
                 : "";
    }
    case Type::kError: error_ = data().value("message", ""); return "";
    case Type::kRunEnd: return show_end(event);
  }
  return "";
}

}  // namespace precedent
