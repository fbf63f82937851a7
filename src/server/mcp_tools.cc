#include "server/mcp_tools.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "server/chats.h"
#include "server/mcp_answer.h"
#include "server/mcp_output.h"
#include "server/mcp_progress.h"
#include "server/mcp_schemas.h"
#include "tools/params.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::string_view kAsk = "ask";
// A question back that is carried along; longer ones are cut.
constexpr size_t kMaxQuestionBack = 4000;

json annotations(bool again) {
  return {{"readOnlyHint", true},
          {"destructiveHint", false},
          {"idempotentHint", again},
          {"openWorldHint", false}};
}

const std::vector<Param>& ask_params() {
  static const std::vector<Param> kParams = {
      {.name = "question",
       .description = "The question, with whatever belongs to it",
       .required = true},
      {.name = "chat_id", .description = "Go on with this conversation"}};
  return kParams;
}

json ask_tool() {
  return {{"name", kAsk},
          {"title", "Ask precedent"},
          {"description",
           "Answer a question about incidents, runbooks, architecture, code, changes, alerts or "
           "metrics, with the sources of each claim. What cannot be found is said."},
          {"inputSchema", json_schema(ask_params())},
          {"outputSchema", ask_output_schema()},
          {"annotations", annotations(false)}};
}

}  // namespace

json McpTools::list() const {
  json tools = json::array({ask_tool()});
  for (const auto& tool : services_.tools.all()) {
    const ToolSpec& spec = tool->spec();
    tools.push_back({{"name", spec.name},
                     {"description", spec.description},
                     {"inputSchema", json_schema(spec.params)},
                     {"outputSchema", output_schema(spec.name)},
                     {"annotations", annotations(true)}});
  }
  return {{"tools", std::move(tools)}};
}

McpResult<json> McpTools::call(const McpCall& call) const {
  const std::string name = text_at(call.params, "name");
  json args = member(call.params, "arguments");
  if (args.is_null()) args = json::object();
  if (name == kAsk) return ask(call, args);
  const auto tool = services_.tools.find(name);
  if (!tool)
    return mcp_fail(kMcpInvalidParams,
                    fmt::format("there is no tool '{}'", utf8_prefix(name, 100)));
  return call_tool(call, **tool, args);
}

json McpTools::call_tool(const McpCall& call, const Tool& tool, const json& args) const {
  constexpr size_t kText = kMcpMaxBytes * 3 / 5, kResult = kMcpMaxBytes - kText - 1000;
  McpProgress progress(call);
  if (progress.wanted()) call.peer.open(call.modern);
  progress.say(fmt::format("{} runs", tool.spec().name));
  const Receipt receipt = services_.call_tool(tool, args, call.cancel);
  json result = to_json(receipt.result);
  const std::string left_out = shrink(result, kResult);
  json structured = {{"tool", receipt.tool},
                     {"status", precedent::name(receipt.status)},
                     {"at", format_time(receipt.at)},
                     {"result", std::move(result)}};
  if (!left_out.empty()) structured["left_out"] = left_out;
  return mcp_tool_result(bounded_text(receipt.text, kText), std::move(structured),
                         receipt.status == ReceiptStatus::kError);
}

McpResult<json> McpTools::ask(const McpCall& call, const json& args) const {
  const auto read = read_args(ask_params(), args, kAsk);
  if (!read) return mcp_failed_answer(read.error().text());
  const std::string& question = read->text("question");
  if (trim(question).empty())
    return mcp_failed_answer("'question' is missing or blank; ask something");
  std::string chat = read->text("chat_id");
  if (!chat.empty() && !is_chat_id(chat))
    return mcp_failed_answer("'chat_id' is no id of a conversation");
  if (call.modern && !member(call.params, "requestState").is_null()) return go_on(call, args);
  if (chat.empty()) chat = new_chat_id();
  return answer(call, args, question, chat);
}

McpResult<json> McpTools::go_on(const McpCall& call, const json& args) const {
  const auto pending =
      state_.open(text_at(call.params, "requestState"), args, services_.clock.now());
  if (!pending) return mcp_fail(kMcpInvalidParams, pending.error().text());
  const json& responses = member(call.params, "inputResponses");
  if (!responses.is_null() && !responses.is_object())
    return mcp_fail(kMcpInvalidParams, "'inputResponses' must be an object");
  const auto form = read_form_answer(responses);
  if (!form) return std::unexpected(form.error());
  if (!*form) return ask_back(*pending, args);
  if ((*form)->given_up)
    return mcp_answer(plain_reply(AnswerStatus::kNeedsInput, pending->message, pending->chat));
  return answer(call, args, (*form)->text, pending->chat);
}

json McpTools::answer(const McpCall& call, const json& args, const std::string& question,
                      const std::string& chat) const {
  if (call.declares_tasks() && tasks_.offered()) {
    if (auto task = tasks_.start(question, chat, call.elicits())) return std::move(*task);
  }
  McpProgress progress(call);
  // In the newer revision a client that goes away has cancelled, which is noticed on a stream only.
  if (progress.wanted() || call.modern) call.peer.open(call.modern);
  AskOptions options;
  options.thread = chat;
  const Reply reply =
      services_.answerer.ask({question, {}}, options, services_.clock, progress, call.cancel);
  if (call.elicits() && asks_back(reply))
    return ask_back({reply.thread_id, std::string(utf8_prefix(reply.text, kMaxQuestionBack))},
                    args);
  return mcp_answer(reply);
}

json McpTools::ask_back(const McpState::Pending& pending, const json& args) const {
  return {{"resultType", "input_required"},
          {"inputRequests", mcp_input_requests(pending.message)},
          {"requestState", state_.seal(pending, args, services_.clock.now())}};
}

}  // namespace precedent
