#include "llm/scripted_model.h"

#include <thread>

namespace precedent {

void emit_words(std::string_view text, ModelContext& context) {
  while (!text.empty()) {
    const size_t begin = text.find_first_not_of(' ');
    const size_t end = begin == std::string_view::npos
                           ? text.size()
                           : std::min(text.size(), text.find(' ', begin));
    context.events.emit({Event::Type::kToken, std::string(text.substr(0, end)), context.node});
    text.remove_prefix(end);
  }
}

void ScriptedModel::add(Step step) {
  const MutexLock lock(mutex_);
  script_.push_back(std::move(step));
}

void ScriptedModel::reply(ModelReply reply) { add(std::move(reply)); }
void ScriptedModel::fail_with(ScriptedFailure failure) { add(std::move(failure)); }
void ScriptedModel::hang() { add(Hang{}); }
void ScriptedModel::compute(std::function<ModelReply(const ModelRequest&)> function) {
  add(std::move(function));
}

void ScriptedModel::answer(std::string text) {
  ModelReply made;
  made.message.content = std::move(text);
  reply(std::move(made));
}

void ScriptedModel::call(std::vector<ToolCall> calls) {
  ModelReply made;
  made.message.tool_calls = std::move(calls);
  made.stop = StopReason::kToolCalls;
  reply(std::move(made));
}

std::vector<ModelRequest> ScriptedModel::requests() const {
  const MutexLock lock(mutex_);
  return requests_;
}

Result<ModelReply> ScriptedModel::complete(const ModelRequest& request, ModelContext& context) {
  TRY(context.check());
  Step step;
  {
    const MutexLock lock(mutex_);
    requests_.push_back(request);
    if (script_.empty())
      return fail(ErrorCode::kUnavailable,
                  "the script of '" + name_ + "' is over: one request more than expected");
    step = std::move(script_.front());
    script_.pop_front();
  }
  if (auto* failure = std::get_if<ScriptedFailure>(&step)) {
    emit_words(failure->said_before, context);
    context.failure = failure->failure;
    return std::unexpected(failure->error);
  }
  if (std::holds_alternative<Hang>(step)) {
    ++hanging_;
    while (!context.cancel.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --hanging_;
    return std::unexpected(context.cancel.check().error());
  }
  ModelReply reply = std::holds_alternative<ModelReply>(step)
                         ? std::get<ModelReply>(std::move(step))
                         : std::get<2>(step)(request);
  if (reply.model.empty()) reply.model = name_;
  emit_words(reply.message.content, context);
  return reply;
}

}  // namespace precedent
