#include "agent/copilot.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agent/compose.h"
#include "agent/evidence.h"
#include "agent/guardrails.h"
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
  const std::vector<std::string> choices = choices_of(search.catalogue());
  const Verdict valid = validate_question(question.text, parts_.limits, choices);
  if (valid.action != Verdict::Action::kAllow) {
    return refusal(valid.action == Verdict::Action::kAskBack ? AnswerStatus::kNeedsInput
                                                             : AnswerStatus::kError,
                   valid.message);
  }
  if (search.index().info().documents == 0) {
    return refusal(AnswerStatus::kPartial,
                   "The knowledge base is empty. Fill it with `precedent ingest PATH…` (incidents "
                   "as JSON or CSV, runbooks as Markdown) "
                   "and ask again.");
  }

  if (question.history.empty() && is_vague(valid.question, search.analyzer())) {
    return refusal(
        AnswerStatus::kNeedsInput,
        fmt::format(
            "What is it about? Name a symptom, an error message, an incident id or a service{}.",
            for_example(choices)));
  }

  Answer answer;
  const IntentContext context{search.catalogue(), clock.now(), [&](std::string_view id) {
                                const auto found = parts_.store.find(id);
                                return found && found->has_value();
                              }};
  answer.intent = read_intent(valid.question, question.history, context);
  for (const std::string& cue : answer.intent.cues) answer.explain.push_back("intent: " + cue);
  events.status("Analyzing your request... please hold on.");

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
