// The node that thinks: verified examples first, then a model, or the offline reasoner.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "agent/golden_answer.h"
#include "agent/model_view.h"
#include "agent/nodes.h"
#include "agent/offline_reasoner.h"
#include "agent/plan_live.h"
#include "agent/reading.h"
#include "agent/spoken_text.h"
#include "agent/tool_descriptions.h"
#include "agent/traced_model.h"
#include "agent/unproved.h"
#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "llm/call_check.h"
#include "llm/compaction.h"

namespace precedent {
namespace {

using nlohmann::json;

// What a trace calls the thinking, whoever thinks.
constexpr std::string_view kSupportBotRun = "Support Bot LLM";

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<Message> messages_of(const CopilotState& state) {
  return {state.messages.begin(), state.messages.end()};
}

json plan_json(const std::vector<ToolCall>& calls, const std::vector<PlannedCall>& planned) {
  json plan = json::array();
  for (size_t i = 0; i < calls.size(); ++i) {
    json step = {{"tool", calls[i].name}, {"args", json::parse(calls[i].args, nullptr, false)}};
    if (step["args"].is_discarded()) step["args"] = calls[i].args;
    if (i < planned.size()) {
      step["purpose"] = planned[i].purpose;
      if (!planned[i].rule.empty()) step["rule"] = planned[i].rule;
    }
    plan.push_back(std::move(step));
  }
  return plan;
}

AnswerRecord record_of(const Answer& answer, bool explain) {
  AnswerRecord record{answer.status, answer.sources, answer.missing, {}, {}};
  for (const Receipt& receipt : answer.remembered) record.remembered.push_back(receipt.id);
  if (explain) record.explain = answer.explain;
  return record;
}

// What the intent decided is kept with the question, for logs and for who checks the answer.
Update update_of(const Message& message, const Answer& answer,
                 const std::vector<PlannedCall>& planned, const CopilotState& state,
                 EventSink& events, const std::string& fallback = {}) {
  const CopilotFields& fields = copilot_fields();
  Update update;
  update.add(fields.messages, message);
  if (!message.tool_calls.empty()) {
    json plan = plan_json(message.tool_calls, planned);
    events.emit({.type = Event::Type::kPlan, .data = dump(plan)});
    if (state.messages.back().role == Role::kTool) {
      // A further round of calls for the same question.
      json whole = json::parse(state.plan, nullptr, false);
      if (whole.is_array())
        whole.insert(whole.end(), plan.begin(), plan.end()), plan = std::move(whole);
    }
    update.add(fields.intent, dump(to_json(answer.intent)));
    update.add(fields.plan, dump(plan));
  } else if (answer.receipts.empty()) {
    update.add(fields.intent, dump(to_json(answer.intent)));
    update.add(fields.plan, std::string("[]"));
  }
  AnswerRecord record = record_of(answer, state.explain);
  record.fallback = fallback;
  update.add(fields.answer, record);
  return update;
}

Result<Update> reason_offline(const CopilotServices& services, const CopilotState& state,
                              const Context& context, EventSink& sink, const Reading& reading,
                              const std::string& note) {
  SpokenText events(sink, std::nullopt);
  OfflineReasoner reasoner({services, reading});
  ModelContext model{events, context.token(), context.deadline, std::string(context.node)};
  TracedModel traced(reasoner, services, state, context, kSupportBotRun);
  ModelReply reply = TRY(traced.complete({.messages = messages_of(state)}, model));
  Answer answer = reasoner.answer();
  reply.message.content = safe_answer(reply.message.content, std::nullopt);
  if (!note.empty()) {
    answer.missing.push_back(note);
    if (answer.status == AnswerStatus::kOk) answer.status = AnswerStatus::kPartial;
    if (reply.message.tool_calls.empty()) {
      const std::string said = "\n" + note + "\n";
      events.emit({Event::Type::kToken, said, std::string(context.node)});
      reply.message.content += said;
    }
  }
  events.finish();
  return update_of(reply.message, answer, reasoner.planned(), state, events, note);
}

// The sources that the text cites, by id or by path, among everything the thread has retrieved.
std::vector<Source> cited(const std::string& text, const CopilotState& state) {
  std::vector<Source> sources;
  for (const Receipt& receipt : state.receipts) {
    for (Source& source : sources_of(receipt)) {
      const bool named = text.find(source.id) != std::string::npos ||
                         (!source.path.empty() && text.find(source.path) != std::string::npos);
      const bool known =
          std::ranges::any_of(sources, [&](const Source& s) { return s.id == source.id; });
      if (named && !known) sources.push_back(std::move(source));
    }
  }
  return sources;
}

// Ids of calls are what receipts are found by: vendors leave them out or give them twice.
void make_ids_unique(Message& reply, const CopilotState& state) {
  std::set<std::string> used;
  for (const Message& message : state.messages)
    for (const ToolCall& call : message.tool_calls) used.insert(call.id);
  for (ToolCall& call : reply.tool_calls) {
    if (call.id.empty() || used.contains(call.id))
      call.id = fmt::format("call_{}_{}", state.messages.size(), used.size() + 1);
    used.insert(call.id);
  }
}

// Rounds of tools for one question; a model that needs more is not getting anywhere.
constexpr size_t kMaxRounds = 8;

// Errors: kResourceExhausted for a model that repeats itself or never comes to an answer.
Result<void> check_progress(const CopilotState& state, const Message& reply) {
  if (reply.tool_calls.empty()) return {};
  const std::vector<Message> messages = messages_of(state);
  const auto rounds =
      std::count_if(messages.begin() + static_cast<ptrdiff_t>(last_question(state.messages)),
                    messages.end(), [](const Message& m) { return !m.tool_calls.empty(); });
  const bool stuck = std::ranges::any_of(reply.tool_calls, [&](const ToolCall& call) {
    return repetition(messages, call) == Repetition::kStuck;
  });
  if (!stuck && static_cast<size_t>(rounds) < kMaxRounds) return {};
  return fail(ErrorCode::kResourceExhausted,
              stuck ? "it repeats a call whose result it has"
                    : fmt::format("it called tools {} times without an answer", rounds));
}

Result<Update> ask_model(const CopilotServices& services, const CopilotState& state,
                         const Context& context, ModelContext& model, const Reading& reading,
                         const std::string& verified) {
  ModelRequest request;
  std::vector<Message> messages = {
      {Role::kSystem,
       TRY(services.prompts.render("system", {{"now", format_time(context.clock->now())},
                                              {"verified_knowledge", verified}}))}};
  for (Message& message : defused_messages(state)) messages.push_back(std::move(message));
  NullSink silent;
  ModelContext quiet{silent, model.cancel, model.deadline};
  TracedModel summarizing(*services.model, services, state, context, "Conversation Summary LLM");
  LimitModel summarizer(unowned(summarizing), services.run_limits, state.usage);
  request.messages =
      TRY(compact(messages, {.max_tokens = services.context_tokens}, &summarizer, quiet)).messages;
  delimit_results(request.messages, state);
  request.tools = describe(services.tools);
  TracedModel traced(*services.model, services, state, context, kSupportBotRun);
  LimitModel limited(unowned(traced), services.run_limits, summarizer.used());
  ModelReply reply = TRY(limited.complete(request, model));
  // What a model says may hold a secret that it was told elsewhere: none is kept.
  reply.message.content = safe_answer(reply.message.content, named_hosts(state));
  for (ToolCall& call : reply.message.tool_calls) {
    call.name = redact(visible_text(call.name));
    call.args = redact_json(call.args);
  }
  make_ids_unique(reply.message, state);
  TRY(check_progress(state, reply.message));
  Answer answer;
  answer.intent = reading.intent;
  answer.text = reply.message.content;
  answer.sources = cited(answer.text, state);
  answer.receipts = reading.receipts;
  for (const Demand& demand : unmet(reading.demands, reading.receipts))
    answer.missing.push_back(not_configured(demand));
  if (reply.stop == StopReason::kRefused) answer.status = AnswerStatus::kRefused;
  if (reply.stop == StopReason::kLength)
    answer.missing.push_back("The model's answer was cut at its limit of tokens.");
  if (!answer.missing.empty()) answer.status = AnswerStatus::kPartial;
  if (reply.message.tool_calls.empty() && trim(reply.message.content).empty())
    return fail(ErrorCode::kUnavailable, "the model gave an empty answer");
  if (reply.message.tool_calls.empty() && reply.stop != StopReason::kRefused) {
    const std::string rest = unproved(answer.text, state);
    if (!rest.empty()) {
      model.events.emit({Event::Type::kToken, rest, std::string(context.node)});
      reply.message.content += rest;
      answer.missing.push_back(
          "Not everything in this answer is proved; its end says what is not.");
      answer.status = AnswerStatus::kPartial;
    }
  }
  return update_of(reply.message, answer, {}, state, model.events)
      .add(copilot_fields().usage, limited.used());
}

// A verified example that may answer directly: as a call with its receipt, like any other evidence.
Result<std::optional<Update>> answer_verified(const CopilotServices& services,
                                              const CopilotState& state, const Context& context,
                                              const Reading& reading, EventSink& events) {
  // What leans on the conversation is about the conversation.
  if (reading.intent.follow_up) return std::nullopt;
  Answer answer;
  answer.intent = reading.intent;
  if (!TRY(answer_from_golden(answer, services.search, services.store, context.clock->now())))
    return std::nullopt;
  Receipt& receipt = answer.receipts.front();
  receipt.id = fmt::format("R{}", state.receipts.size() + 1);
  receipt.call = fmt::format("call_{}_1", reading.place);
  for (Source& source : answer.sources) source.receipt = receipt.id;
  const CopilotFields& fields = copilot_fields();
  Message call{Role::kAssistant, ""};
  call.tool_calls = {{receipt.call, receipt.tool, receipt.args}};
  Update update = update_of(call, answer, {}, state, events);
  update.add(fields.messages,
             Message{.role = Role::kTool, .content = receipt.text, .tool_call_id = receipt.call});
  update.add(fields.receipts, receipt);
  update.add(fields.messages, Message{Role::kAssistant, answer.text});
  events.emit({Event::Type::kToken, answer.text, std::string(context.node)});
  return update;
}

// What the policy demands is called before a model says anything: it answers with the results before
// it. A second look follows the first.
std::vector<PlannedCall> demanded_calls(const CopilotServices& services, const Reading& reading) {
  if (!reading.called) return plan_live(reading, services);
  const std::string again = fmt::format("call_{}_again_", reading.place);
  const bool looked = std::ranges::any_of(
      reading.receipts, [&](const Receipt& r) { return r.call.starts_with(again); });
  return looked ? std::vector<PlannedCall>() : plan_again(reading, services);
}

std::optional<Update> call_what_is_demanded(const CopilotServices& services,
                                            const CopilotState& state, const Reading& reading,
                                            EventSink& events) {
  const std::vector<PlannedCall> planned = demanded_calls(services, reading);
  if (planned.empty()) return std::nullopt;
  Message call{Role::kAssistant, ""};
  for (const PlannedCall& p : planned) {
    call.tool_calls.push_back(
        {fmt::format("call_{}_{}{}", reading.place, reading.called ? "again_" : "",
                     call.tool_calls.size() + 1),
         p.tool, dump(p.args)});
  }
  Answer answer;
  answer.intent = reading.intent;
  return update_of(call, answer, planned, state, events);
}

}  // namespace

Result<Update> support_bot(const CopilotServices& services, const CopilotState& state,
                           const Context& context, EventSink& events) {
  TRY(context.check());
  const size_t at = last_question(state.messages);
  if (at == state.messages.size())
    return fail(ErrorCode::kInvalidArgument, "the conversation has no question; ask one");
  const std::string& question = state.messages[at].content;
  const Reading reading =
      read_conversation(messages_of(state), state.receipts, services, context.clock->now());
  const bool begins = at + 1 == state.messages.size();
  if (begins) {
    if (auto update = TRY(answer_verified(services, state, context, reading, events)))
      return std::move(*update);
  }
  // Once a model has failed, the turn is finished without it.
  const std::string failed = begins ? "" : state.answer.fallback;
  if (services.model == nullptr || !failed.empty())
    return reason_offline(services, state, context, events, reading, failed);
  if (auto update = call_what_is_demanded(services, state, reading, events))
    return std::move(*update);
  const std::string verified = redact(
      verified_knowledge_section(TRY(find_golden(question, services.search, services.store))));
  SpokenText spoken(events, named_hosts(state));
  ModelContext model{spoken, context.token(), context.deadline, std::string(context.node)};
  Result<Update> update = ask_model(services, state, context, model, reading, verified);
  spoken.finish();
  if (update || update.error().code == ErrorCode::kCancelled) return update;
  const std::string note =
      fmt::format("The model {} gave no answer ({}); the offline reasoner answers instead.",
                  services.model->name(), redact(update.error().text()));
  events.status(note);
  return reason_offline(services, state, context, events, reading, note);
}

}  // namespace precedent
