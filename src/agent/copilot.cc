#include "agent/copilot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/compose.h"
#include "agent/evidence.h"
#include "agent/golden_answer.h"
#include "agent/plan.h"
#include "agent/unknown_names.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

Answer refusal(AnswerStatus status, std::string text) {
  Answer answer;
  answer.status = status;
  answer.missing.push_back(text);
  answer.text = std::move(text);
  return answer;
}

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
    return refusal(AnswerStatus::kError,
                   fmt::format("The question has {} bytes, at most {} are read. Ask in a few "
                               "sentences, and give logs with --file.",
                               text.size(), limits.max_question_bytes));
  }
  if (const auto at = invalid_utf8_at(text)) {
    return refusal(
        AnswerStatus::kError,
        fmt::format(
            "The question is not valid UTF-8 (byte {} is wrong). Convert it, for example with "
            "`iconv -t UTF-8`, and ask again.",
            *at + 1));
  }
  if (trim(strip_controls(text)).empty()) {
    return refusal(
        AnswerStatus::kNeedsInput,
        fmt::format("The question is empty. Ask about an incident, a symptom or a service{}.",
                    examples_of(catalogue)));
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::kOk: return "ok";
    case AnswerStatus::kPartial: return "partial";
    case AnswerStatus::kNeedsInput: return "needs_input";
    case AnswerStatus::kRefused: return "refused";
    case AnswerStatus::kError: return "error";
  }
  return "error";
}

Answer Copilot::ask(const Question& question, const Clock& clock, EventSink& events,
                    const CancelToken& cancel) const {
  // The containment line of a request: whatever escapes below becomes an answer that says so.
  try {
    Result<Answer> result = answer(question, clock, events, cancel);
    if (result) return std::move(*result);
    return refusal(AnswerStatus::kError,
                   fmt::format("The question could not be answered: {}", result.error().text()));
  } catch (const std::exception& error) {
    return refusal(AnswerStatus::kError, fmt::format("The question could not be answered: {}. This "
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
    return refusal(AnswerStatus::kPartial,
                   "The knowledge base is empty. Fill it with `precedent ingest PATH…` (incidents "
                   "as JSON or CSV, runbooks as Markdown) "
                   "and ask again.");
  }

  if (question.history.empty() && is_vague(question.text, search.analyzer())) {
    return refusal(
        AnswerStatus::kNeedsInput,
        fmt::format(
            "What is it about? Name a symptom, an error message, an incident id or a service{}.",
            examples_of(search.catalogue())));
  }

  Answer answer;
  const IntentContext context{search.catalogue(), clock.now(), [&](std::string_view id) {
                                const auto found = parts_.store.find(id);
                                return found && found->has_value();
                              }};
  answer.intent = read_intent(strip_controls(question.text), question.history, context);
  for (const std::string& cue : answer.intent.cues) answer.explain.push_back("intent: " + cue);
  events.status("Analyzing your request... please hold on.");

  // A verified example may answer before any tool is called.
  if (TRY(answer_from_golden(answer, search, parts_.store, clock.now()))) return answer;

  ToolContext tools{search, parts_.store, clock, events, parts_.limits};
  for (const PlannedCall& call : plan(answer.intent)) {
    TRY(cancel.check());
    answer.explain.push_back(fmt::format("plan: {} ({})", call.tool, call.purpose));
    const Tool* tool = TRY(parts_.tools.find(call.tool));
    answer.receipts.push_back(
        tool->call(call.args, tools, fmt::format("R{}", answer.receipts.size() + 1)));
  }
  TRY(cancel.check());
  const std::vector<Evidence> evidence =
      TRY(rank_evidence(answer.intent, collect_evidence(answer.receipts), search));
  const std::vector<std::string> unknown = TRY(find_unknown_names(answer.intent.question, search));
  compose(answer, evidence, unknown);
  for (size_t i = 0; i < std::min<size_t>(evidence.size(), 8); ++i) {
    const Evidence& e = evidence[i];
    answer.explain.push_back(fmt::format(
        "evidence {:.3f} (words {:.2f}, meaning {}) {}: {}", e.score, e.coverage,
        e.cosine ? fmt::format("{:.2f}", *e.cosine) : "–", e.source.id, utf8_prefix(e.quote, 100)));
  }
  return answer;
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
