#include "server/mcp/tools.h"

#include <fmt/format.h>

#include "base/json_access.h"
#include "base/utf8.h"
#include "server/mcp/output.h"
#include "server/mcp/progress.h"
#include "server/mcp/schemas.h"
#include "server/mcp/turn.h"
#include "server/turns/chats.h"

namespace precedent {
namespace {

using nlohmann::json;

}  // namespace

json McpTools::list() const {
  json tools = json::array();
  for (const McpJob* job : jobs_) tools.push_back(job->tool());
  for (const auto& tool : services_.tools.all()) {
    const ToolSpec& spec = tool->spec();
    tools.push_back({{"name", spec.name},
                     {"description", spec.description},
                     {"inputSchema", json_schema(spec.params)},
                     {"outputSchema", output_schema(spec.name)},
                     {"annotations",
                      {{"readOnlyHint", true},
                       {"destructiveHint", false},
                       {"idempotentHint", true},
                       {"openWorldHint", false}}}});
  }
  return {{"tools", std::move(tools)}};
}

McpResult<json> McpTools::call(const McpCall& call) const {
  const std::string name = foreign::string_at(call.params, "name");
  json args = foreign::member(call.params, "arguments");
  if (args.is_null()) args = json::object();
  for (const McpJob* job : jobs_)
    if (job->name() == name) return run(call, *job, args);
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

McpResult<json> McpTools::run(const McpCall& call, const McpJob& job, const json& args) const {
  if (auto refused = job.refusal(args)) return std::move(*refused);
  McpState::Pending pending;
  json answers = json::object();
  if (call.modern && !foreign::member(call.params, "requestState").is_null()) {
    auto opened =
        state_.open(foreign::string_at(call.params, "requestState"), args, services_.clock.now());
    if (!opened) return mcp_fail(kMcpInvalidParams, opened.error().text());
    pending = std::move(*opened);
    auto read = read_form_answers(foreign::member(call.params, "inputResponses"), pending.forms);
    if (!read) return std::unexpected(read.error());
    answers = std::move(*read);
    if (!is_answered(pending.forms, answers)) return ask_back(pending, args);
  } else {
    pending.chat = job.chat(args);
    if (pending.chat.empty()) pending.chat = new_chat_id();
  }
  const McpRound round{args, pending.chat, pending.kept, answers};
  if (call.declares_tasks() && tasks_.offered()) {
    auto task = tasks_.start(job, round, call.elicits());
    if (!task) return std::unexpected(task.error());
    if (*task) return std::move(**task);
  }
  auto outcome = run_now(call, job, round);
  if (!outcome) return std::unexpected(outcome.error());
  if (!call.elicits() || outcome->forms.is_null()) return std::move(outcome->result);
  return ask_back({pending.chat, std::move(outcome->forms), std::move(outcome->kept)}, args);
}

McpResult<McpOutcome> McpTools::run_now(const McpCall& call, const McpJob& job,
                                        const McpRound& round) const {
  McpProgress progress(call);
  const auto open = [&] {
    // In the newer revision a client that goes away has cancelled, which is noticed on a stream
    // only.
    if (progress.wanted() || call.modern) call.peer.open(call.modern);
  };
  const ChatTurn* outer = call.peer.turn();
  if (services_.turns == nullptr || outer == nullptr) {
    open();
    return job.run(round, progress, call.cancel);
  }
  McpResult<McpOutcome> outcome;
  const auto ran = services_.turns->run_within(*outer, round.chat, [&](ChatTurn& own) {
    open();
    outcome = run_as_turn(job, round, own, progress);
  });
  if (!ran) return mcp_busy(ran.error(), *services_.turns, round.chat);
  return outcome;
}

json McpTools::ask_back(const McpState::Pending& pending, const json& args) const {
  return {{"resultType", "input_required"},
          {"inputRequests", pending.forms},
          {"requestState", state_.seal(pending, args, services_.clock.now())}};
}

}  // namespace precedent
