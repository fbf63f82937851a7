// The node that thinks: verified examples first, then a model, or the offline reasoner.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/compose/offline_reasoner.h"
#include "agent/evidence/golden_answer.h"
#include "agent/model/model_planner.h"
#include "agent/model/proof.h"
#include "agent/model/spoken_text.h"
#include "agent/plan/call_ids.h"
#include "agent/plan/call_reasons.h"
#include "agent/plan/plan_live.h"
#include "agent/turn/draft_check.h"
#include "agent/turn/model_answer.h"
#include "agent/turn/nodes.h"
#include "agent/turn/title_task.h"
#include "agent/turn/traced_model.h"
#include "agent/understand/intent_type.h"
#include "agent/understand/reading.h"
#include "base/foreign_json.h"
#include "base/redact.h"

namespace precedent {
namespace {

using nlohmann::json;

std::vector<Message> messages_of(const CopilotState& state) {
  return {state.messages.begin(), state.messages.end()};
}

json plan_json(const std::vector<ToolCall>& calls, const std::vector<PlannedCall>& planned) {
  json plan = json::array();
  for (size_t i = 0; i < calls.size(); ++i) {
    json step = {{"tool", calls[i].name}, {"args", json_or_text(calls[i].args)}};
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
  // A refusal, or what rests on nothing that was looked up, has nothing to prove.
  const bool answers =
      answer.status == AnswerStatus::kOk || answer.status == AnswerStatus::kPartial;
  if (answers && !(answer.receipts.empty() && answer.remembered.empty()))
    record.proof = answer.proof;
  for (const Receipt& receipt : answer.remembered) record.remembered.push_back(receipt.id);
  if (explain) record.explain = answer.explain;
  record.sections = answer.sections;
  return record;
}

// What the intent decided is kept with the question, for logs and for who checks the answer.
Update update_of(const Message& message, const Answer& answer,
                 const std::vector<PlannedCall>& planned, const Reading& reading,
                 const CopilotState& state, EventSink& events, const std::string& fallback = {}) {
  const CopilotFields& fields = copilot_fields();
  Update update;
  KeptReading kept = keep(reading);
  const std::vector<KeptCall> calls = reasons_of(planned, message.tool_calls, reading.receipts);
  kept.calls.insert(kept.calls.end(), calls.begin(), calls.end());
  if (state.messages.back().role == Role::kUser || !calls.empty()) update.add(fields.reading, kept);
  update.add(fields.messages, message);
  if (!message.tool_calls.empty()) {
    json plan = plan_json(message.tool_calls, planned);
    events.emit({.type = Event::Type::kPlan, .data = dump_json(plan)});
    if (state.messages.back().role == Role::kTool) {
      // A further round of calls for the same question.
      json whole = parse_json_leniently(state.plan);
      if (whole.is_array())
        whole.insert(whole.end(), plan.begin(), plan.end()), plan = std::move(whole);
    }
    update.add(fields.intent, dump_json(to_json(answer.intent)));
    update.add(fields.plan, dump_json(plan));
  } else if (answer.receipts.empty()) {
    update.add(fields.intent, dump_json(to_json(answer.intent)));
    update.add(fields.plan, std::string("[]"));
  }
  AnswerRecord record = record_of(answer, state.explain);
  record.fallback = fallback;
  for (const Demand& demand : unmet(reading.demands, reading.receipts))
    if (std::ranges::find(record.unmet, demand.rule) == record.unmet.end())
      record.unmet.push_back(demand.rule);
  update.add(fields.answer, record);
  return update;
}

// What the program composed is proved by how it was made; a text in which a secret had to go is no
// longer what was composed, and is checked as any other.
Verification prove_offline(std::string_view text, const Answer& answer, const CopilotState& state,
                           const LearnedReader* judge) {
  CopilotState told = state;
  told.answer = record_of(answer, false);
  return text.starts_with(answer.text) ? prove_composed(text, answer.spans, told)
                                       : verify_answer(text, told, ProofReach::kTurn, judge);
}

Result<Update> reason_offline(const CopilotServices& services, const CopilotState& state,
                              const Context& context, EventSink& sink, const Reading& reading,
                              const std::string& note) {
  SpokenText events(sink, std::nullopt);
  OfflineReasoner reasoner({services.sources(), services.policy, reading});
  ModelContext model{events, context.token(), context.deadline, std::string(context.node)};
  NullSink silent;  // nobody waits for the reasoner
  TracedModel traced(reasoner, services, state, context, kSupportBotRun, silent);
  ModelReply reply = TRY(traced.complete({.messages = messages_of(state)}, model));
  Answer answer = reasoner.answer();
  reply.message.content = safe_answer(reply.message.content, std::nullopt);
  // A secret that had to go moved what stands behind it.
  if (!reply.message.content.starts_with(answer.text)) answer.sections.clear();
  std::vector<std::string> notes;
  if (!note.empty()) notes.push_back(note);
  if (!reading.unread.empty()) notes.push_back(reading.unread);
  for (const std::string& told : notes) {
    answer.missing.push_back(told);
    if (answer.status == AnswerStatus::kOk) answer.status = AnswerStatus::kPartial;
    if (reply.message.tool_calls.empty()) {
      const std::string said = "\n" + told + "\n";
      const auto begin = static_cast<uint32_t>(reply.message.content.size());
      events.emit({Event::Type::kToken, said, std::string(context.node)});
      reply.message.content += said;
      answer.spans.push_back(
          {{begin, static_cast<uint32_t>(reply.message.content.size())}, Origin::kNote});
    }
  }
  if (reply.message.tool_calls.empty()) {
    if (!(answer.receipts.empty() && answer.remembered.empty()))
      answer.proof = prove_offline(reply.message.content, answer, state, services.judge);
    const std::string offer = TRY(offer_of_golden(reading.intent, services.search, services.store));
    if (!offer.empty()) events.emit({Event::Type::kToken, offer, std::string(context.node)});
    reply.message.content += offer;
  }
  events.finish();
  return update_of(reply.message, answer, reasoner.planned(), reading, state, events, note);
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
  answer.proof = verify(answer.text, answer.receipts);
  const CopilotFields& fields = copilot_fields();
  Message call{Role::kAssistant, ""};
  call.tool_calls = {{receipt.call, receipt.tool, receipt.args}};
  Update update = update_of(call, answer, {}, reading, state, events);
  update.add(fields.messages,
             Message{.role = Role::kTool, .content = receipt.text, .tool_call_id = receipt.call});
  update.add(fields.receipts, receipt);
  update.add(fields.messages, Message{Role::kAssistant, answer.text});
  events.emit({Event::Type::kToken, answer.text, std::string(context.node)});
  return update;
}

// Where the rules are unsure a model says what the question is after; that stands for the whole
// turn.
void settle_type(Reading& reading, const CopilotServices& services, const Context& context,
                 NodeModel& models) {
  Intent& intent = reading.intent;
  // Rules and adapter do not agree.
  const bool unsure = intent.after.has_value();
  if (services.model == nullptr || intent.follow_up || !unsure) return;
  TracedModel classifier = models.run("Intent LLM");
  const auto type = ModelPlanner(classifier, services.prompts, context.token())
                        .classify(intent.asked.text.to_show());
  if (!type) return;
  take_type(intent, *type);
  intent.cues.emplace_back("the model read it so");
  take_demands(reading, services.sources(), services.policy);
}

// What the policy demands is called before a model says anything: it answers with the results
// before it. A second look follows the first.
std::vector<PlannedCall> demanded_calls(const CopilotServices& services, const Reading& reading) {
  if (!reading.has_calls) return plan_live(reading, services.sources(), services.policy);
  return was_called(reading, true) ? std::vector<PlannedCall>()
                                   : plan_again(reading, services.sources(), services.policy);
}

std::optional<Update> call_what_is_demanded(const CopilotServices& services,
                                            const CopilotState& state, const Context& context,
                                            NodeModel& models, const Reading& reading,
                                            EventSink& events) {
  std::vector<PlannedCall> planned = demanded_calls(services, reading);
  if (planned.empty()) return std::nullopt;
  const size_t own = planned.size();
  if (!reading.has_calls) {
    // What the rules planned is done whatever the model says; a model that fails adds nothing.
    TracedModel planner = models.run("Planner LLM");
    const auto further = ModelPlanner(planner, services.prompts, context.token())
                             .further_steps(reading, planned, services.tools);
    if (further) planned.insert(planned.end(), further->begin(), further->end());
    if (planned.size() > services.policy.max_calls) planned.resize(services.policy.max_calls);
  }
  Message call{Role::kAssistant, ""};
  for (size_t i = 0; i < planned.size(); ++i)
    call.tool_calls.push_back({call_id(reading, reading.has_calls, i + 1, i >= own),
                               planned[i].tool(), arguments_of(planned[i])});
  Answer answer;
  answer.intent = reading.intent;
  return update_of(call, answer, planned, reading, state, events);
}

Result<Update> think(const CopilotServices& services, const CopilotState& state,
                     const Context& context, NodeModel& models, EventSink& events) {
  const size_t at = last_question(state.messages);
  if (at == state.messages.size())
    return fail(ErrorCode::kInvalidArgument, "the conversation has no question; ask one");
  Reading reading = reading_of(services, state, context);
  const bool begins = at + 1 == state.messages.size();
  if (begins) settle_type(reading, services, context, models);
  if (begins) {
    if (auto update = TRY(answer_verified(services, state, context, reading, events)))
      return std::move(*update);
  }
  // Once a model has failed, the turn is finished without it.
  const std::string failed = begins ? "" : state.answer.fallback;
  if (services.model == nullptr || !failed.empty())
    return reason_offline(services, state, context, events, reading, failed);
  if (auto update = call_what_is_demanded(services, state, context, models, reading, events))
    return std::move(*update);
  const std::string verified = redact(verified_knowledge_section(
      TRY(find_golden(reading.question, services.search, services.store))));
  DraftCheck checked(events, state, services.judge);
  SpokenText spoken = SpokenText::of_drafts(checked, named_hosts(state), std::string(context.node));
  ModelContext model{spoken, context.token(), context.deadline, std::string(context.node)};
  const Result<ModelTurn> turn =
      ask_model(services, state, context, models, model, reading, verified);
  // Only what was checked stands. What a model says beside its calls answers nothing.
  const bool answers = turn && turn->message.tool_calls.empty();
  spoken.settle(answers ? std::string_view(turn->message.content) : std::string_view());
  if (turn) {
    Update update = update_of(turn->message, turn->answer, {}, reading, state, events);
    if (turn->summary != state.summary) update.add(copilot_fields().summary, turn->summary);
    return update;
  }
  if (turn.error().code == ErrorCode::kCancelled) return std::unexpected(turn.error());
  const std::string note =
      fmt::format("The model {} gave no answer ({}); the offline reasoner answers instead.",
                  services.model->name(), redact(turn.error().text()));
  events.status(note);
  return reason_offline(services, state, context, events, reading, note);
}

}  // namespace

Result<Update> support_bot(const CopilotServices& services, const CopilotState& state,
                           const Context& context, EventSink& events) {
  TRY(context.check());
  if (TitleTask* title = title_task(context)) title->start(state, context);
  NodeModel models(services, state, context, events);
  return models.keep_use(TRY(think(services, state, context, models, events)));
}

}  // namespace precedent
