// The node that acts: the calls of the last message, several at once, a receipt for each.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <variant>

#include "agent/evidence/receipt_notes.h"
#include "agent/model/call_guard.h"
#include "agent/model/model_question_reader.h"
#include "agent/model/tool_descriptions.h"
#include "agent/plan/call_ids.h"
#include "agent/turn/nodes.h"
#include "agent/turn/traced_model.h"
#include "base/foreign_json.h"
#include "base/helpers.h"
#include "base/redact.h"
#include "llm/call_check.h"
#include "llm/tool_arguments.h"
#include "tools/clean_receipt.h"

namespace precedent {
namespace {

// Calls that run at the same time: they wait for each other's CPU rather than for a service.
constexpr size_t kMaxParallelCalls = 4;
// A model that asks for more at once is not planning, it is trawling.
constexpr size_t kMaxCalls = 16;
// Versions of the incident data are switched by hand; one that changes again is read as it is.
constexpr int kMaxAgain = 2;

Receipt failed(const ToolCall& call, std::string id, CallFailure why, std::string text,
               TimePoint now) {
  Receipt receipt;
  receipt.id = std::move(id);
  receipt.tool = call.name;
  receipt.args = call.args;
  receipt.at = now;
  receipt.status = ReceiptStatus::kError;
  receipt.failure = why;
  receipt.text = std::move(text);
  clean(receipt);
  return receipt;
}

// `before`: the messages before the calls themselves. `guard`: of calls that a model makes; null
// for those of the program, which retrieved text cannot steer.
Receipt run_call(const CopilotServices& services, const std::vector<Message>& before,
                 const CallGuard* guard, const ToolCall& call, std::string id, ToolContext& tools) {
  const auto fail = [&](CallFailure why, std::string text) {
    return failed(call, id, why, std::move(text), tools.clock.now());
  };
  const auto tool = services.tools.find(call.name);
  if (!tool)
    return fail(CallFailure::kCall, unknown_tool_text(call.name, describe(services.tools)));
  if (repetition(before, call) != Repetition::kNew)
    return fail(CallFailure::kRepeated, repetition_text(call));
  const auto checked = check_arguments(describe((*tool)->spec()), call.args);
  if (!checked) return fail(CallFailure::kCall, checked.error().message);
  const CallGuard::Verdict verdict =
      guard == nullptr ? CallGuard::Verdict() : guard->judge(call.name, checked->json);
  if (!verdict.refusal.empty()) return fail(CallFailure::kRefused, verdict.refusal);
  Receipt receipt = (*tool)->call(parse_json(checked->json), tools, id);
  if (!verdict.note.empty()) receipt.text += "\n" + verdict.note + "\n";
  return receipt;
}

// Whether it is what the knowledge base says, rather than a live system or another server.
bool is_of_knowledge(const Receipt& receipt) {
  return std::holds_alternative<IncidentsResult>(receipt.result) ||
         std::holds_alternative<KnowledgeResult>(receipt.result) ||
         std::holds_alternative<SectionsResult>(receipt.result);
}

// Both without secrets: a client sees them at once.
void say_call(const ToolCall& call, const std::string& id, EventSink& events) {
  const nlohmann::json data = {
      {"id", id}, {"tool", call.name}, {"args", json_or_text(redact(call.args))}};
  events.emit({.type = Event::Type::kToolCall, .data = dump_json(data)});
}

void say_result(const Receipt& receipt, EventSink& events) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      receipt.took.value_or(std::chrono::microseconds(0)));
  const nlohmann::json data = {{"id", receipt.id},
                               {"tool", receipt.tool},
                               {"status", name(receipt.status)},
                               {"took_ms", took.count()},
                               {"note", note_of(receipt)}};
  events.emit({.type = Event::Type::kToolResult, .data = dump_json(data)});
}

}  // namespace

Result<Update> incident_tools(const CopilotServices& services, const CopilotState& state,
                              const Context& context, EventSink& events) {
  TRY(context.check());
  const std::vector<ToolCall>& asked = state.messages.back().tool_calls;
  const size_t count = std::min(asked.size(), kMaxCalls);
  std::vector<Receipt> receipts(asked.size());
  ToolContext tools{services.search, services.store, *context.clock, events, services.limits};
  tools.live = services.live;
  tools.conditions = services.conditions;
  tools.cancel = &context.token();
  const bool by_model = services.model != nullptr && state.answer.fallback.empty();
  NodeModel models(services, state, context, events);
  std::optional<CallGuard> guard;
  if (by_model) guard.emplace(state);
  const auto id_of = [&](size_t i) { return fmt::format("R{}", state.receipts.size() + i + 1); };
  std::vector<Message> before(state.messages.begin(), state.messages.end());
  before.pop_back();
  // A store that cannot be read is told by the calls.
  const auto active_version = [&] { return services.store.active_dataset_version().value_or(0); };
  uint64_t version = active_version();
  const auto make_receipt = [&](size_t i, const Context& within) {
    TracedModel model = models.run("Self Query LLM", within);
    const ModelQuestionReader reader(model, services.prompts, context.token());
    ToolContext around = tools;
    if (by_model) around.reader = &reader;
    const auto started = std::chrono::steady_clock::now();
    receipts[i] =
        run_call(services, before, guard && !is_programs_call(asked[i].id) ? &*guard : nullptr,
                 asked[i], id_of(i), around);
    receipts[i].took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - started);
  };
  std::atomic<size_t> next{0};
  const ScopedSpan span = open_span(services, state, context, "Incident Report Qdrant Tool");
  const auto work = [&] {
    for (size_t i = next++; i < count && context.check(); i = next++) {
      ScopedSpan call = open_call(services, state, context, span, asked[i]);
      Context within = context;
      if (call) within.trace = call.context();
      say_call(asked[i], id_of(i), events);
      make_receipt(i, within);
      close_call(call, receipts[i]);
      say_result(receipts[i], events);
    }
  };
  {
    const std::vector<std::jthread> helpers =
        start_helpers(std::min(count - std::min<size_t>(count, 1), kMaxParallelCalls - 1), work);
    work();
  }
  TRY(context.check());
  // Each call looks several times: where another version became active meanwhile, what was read is
  // of both, and is read again.
  for (int again = 0; again < kMaxAgain; ++again) {
    const uint64_t now = active_version();
    if (now == version) break;
    version = now;
    for (size_t i = 0; i < count; ++i)
      if (is_of_knowledge(receipts[i])) make_receipt(i, context);
  }
  for (size_t i = count; i < asked.size(); ++i)
    receipts[i] =
        failed(asked[i], id_of(i), CallFailure::kCall,
               fmt::format("not called: more than {} calls at once", kMaxCalls), tools.clock.now());
  const CopilotFields& fields = copilot_fields();
  Update update;
  if (version != state.dataset_version) update.add(fields.dataset_version, version);
  for (size_t i = 0; i < asked.size(); ++i) {
    Receipt& receipt = receipts[i];
    receipt.call = asked[i].id;
    if (!state.explain) receipt.explain.clear();
    update.add(fields.messages,
               Message{.role = Role::kTool, .content = receipt.text, .tool_call_id = receipt.call});
    update.add(fields.receipts, receipt);
  }
  return models.keep_use(std::move(update));
}

}  // namespace precedent
