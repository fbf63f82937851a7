#include "agent/copilot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/offline_reasoner.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// What names the things the knowledge base could be asked about, for a question with nothing to go
// on.
std::string examples_of(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto* list : {&catalogue.applications, &catalogue.services}) {
    for (size_t i = 0; i < std::min<size_t>(2, list->size()); ++i) names.push_back((*list)[i]);
  }
  return names.empty() ? "" : fmt::format(", for example about {}", join(names, ", "));
}

// What makes a question unanswerable before any tool is called.
std::optional<Answer> check_question(const std::string& text, const Limits& limits,
                                     const Catalogue& catalogue) {
  if (text.size() > limits.max_question_bytes) {
    return plain_answer(AnswerStatus::kError,
                   fmt::format("The question has {} bytes, at most {} are read. Ask in a few "
                               "sentences, and give logs with --file.",
                               text.size(), limits.max_question_bytes));
  }
  if (const auto at = invalid_utf8_at(text)) {
    return plain_answer(
        AnswerStatus::kError,
        fmt::format(
            "The question is not valid UTF-8 (byte {} is wrong). Convert it, for example with "
            "`iconv -t UTF-8`, and ask again.",
            *at + 1));
  }
  if (trim(strip_controls(text)).empty()) {
    return plain_answer(
        AnswerStatus::kNeedsInput,
        fmt::format("The question is empty. Ask about an incident, a symptom or a service{}.",
                    examples_of(catalogue)));
  }
  return std::nullopt;
}

}  // namespace

Answer Copilot::ask(const Question& question, const Clock& clock, EventSink& events,
                    const CancelToken& cancel) const {
  // The containment line of a request: whatever escapes below becomes an answer that says so.
  try {
    Result<Answer> result = answer(question, clock, events, cancel);
    if (result) return std::move(*result);
    return plain_answer(AnswerStatus::kError,
                   fmt::format("The question could not be answered: {}", result.error().text()));
  } catch (const std::exception& error) {
    return plain_answer(AnswerStatus::kError, fmt::format("The question could not be answered: {}. This "
                                                     "is a fault of precedent, please report it.",
                                                     error.what()));
  }
}

Result<Answer> Copilot::answer(const Question& question, const Clock& clock, EventSink& events,
                               const CancelToken& cancel) const {
  const Searcher& search = parts_.search;
  if (auto refused = check_question(question.text, parts_.limits, search.catalogue()))
    return std::move(*refused);
  if (search.index().info().documents == 0) {
    return plain_answer(AnswerStatus::kPartial,
                   "The knowledge base is empty. Fill it with `precedent ingest PATH…` (incidents "
                   "as JSON or CSV, runbooks as Markdown) "
                   "and ask again.");
  }

  if (question.history.empty() && is_vague(question.text, search.analyzer())) {
    return plain_answer(
        AnswerStatus::kNeedsInput,
        fmt::format(
            "What is it about? Name a symptom, an error message, an incident id or a service{}.",
            examples_of(search.catalogue())));
  }

  std::vector<Message> messages = question.history;
  messages.push_back({Role::kUser, strip_controls(question.text)});
  std::vector<Receipt> receipts;
  OfflineReasoner reasoner({search, parts_.store, clock, receipts});
  ModelContext context{events, cancel};
  ToolContext tools{search, parts_.store, clock, events, parts_.limits};
  for (;;) {
    ModelReply reply = TRY(reasoner.complete({.messages = messages}, context));
    if (reply.message.tool_calls.empty()) return reasoner.answer();
    events.status("Analyzing your request... please hold on.");
    messages.push_back(reply.message);
    for (const ToolCall& call : reply.message.tool_calls) {
      TRY(cancel.check());
      const Tool* tool = TRY(parts_.tools.find(call.name));
      receipts.push_back(tool->call(nlohmann::json::parse(call.args), tools,
                                    fmt::format("R{}", receipts.size() + 1)));
      receipts.back().call = call.id;
      messages.push_back({.role = Role::kTool, .content = receipts.back().text, .tool_call_id = call.id});
    }
  }
}

nlohmann::json to_json(const Answer& answer, bool explain) {
  nlohmann::json receipts = nlohmann::json::array(), sources = nlohmann::json::array();
  for (const Receipt& receipt : answer.receipts) receipts.push_back(to_json(receipt, explain));
  for (const Source& source : answer.sources) sources.push_back(to_json(source));
  nlohmann::json out = {
      {"status", name(answer.status)}, {"answer", answer.text}, {"intent", to_json(answer.intent)},
      {"receipts", receipts},          {"sources", sources},    {"missing", answer.missing}};
  if (explain) out["explain"] = answer.explain;
  return out;
}

}  // namespace precedent
