#include "agent/turn/model_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/compose/compose_writer.h"
#include "agent/compose/failures.h"
#include "agent/evidence/receipt_notes.h"
#include "agent/model/model_planner.h"
#include "agent/model/model_view.h"
#include "agent/model/proof.h"
#include "agent/model/spoken_text.h"
#include "agent/model/tool_descriptions.h"
#include "agent/plan/call_ids.h"
#include "agent/plan/call_reasons.h"
#include "agent/plan/plan_live.h"
#include "base/redact.h"
#include "base/redact_json.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "grounding/repair.h"
#include "llm/call_check.h"
#include "llm/compaction.h"

namespace precedent {
namespace {

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

// Ids of calls are what receipts are found by: vendors leave them out or give them twice. One of
// the form of the program's own calls would be trusted as such.
void make_ids_unique(Message& reply, const CopilotState& state) {
  std::set<std::string> used;
  for (const Message& message : state.messages)
    for (const ToolCall& call : message.tool_calls) used.insert(call.id);
  for (ToolCall& call : reply.tool_calls) {
    if (call.id.empty() || used.contains(call.id) || is_programs_call(call.id))
      call.id = fmt::format("model_{}_{}", state.messages.size(), used.size() + 1);
    used.insert(call.id);
  }
}

// Of what a model says instead of an answer, enough to see why.
constexpr size_t kMaxRefusalBytes = 200;
// Rounds of tools for one question; a model that needs more is not getting anywhere.
constexpr size_t kMaxRounds = 8;

// Errors: kResourceExhausted for a model that repeats itself or never comes to an answer.
Result<void> check_progress(const CopilotState& state, const Message& reply) {
  if (reply.tool_calls.empty()) return {};
  const std::vector<Message> messages(state.messages.begin(), state.messages.end());
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

std::string gaps_text(const Reading& reading) {
  std::string gaps;
  for (const Demand& demand : unmet(reading.demands, reading.receipts))
    gaps += "- " + not_configured(demand) + "\n";
  return gaps;
}

// The rules, and where the policy had something carried out for the model, how to answer from it.
Result<std::string> system_prompt(const CopilotServices& services, const Context& context,
                                  const Reading& reading, const std::string& verified) {
  std::string prompt = TRY(services.prompts.render(
      "system", {{"now", format_time(context.clock->now())}, {"verified_knowledge", verified}}));
  const bool demanded = std::ranges::any_of(reading.demands, &Demand::must);
  if (!demanded || !reading.has_calls) return prompt;
  prompt += "\n\n" + TRY(services.prompts.render(
                         "executor", {{"plan", plan_text(planned_calls(reading.receipts))},
                                      {"notes", notes_text(reading.receipts)},
                                      {"gaps", gaps_text(reading)}}));
  return prompt;
}

// Whether tools found something for the question, and nothing that a model says rests on it:
// "Done."
bool says_nothing_of(const Verification& verification, const Reading& reading) {
  const auto has = [&](ClaimVerdict verdict) { return verification.count(verdict) > 0; };
  const bool general_will_do = reading.intent.type == QuestionType::kConceptual ||
                               std::ranges::none_of(reading.demands, &Demand::must);
  return !has(ClaimVerdict::kSupported) && !has(ClaimVerdict::kHypothesis) &&
         !(general_will_do && has(ClaimVerdict::kGeneralKnowledge)) &&
         std::ranges::any_of(reading.receipts, [](const Receipt& receipt) {
           return receipt.status == ReceiptStatus::kOk;
         });
}

// The answer with what nothing proved mended, or marked where it stands and quoted with the reason
// at the end. Errors: kUnavailable where none of it rests on what was found.
Result<void> prove(ModelReply& reply, Answer& answer, const CopilotState& state,
                   const Reading& reading, const ModelRequest& request, ChatModel& thinker,
                   ModelContext& model, const LearnedReader* judge) {
  std::string& text = reply.message.content;
  Verification verification = verify_answer(text, state, ProofReach::kThread, judge);
  const auto check = [&]() -> Result<void> {
    if (!says_nothing_of(verification, reading)) return {};
    return fail(ErrorCode::kUnavailable, "nothing that it says rests on what was found");
  };
  if (verification.count(ClaimVerdict::kUnsupported) == 0) {
    TRY(check());
    answer.proof = std::move(verification);
    return {};
  }
  ModelRequest again = request;
  again.tools.clear();
  again.messages.push_back(reply.message);
  again.messages.push_back({Role::kUser, repair_request(text, verification)});
  model.events.status("Checking the draft: parts of it are not in the results...");
  NullSink silent;
  ModelContext quiet{silent, model.cancel, model.deadline};
  const auto repaired = thinker.complete(again, quiet);
  if (repaired && !trim(repaired->message.content).empty() &&
      repaired->message.tool_calls.empty()) {
    std::string second = safe_answer(repaired->message.content, named_hosts(state));
    Verification checked = verify_answer(second, state, ProofReach::kThread, judge);
    // Saying next to nothing proves nothing, either.
    const bool says_something = checked.count(ClaimVerdict::kSupported) > 0;
    if (says_something && checked.count(ClaimVerdict::kUnsupported) <
                              verification.count(ClaimVerdict::kUnsupported)) {
      text = std::move(second);
      verification = std::move(checked);
    }
  }
  TRY(check());
  const std::string rest = unproved(text, verification);
  if (rest.empty()) {
    answer.proof = std::move(verification);
    return {};
  }
  text = mark_unsupported(text, verification) + rest;
  answer.proof = std::move(verification);
  answer.missing.emplace_back(kPartlyUnproved);
  answer.status = AnswerStatus::kPartial;
  return {};
}

// What could not be looked at, right below what the model says first. A call that the model alone
// made in vain is its own affair.
void tell_failures(std::string& text, Answer& answer) {
  std::vector<Receipt> asked = answer.receipts;
  std::erase_if(asked, [](const Receipt& receipt) {
    return receipt.status == ReceiptStatus::kError && !is_programs_call(receipt.call);
  });
  std::vector<std::string> untold;
  for (std::string& failure : failures_of(asked)) {
    if (!text.contains(failure)) untold.push_back(failure);
    answer.missing.push_back(std::move(failure));
    if (answer.status == AnswerStatus::kOk) answer.status = AnswerStatus::kPartial;
  }
  if (untold.empty()) return;
  Answer told;
  told.text = text;
  Writer(told).below_headline(untold);
  // The paragraph break before the first of them is told, too.
  constexpr uint32_t kBreak = 2;
  const uint32_t first = told.spans.front().bytes.begin;
  const auto shift = static_cast<uint32_t>(told.text.size() - text.size());
  for (Claim& claim : answer.proof.claims)
    if (claim.bytes.begin + kBreak >= first) claim.bytes.begin += shift, claim.bytes.end += shift;
  text = std::move(told.text);
}

// By prompts/compact.md. It is kept with the conversation: no secret, nothing that hides.
Result<std::string> write_summary(const CopilotServices& services, const std::string& transcript,
                                  const std::string& before, ChatModel& model,
                                  ModelContext& context) {
  ModelRequest request;
  request.messages = {
      {Role::kUser,
       TRY(services.prompts.render("compact", {{"transcript", transcript}, {"summary", before}}))}};
  request.sampling.max_output_tokens =
      static_cast<int>(max_summary_tokens(services.context_tokens));
  const ModelReply reply = TRY(model.complete(request, context));
  if (!reply.message.tool_calls.empty())
    return fail(ErrorCode::kUnavailable, "the model called a tool instead of summarising");
  return redact(visible_text(reply.message.content));
}

}  // namespace

Result<ModelTurn> ask_model(const CopilotServices& services, const CopilotState& state,
                            const Context& context, NodeModel& models, ModelContext& model,
                            const Reading& reading, const std::string& verified) {
  ModelRequest request;
  std::vector<Message> messages = {
      {Role::kSystem, TRY(system_prompt(services, context, reading, verified))}};
  for (Message& message : defused_messages(state)) messages.push_back(std::move(message));
  NullSink silent;
  ModelContext quiet{silent, model.cancel, model.deadline};
  TracedModel summarizer = models.run("Conversation Summary LLM");
  const auto summarize = [&](const std::string& transcript,
                             const std::string& before) -> Result<std::string> {
    return write_summary(services, transcript, before, summarizer, quiet);
  };
  CompactionOptions options{.max_tokens = services.context_tokens};
  for (const Receipt& receipt : state.receipts) options.receipts[receipt.call] = receipt.id;
  Compaction compacted = TRY(compact(messages, state.summary, options, summarize));
  request.messages = std::move(compacted.messages);
  delimit_results(request.messages, state);
  request.tools = describe(services.tools);
  TracedModel thinker = models.run(kSupportBotRun);
  ModelReply reply = TRY(thinker.complete(request, model));
  // What a model says may hold a secret that it was told elsewhere: none is kept.
  reply.message.content = safe_answer(reply.message.content, named_hosts(state));
  for (ToolCall& call : reply.message.tool_calls) {
    call.name = redact(visible_text(call.name));
    call.args = redact_json(call.args);
  }
  if (reply.stop == StopReason::kRefused) {
    const std::string said = squeeze(utf8_prefix(reply.message.content, kMaxRefusalBytes));
    return fail(ErrorCode::kPermission,
                said.empty() ? "it refused to answer" : fmt::format("it refused: '{}'", said));
  }
  make_ids_unique(reply.message, state);
  TRY(check_progress(state, reply.message));
  Answer answer;
  answer.intent = reading.intent;
  answer.text = reply.message.content;
  answer.sources = cited(answer.text, state);
  answer.receipts = reading.receipts;
  if (reply.stop == StopReason::kLength)
    answer.missing.push_back("The model's answer was cut at its limit of tokens.");
  if (!answer.missing.empty()) answer.status = AnswerStatus::kPartial;
  if (reply.message.tool_calls.empty() && trim(reply.message.content).empty())
    return fail(ErrorCode::kUnavailable, "the model gave an empty answer");
  if (reply.message.tool_calls.empty()) {
    TRY(prove(reply, answer, state, reading, request, thinker, model, services.judge));
    tell_failures(reply.message.content, answer);
  }
  return ModelTurn{std::move(reply.message), std::move(answer), std::move(compacted.summary)};
}

}  // namespace precedent
