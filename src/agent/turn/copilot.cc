#include "agent/turn/copilot.h"

#include <fmt/format.h>

#include "agent/sources/system_names.h"
#include "agent/turn/title_task.h"
#include "agent/turn/tracing.h"
#include "base/redact.h"

namespace precedent {
namespace {

RunOptions run_options(const AskOptions& options, const Limits& limits, const Clock& clock,
                       const CancelToken& cancel, const TraceContext& trace) {
  RunOptions run;
  run.thread = options.thread;
  run.modes = options.modes;
  run.durability = options.durability;
  run.on_write_failure = WriteFailure::kGoOn;
  run.cancel = &cancel;
  run.deadline = options.deadline;
  run.limits = limits;
  run.clock = &clock;
  run.trace = trace;
  return run;
}

// What a run of the graph works with, and what may work beside it: that ends with it.
struct TurnRun {
  TurnRun(const CopilotServices& services, const AskOptions& asked, const Clock& clock,
          EventSink& events, const CancelToken& cancel, const TraceContext& trace)
      : said(asked.modes, events),
        title(services, said),
        options(run_options(asked, services.limits, clock, cancel, trace)) {
    options.local = &title;
  }

  RunSink said;
  TitleTask title;
  RunOptions options;
};

Update input_of(const Question& question, const AskOptions& options, uint64_t dataset_version) {
  const CopilotFields& fields = copilot_fields();
  Update input;
  // Secrets go before the first checkpoint sees them.
  for (Message message : question.history) {
    message.content = redact(message.content);
    input.add(fields.messages, std::move(message));
  }
  input.add(fields.messages, Message{Role::kUser, redact(question.text)});
  input.add(fields.session_id, options.thread);
  if (!options.user.empty()) input.add(fields.user_id, options.user);
  input.add(fields.langfuse_enabled, options.langfuse_enabled);
  input.add(fields.generate_title, options.generate_title);
  input.add(fields.explain, options.explain);
  // Who asks on wants it back among the others.
  input.add(fields.archived, false);
  input.add(fields.usage, RunUse());
  input.add(fields.dataset_version, dataset_version);
  return input;
}

}  // namespace

Result<std::unique_ptr<Copilot>> Copilot::create(const CopilotServices& services,
                                                 Checkpointer* checkpointer) {
  CopilotServices own = services;
  own.names = std::make_shared<SystemNames>();
  // Before the memory is taken: TRY would leave it with nobody.
  auto graph = TRY(create_agent_graph(own, checkpointer));
  return std::unique_ptr<Copilot>(new Copilot(own, std::move(graph)));
}

// The containment line of a request: whatever escapes below becomes a reply that says so.
template <typename Run>
Reply Copilot::contained(const AskOptions& options, Run run) const {
  try {
    const Result<RunResult<CopilotState>> done = run();
    if (done) return reply_of(*done, options.thread);
    Reply failed = plain_reply(
        AnswerStatus::kError,
        fmt::format("The question could not be answered: {}", redact(done.error().text())),
        options.thread);
    failed.busy = done.error().code == ErrorCode::kConflict;
    return failed;
  } catch (const std::exception& error) {
    return plain_reply(AnswerStatus::kError,
                       fmt::format("The question could not be answered: {}. This is a fault of "
                                   "precedent, please report it.",
                                   redact(error.what())),
                       options.thread);
  }
}

Reply Copilot::ask(const Question& question, const AskOptions& options, const Clock& clock,
                   EventSink& events, const CancelToken& cancel) const {
  ScopedSpan turn = open_turn(services_, options, question.text);
  Reply reply = contained(options, [&]() -> Result<RunResult<CopilotState>> {
    // What cannot be a question never becomes part of a conversation.
    const Verdict valid = validate_question(question.text, services_.limits,
                                            choices_of(services_.search.catalogue()));
    if (valid.action != Verdict::Action::kAllow) {
      RunResult<CopilotState> refused;
      refused.state.answer.status = valid.action == Verdict::Action::kAskBack
                                        ? AnswerStatus::kNeedsInput
                                        : AnswerStatus::kError;
      refused.state.answer.missing = {valid.message};
      refused.state.messages.put({Role::kAssistant, valid.message});
      return refused;
    }
    TurnRun run(services_, options, clock, events, cancel, turn.context());
    // A store that cannot be read is told by whoever looks into it for the answer.
    const uint64_t version = services_.store.active_dataset_version().value_or(0);
    return graph_.run(input_of({valid.question, question.history}, options, version), run.options,
                      run.said);
  });
  close_turn(turn, reply);
  return reply;
}

Reply Copilot::resume(const AskOptions& options, const Clock& clock, EventSink& events,
                      const CancelToken& cancel) const {
  ScopedSpan turn = open_turn(services_, options, "");
  Reply reply = contained(options, [&] {
    TurnRun run(services_, options, clock, events, cancel, turn.context());
    return graph_.resume(run.options, run.said);
  });
  close_turn(turn, reply);
  return reply;
}

Result<void> Copilot::set_title(const std::string& thread, std::string_view title,
                                TimePoint now) const {
  TRY(write(thread, "title", Update().add(copilot_fields().title, std::string(title)), now));
  return {};
}

Result<void> Copilot::set_archived(const std::string& thread, bool archived, TimePoint now) const {
  TRY(write(thread, "archive", Update().add(copilot_fields().archived, archived), now));
  return {};
}

Result<void> Copilot::begin(const std::string& thread, Update update, TimePoint now) const {
  Checkpointer* kept = graph_.checkpointer();
  if (kept == nullptr)
    return fail(ErrorCode::kUnavailable, "no conversation can be kept: the store is not open");
  Step step;
  step.source = StepSource::kInput;
  step.at = now;
  step.tasks.push_back({{"begin"}, std::move(update.writes)});
  TRY(kept->put(thread, std::nullopt, std::span(&step, 1)));
  return {};
}

Result<CheckpointId> Copilot::write(const std::string& thread, const char* name, Update update,
                                    TimePoint now) const {
  Checkpointer* kept = graph_.checkpointer();
  ThreadLease lease;
  if (kept != nullptr) lease = TRY(kept->lease(thread));
  const auto head = kept == nullptr ? std::optional<Head>() : TRY(kept->head(thread));
  if (!head) {
    return fail(ErrorCode::kNotFound,
                fmt::format("the conversation '{}' is not kept; ask something first", thread));
  }
  Step step;
  step.step = TRY(kept->checkpoint(thread, head->checkpoint)).step.step + 1;
  step.at = now;
  step.tasks.push_back({{name}, std::move(update.writes)});
  return kept->put(thread, head->checkpoint, std::span(&step, 1));
}

Result<void> Copilot::rewind(const std::string& thread, CheckpointId checkpoint,
                             const std::string& left, TimePoint now) const {
  Checkpointer* kept = graph_.checkpointer();
  if (kept == nullptr) return fail(ErrorCode::kNotFound, "no conversation is kept here");
  const ThreadLease lease = TRY(kept->lease(thread));
  TRY(kept->rewind(thread, checkpoint, left, now));
  return set_archived(left, true, now);
}

}  // namespace precedent
