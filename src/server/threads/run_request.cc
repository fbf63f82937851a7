#include "server/threads/run_request.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "server/threads/thread_shape.h"
#include "server/turns/require_question.h"

namespace precedent {

using nlohmann::json;

namespace {

std::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

bool is_human(const json& message) {
  const json type = message.value("type", message.value("role", json()));
  return type == "human" || type == "user";
}

bool is_ai(const json& message) {
  const json type = message.value("type", message.value("role", json()));
  return type == "ai" || type == "assistant";
}

// `keep_history`: what was said before counts where no thread remembers it.
Result<Question> read_question(const json& input, bool keep_history) {
  if (input.is_string()) return Question{input.get<std::string>(), {}};
  if (!input.is_object()) return wrong("'input' must be an object with messages");
  const json messages = input.value("messages", json());
  if (!messages.is_array() || messages.empty())
    return wrong("'input.messages' must be a list with a human message");
  Question question;
  for (const json& message : messages) {
    if (!message.is_object()) return wrong("a message must be an object with type and content");
    std::string text = TRY(text_of_content(message.value("content", json())));
    if (is_human(message)) {
      question.history.push_back({Role::kUser, std::move(text)});
    } else if (is_ai(message)) {
      question.history.push_back({Role::kAssistant, std::move(text)});
    }
  }
  while (!question.history.empty() && question.history.back().role != Role::kUser)
    question.history.pop_back();
  if (question.history.empty()) return wrong("'input.messages' has no human message");
  question.text = std::move(question.history.back().content);
  question.history.pop_back();
  if (!keep_history) question.history.clear();
  TRY(require_question(question.text, "the last human message"));
  return question;
}

Result<std::optional<CheckpointId>> read_checkpoint(RequestBody& body) {
  for (const char* field : {"checkpoint_id", "checkpoint", "config"})
    if (const auto id = TRY(checkpoint_of(body.value(field)))) return id;
  return std::nullopt;
}

// {resume: text}, or {resume: {"interrupt-12": text}}.
Result<RunRequest> read_resume(const json& command, const std::string& thread,
                               const Threads& threads) {
  const json resume = command.value("resume", json());
  if (thread.empty()) return wrong("'command' needs a thread, in which something was asked back");
  if (resume.is_object() && resume.size() == 1)
    return read_answer(thread, resume.begin().key(), resume.begin().value(), threads);
  return read_answer(thread, "", resume, threads);
}

}  // namespace

std::string unsupported(RequestBody& body) {
  for (const char* field : {"multitask_strategy", "multitaskStrategy"})
    if (const json strategy = body.value(field); !strategy.is_null() && strategy != "reject")
      return fmt::format(
          "the multitask strategy {} is not offered; one run at a time goes on in a "
          "thread, and another is refused ('reject')",
          dump_json(strategy));
  for (const char* field :
       {"interrupt_before", "interrupt_after", "webhook", "after_seconds", "feedback_keys"})
    if (const json value = body.value(field); !value.empty() && value != json(0))
      return fmt::format("'{}' is not offered", field);
  const json command = body.value("command");
  if (!command.is_object()) return "";
  for (const char* field : {"update", "goto"})
    if (!command.value(field, json()).empty())
      return fmt::format("'command.{}' is not offered; 'command.resume' is", field);
  return "";
}

Result<RunRequest> read_answer(const std::string& thread, const std::string& interrupt,
                               const json& answer, const Threads& threads) {
  const json open = TRY(threads.interrupt(thread));
  if (open.is_null())
    return fail(ErrorCode::kConflict,
                fmt::format("nothing was asked back in the thread '{}'; send 'input'", thread));
  if (!interrupt.empty() && open["id"] != interrupt)
    return fail(ErrorCode::kNotFound, fmt::format("there is no open interrupt '{}'; '{}' is",
                                                  interrupt, open["id"].get<std::string>()));
  if (!answer.is_string() || trim(answer.get<std::string>()).empty())
    return wrong("what was asked back is answered with a text");
  RunRequest request;
  request.thread = thread;
  request.question = Question{answer.get<std::string>(), {}};
  request.answers = open["id"];
  return request;
}

Result<RunRequest> read_run(RequestBody& body, const std::string& thread, const Threads& threads) {
  const std::string assistant = TRY(body.text("assistant_id", Need::kRequired));
  if (assistant != kGraphId)
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no assistant '{}'; there is '{}'", assistant, kGraphId));
  const std::string if_not_exists = TRY(body.text("if_not_exists"));
  const bool kept = !thread.empty();
  const bool creates = kept && if_not_exists == "create" && !TRY(threads.exists(thread));
  if (kept && !creates) TRY(threads.require(thread));
  RunRequest request;
  const json command = TRY(body.object("command"));
  const json input = body.value("input");
  if (!command.empty()) {
    request = TRY(read_resume(command, thread, threads));
  } else if (!input.is_null()) {
    request.question = TRY(read_question(input, !kept));
  } else if (!kept || creates) {
    return wrong("'input' is missing");
  }
  request.thread = thread;
  request.from = TRY(read_checkpoint(body));
  if (request.from) TRY(threads.require_checkpoint(thread, *request.from));
  request.metadata = TRY(body.object("metadata"));
  request.modes = TRY(read_modes(body.value("stream_mode")));
  request.cancel_if_left = TRY(body.text("on_disconnect")) == "cancel";
  // Nothing is wrong with what is asked.
  if (creates) TRY(threads.create(thread, json::object()));
  return request;
}

}  // namespace precedent
