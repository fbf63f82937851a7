#include "server/threads/run_stream.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "server/threads/thread_shape.h"

namespace precedent {

using nlohmann::json;

namespace {

std::string frame(const ThreadEvent& event, std::string_view name, std::string_view data) {
  return sse_frame(std::to_string(event.number), name, data);
}

Result<void> add_mode(RunModes& modes, const json& mode) {
  if (mode == "values") {
    modes.values = true;
  } else if (mode == "updates") {
    modes.updates = true;
  } else if (mode == "messages") {
    modes.messages = true;
  } else if (mode == "messages-tuple") {
    modes.tuples = true;
  } else if (mode == "custom") {
    modes.custom = true;
  } else {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("there is no stream mode {}; there are values, updates, messages, "
                            "messages-tuple and custom",
                            dump_json(mode)));
  }
  return {};
}

}  // namespace

Result<RunModes> read_modes(const json& modes) {
  RunModes read;
  if (modes.is_null()) {
    read.values = true;
    return read;
  }
  for (const json& mode : modes.is_array() ? modes : json::array({modes}))
    TRY(add_mode(read, mode));
  return read;
}

json RunStream::metadata(const ThreadEvent& event) const {
  return {{"run_id", event.run},
          {"thread_id", thread_},
          {"graph_id", kGraphId},
          {"langgraph_node", event.node},
          {"tags", json::array()}};
}

std::string RunStream::show_message(const ThreadEvent& event) {
  using Type = ThreadEvent::Type;
  json data = parse_json_leniently(event.data);
  std::string shown;
  if (event.type == Type::kMessageStart) {
    said_.clear();
    const json about = {{data["id"].get<std::string>(), {{"metadata", metadata(event)}}}};
    if (modes_.messages) shown = frame(event, "messages/metadata", dump_json(about));
    return shown;
  }
  if (event.type == Type::kMessageDelta) {
    const std::string text = data["text"].get<std::string>();
    said_ += text;
    json message = {{"type", "ai"}, {"id", data["id"]}, {"content", said_}};
    if (modes_.messages)
      shown = frame(event, "messages/partial", dump_json(json::array({message})));
    message["type"] = "AIMessageChunk";
    message["content"] = text;
    if (modes_.tuples)
      shown += frame(event, "messages", dump_json(json::array({message, metadata(event)})));
    return shown;
  }
  if (modes_.messages) shown = frame(event, "messages/complete", dump_json(json::array({data})));
  if (modes_.tuples && event.type == Type::kMessage)
    shown += frame(event, "messages", dump_json(json::array({data, metadata(event)})));
  return shown;
}

std::string RunStream::show(const ThreadEvent& event) {
  using Type = ThreadEvent::Type;
  switch (event.type) {
    case Type::kRunStart: return frame(event, "metadata", event.data);
    case Type::kValues: return modes_.values ? frame(event, "values", event.data) : "";
    case Type::kUpdates:
      return modes_.updates ? frame(event, "updates",
                                    fmt::format("{{{}:{}}}", dump_json(event.node), event.data))
                            : "";
    case Type::kInterrupt:
      return modes_.updates
                 ? frame(event, "updates", fmt::format(R"({{"__interrupt__":[{}]}})", event.data))
                 : "";
    case Type::kMessageStart:
    case Type::kMessageDelta:
    case Type::kMessageEnd:
    case Type::kMessage: return modes_.messages || modes_.tuples ? show_message(event) : "";
    case Type::kCustom: return modes_.custom ? frame(event, "custom", event.data) : "";
    case Type::kError: return frame(event, "error", event.data);
    case Type::kRunEnd: return frame(event, "end", event.data);
    case Type::kAnswered:
    case Type::kToolCall:
    case Type::kToolResult:
    case Type::kCheckpoint: return "";
  }
  return "";
}

}  // namespace precedent
