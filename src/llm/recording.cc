#include "llm/recording.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "llm/scripted_model.h"

namespace precedent {
namespace {

using foreign::Json;

constexpr int64_t kVersion = 1;

Json calls_json(const std::vector<ToolCall>& calls) {
  Json json = Json::array();
  for (const ToolCall& call : calls)
    json.push_back({{"id", call.id}, {"name", call.name}, {"args", call.args}});
  return json;
}

std::vector<ToolCall> read_calls(const Json& json) {
  std::vector<ToolCall> calls;
  if (!json.is_array()) return calls;
  for (const Json& call : json)
    calls.push_back({std::string(foreign::text(call, "id")),
                     std::string(foreign::text(call, "name")),
                     std::string(foreign::text(call, "args"))});
  return calls;
}

Json request_json(const ModelRequest& request) {
  Json json = {{"messages", Json::array()},
               {"tool_choice", static_cast<int>(request.tool_choice)},
               {"max_output_tokens", request.sampling.max_output_tokens}};
  for (const Message& message : request.messages) {
    Json entry = {{"role", name(message.role)}, {"content", message.content}};
    if (!message.tool_calls.empty()) entry["tool_calls"] = calls_json(message.tool_calls);
    if (!message.tool_call_id.empty()) entry["tool_call_id"] = message.tool_call_id;
    json["messages"].push_back(std::move(entry));
  }
  const auto tool_json = [](const ToolDescription& tool) {
    return Json{
        {"name", tool.name}, {"description", tool.description}, {"schema", json_schema(tool)}};
  };
  for (const ToolDescription& tool : request.tools) json["tools"].push_back(tool_json(tool));
  if (request.response) json["response"] = tool_json(*request.response);
  if (request.sampling.temperature) json["temperature"] = *request.sampling.temperature;
  return json;
}

Json reply_json(const ModelReply& reply) {
  Json json = {{"content", reply.message.content},
               {"tool_calls", calls_json(reply.message.tool_calls)},
               {"stop", name(reply.stop)},
               {"model", reply.model},
               {"usage",
                {{"input", reply.usage.input_tokens},
                 {"output", reply.usage.output_tokens},
                 {"cached", reply.usage.cached_tokens}}}};
  if (!reply.reasoning.empty()) json["reasoning"] = reply.reasoning;
  if (reply.cost_usd) json["cost_usd"] = *reply.cost_usd;
  return json;
}

ModelReply read_reply(const Json& json) {
  ModelReply reply;
  reply.message.content = foreign::text(json, "content");
  reply.message.tool_calls = read_calls(foreign::member(json, "tool_calls"));
  reply.reasoning = foreign::text(json, "reasoning");
  reply.stop = parse_stop_reason(foreign::text(json, "stop")).value_or(StopReason::kEndOfTurn);
  reply.model = foreign::text(json, "model");
  const Json& usage = foreign::member(json, "usage");
  reply.usage = {foreign::count(usage, "input"), foreign::count(usage, "output"),
                 foreign::count(usage, "cached")};
  if (const Json& cost = foreign::member(json, "cost_usd"); cost.is_number())
    reply.cost_usd = cost.get<double>();
  return reply;
}

}  // namespace

std::string request_hash(const ModelRequest& request) {
  return content_hash(dump_json(request_json(request)));
}

Result<ModelReply> RecordModel::complete(const ModelRequest& request, ModelContext& context) {
  ModelReply reply = TRY(inner_->complete(request, context));
  const Json line = {{"version", kVersion},
                     {"hash", request_hash(request)},
                     {"request", request_json(request)},
                     {"reply", reply_json(reply)}};
  TRY(write_(dump_json(line)));
  return reply;
}

Result<std::unique_ptr<ReplayModel>> ReplayModel::parse(std::string_view lines,
                                                        std::string_view path) {
  std::unique_ptr<ReplayModel> model(new ReplayModel(std::string(path)));
  const MutexLock lock(model->mutex_);
  size_t number = 0;
  for (const std::string_view line : split_lines(lines)) {
    ++number;
    if (trim(line).empty()) continue;
    const Json json = parse_json(line);
    const auto bad = [&](std::string_view what) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("{}:{}: {}; record it again", path, number, what));
    };
    if (!json.is_object()) return bad("this is no JSON object");
    if (foreign::count(json, "version") != kVersion)
      return bad(fmt::format("this is not a recording of version {}", kVersion));
    const std::string_view hash = foreign::text(json, "hash");
    const Json& reply = foreign::member(json, "reply");
    if (hash.empty() || !reply.is_object()) return bad("'hash' or 'reply' is missing");
    model->by_hash_[std::string(hash)].replies.push_back(read_reply(reply));
  }
  return model;
}

Result<ModelReply> ReplayModel::complete(const ModelRequest& request, ModelContext& context) {
  TRY(context.check());
  ModelReply reply;
  {
    const MutexLock lock(mutex_);
    const auto found = by_hash_.find(request_hash(request));
    if (found == by_hash_.end())
      return fail(ErrorCode::kNotFound,
                  fmt::format("{} holds no reply to this request of {} messages; record it again",
                              path_, request.messages.size()));
    Replies& replies = found->second;
    reply = replies.replies[replies.next];
    if (replies.next + 1 < replies.replies.size()) ++replies.next;
  }
  emit_words(reply.message.content, context);
  return reply;
}

}  // namespace precedent
