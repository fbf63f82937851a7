#include "agent/turn/nodes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/compose/title.h"
#include "agent/language/field_words.h"
#include "agent/language/plain_words.h"
#include "agent/slots/unread_script.h"
#include "agent/turn/title_task.h"
#include "agent/turn/tracing.h"
#include "agent/understand/reading.h"
#include "base/strings.h"

namespace precedent {
namespace {

AnswerStatus status_of(const Verdict& verdict) {
  if (verdict.action == Verdict::Action::kAskBack) return AnswerStatus::kNeedsInput;
  // Size and encoding are mistakes of the caller, not things we will not talk about.
  const bool unreadable =
      verdict.code == "too_long" || verdict.code == "invalid_utf8" || verdict.code == "binary";
  return unreadable ? AnswerStatus::kError : AnswerStatus::kRefused;
}

// What the guardrails decided, as an intent; "{}" for what is no question.
std::string intent_of(AnswerStatus status, const std::string& reason) {
  if (status == AnswerStatus::kNeedsInput)
    return unread_intent(QuestionType::kAmbiguous, reason).dump();
  if (status == AnswerStatus::kRefused)
    return unread_intent(QuestionType::kOffTopic, reason).dump();
  return "{}";
}

Update answered(AnswerStatus status, const std::string& text, const std::string& reason,
                const CopilotState& state) {
  const CopilotFields& fields = copilot_fields();
  Update update;
  AnswerRecord record;
  record.status = status;
  if (status != AnswerStatus::kOk) record.missing = {text};
  if (state.explain && !reason.empty()) record.explain.push_back("guardrail: " + reason);
  update.add(fields.messages, Message{Role::kAssistant, text});
  update.add(fields.answer, record);
  update.add(fields.intent, intent_of(status, reason));
  update.add(fields.plan, std::string("[]"));
  return update;
}

// A name of the knowledge base that the question holds, or "".
std::string known_name_in(std::string_view question, const Searcher& search) {
  const auto names = find_names(question, search.catalogue());
  return names.empty() ? "" : names.front().name;
}

// Empty where there are no vectors, or none of this length: another part of a turn will say so.
std::optional<double> nearest_known(std::span<const float> question, const KnowledgeIndex& index) {
  const auto nearest = index.search_dense(question, {}, 1);
  if (!nearest || nearest->empty()) return std::nullopt;
  return nearest->front().score;
}

// The questions before message `at`, each with the answer that it got; oldest first.
std::vector<PastTurn> past_turns(const SharedList<Message>& messages, size_t at) {
  std::vector<PastTurn> turns;
  for (size_t i = 0; i < at; ++i) {
    const Message& message = messages[i];
    if (message.role == Role::kUser) turns.push_back({.question = message.content, .answer = ""});
    if (message.role == Role::kAssistant && !turns.empty() && !message.content.empty())
      turns.back().answer = message.content;
  }
  return turns;
}

// Whether the question is about something that the conversation named.
bool leans_on_history(const Intent& intent) {
  return intent.follow_up && (!intent.ids.empty() || !intent.candidates.empty() ||
                              !intent.document.empty() || !intent.live.empty());
}

// "Phone?", "and at night?": so few words behind others are about what was talked about, whatever
// they resemble alone.
bool is_terse(std::string_view question) {
  constexpr size_t kMostWords = 3;
  return plain_words(question).words.size() <= kMostWords;
}

}  // namespace

Reading reading_of(const CopilotServices& services, const CopilotState& state,
                   const Context& context) {
  return read_conversation({state.messages.begin(), state.messages.end()}, state.receipts,
                           services.sources(), services.policy, context.clock->now(),
                           state.reading);
}

Result<Update> guardrail_check(const CopilotServices& services, const CopilotState& state,
                               const Context& context, EventSink& events) {
  TRY(context.check());
  const size_t at = last_question(state.messages);
  if (at == state.messages.size())
    return fail(ErrorCode::kInvalidArgument, "the conversation has no question; ask one");
  const auto say = [&](AnswerStatus status, const std::string& text, const std::string& reason) {
    events.emit({Event::Type::kToken, text, std::string(context.node)});
    return answered(status, text, reason, state);
  };
  const std::string& asked = state.messages[at].content;
  if (is_chatter(asked) && !is_unread_script(asked)) {
    return at > 0 ? say(AnswerStatus::kOk, "All right. Ask again any time.", "nothing is asked")
                  : say(AnswerStatus::kNeedsInput,
                        "Ready when you are. " + services.guardrails.offer(), "nothing is asked");
  }
  GuardrailContext around;
  around.has_history = at > 0;
  around.past = past_turns(state.messages, at);
  around.live = services.live.metrics != nullptr || services.live.alerts != nullptr;
  Update update;
  if (at > 0 && is_terse(asked)) {
    around.leans_on_history = true;
  } else if (at > 0) {
    const Reading reading = reading_of(services, state, context);
    around.leans_on_history = leans_on_history(reading.intent);
    update.add(copilot_fields().reading, keep(reading));
  }
  around.model = services.model != nullptr;
  around.limits = services.limits;
  around.choices = choices_of(services.search.catalogue());
  around.known_name = [&](std::string_view question) {
    return known_name_in(question, services.search);
  };
  around.things_named = [&](std::string_view question) {
    return things_named(question, services.search.catalogue(), context.clock->now());
  };
  around.nearest_known = [&](std::span<const float> question) {
    return nearest_known(question, services.search.index());
  };
  ScopedSpan span = open_span(services, state, context, "guardrail_check");
  const Verdict verdict = services.guardrails.check(asked, around);
  if (verdict.action != Verdict::Action::kAllow) span.set("precedent.guardrail", verdict.code);
  if (verdict.action != Verdict::Action::kAllow) {
    const std::string offer =
        verdict.choices.empty() ? ""
                                : fmt::format("\n\nFor example: {}.", join(verdict.choices, ", "));
    return say(status_of(verdict), verdict.message + offer, verdict.reason);
  }
  if (services.search.index().info().documents == 0) {
    if (services.scoped)
      return say(AnswerStatus::kPartial,
                 "You have access to no documents here. If you expected to have, ask whoever gave "
                 "you access.",
                 "");
    return say(AnswerStatus::kPartial,
               "The knowledge base is empty. Fill it with `precedent ingest PATH…` (incidents as "
               "JSON or CSV, runbooks as Markdown) and ask again.",
               "");
  }
  return update;
}

Labels may_be_answered(const CopilotState& state, EventSink&) {
  return state.messages.back().role == Role::kUser ? "allowed" : "answered";
}

Labels wants_tool(const CopilotState& state, EventSink& events) {
  if (!state.messages.back().tool_calls.empty()) {
    events.status("Analyzing your request... please hold on.");
    return "continue";
  }
  if (state.title.empty() && state.generate_title) return "title_generation";
  events.status("Almost done, wrapping up the details");
  return "end";
}

Result<Update> title_generation(const CopilotServices& services, const CopilotState& state,
                                const Context& context, EventSink& events) {
  TitleTask* beside = title_task(context);
  const TitleTask::Made made = beside == nullptr ? TitleTask::Made() : beside->take();
  std::string title = made.title;
  if (title.empty()) {
    events.status("Generating title for the incident report...");
    title =
        offline_title({state.messages.begin(), state.messages.end()}, services.search.catalogue());
    if (services.model == nullptr) trace_offline_title(services, state, context, title);
    events.title(title);
  }
  events.status("Almost done, wrapping up the details");
  Update update = Update().add(copilot_fields().title, title);
  RunUse usage = state.usage;
  usage += made.use;
  if (usage != state.usage) update.add(copilot_fields().usage, usage);
  return update;
}

}  // namespace precedent
