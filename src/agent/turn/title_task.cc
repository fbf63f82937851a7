#include "agent/turn/title_task.h"

#include <fmt/format.h>

#include <utility>

#include "agent/compose/title.h"
#include "agent/turn/traced_model.h"
#include "base/helpers.h"
#include "base/redact.h"

namespace precedent {
namespace {

// It delays nobody, but a model that has not named a conversation by then never will.
constexpr std::chrono::seconds kTitleTime{30};

// The questions so far. An answer is not waited for, and those before it need not leave again.
std::string questions_of(const CopilotState& state) {
  std::string text;
  for (const Message& message : state.messages) {
    if (message.content.empty() || message.role != Role::kUser) continue;
    text += fmt::format("[{}] {}\n", name(message.role), message.content);
  }
  return text;
}

}  // namespace

TitleTask* title_task(const Context& context) { return dynamic_cast<TitleTask*>(context.local); }

void TitleTask::start(const CopilotState& state, const Context& context) {
  if (started_ || services_.model == nullptr || !state.generate_title || !state.title.empty())
    return;
  started_ = true;
  auto prompt = services_.prompts.render("title", {{"transcript", questions_of(state)}});
  if (!prompt) return;
  prompt_ = std::move(*prompt);
  thread_ = context.thread;
  state_ = state;
  // The answer goes first: where the limit leaves one request, it is the answer's.
  ++state_.usage.steps;
  // The run's own views end with its nodes.
  context_ = {.thread = thread_, .node = kTitleNode, .cancel = &cancel_, .limits = context.limits};
  context_.trace = context.trace;
  context_.started = context.started;
  helper_ = start_helpers(1, [this] { ask(); });
}

TitleTask::Made TitleTask::take() {
  cancel_.cancel();
  helper_.clear();  // joins
  return std::exchange(made_, {});
}

void TitleTask::ask() {
  if (cancel_.cancelled()) return;
  try {
    NullSink silent;  // what the run waits for is the answer
    NodeModel models(services_, state_, context_, silent);
    made_.title = title_from_model(models);
    made_.use = models.used();
    made_.use -= state_.usage;
    made_.use.time = {};
    if (!made_.title.empty())
      said_.emit({Event::Type::kTitle, made_.title, std::string(kTitleNode)});
  } catch (const std::exception&) {
    // As one that failed: the offline title takes its place.
    made_ = {};
  }
}

std::string TitleTask::title_from_model(NodeModel& models) {
  NullSink silent;
  ModelContext model{silent, cancel_, std::chrono::steady_clock::now() + kTitleTime,
                     std::string(kTitleNode)};
  const auto reply =
      models.run("Title Generator LLM").complete({.messages = {{Role::kUser, prompt_}}}, model);
  return reply ? clean_title(redact(reply->message.content), "") : "";
}

}  // namespace precedent
