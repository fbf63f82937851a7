#include "investigate/phases/phases.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "investigate/evidence/alert_signs.h"
#include "investigate/hypotheses/generators.h"

namespace precedent {
namespace {

// An answer is a receipt among the others, numbered behind them.
std::string receipt_of(const CaseState& state) {
  return fmt::format("R{}", state.evidence->receipts.size() + state.answers.size() + 1);
}

const Hypothesis* asked_about(const CaseState& state, const CaseVerdict& verdict) {
  if (!verdict.question || state.answers.size() >= kMaxAnswers) return nullptr;
  const auto found =
      std::ranges::find(state.hypotheses, verdict.question->hypothesis, &Hypothesis::id);
  return found == state.hypotheses.end() ? nullptr : &*found;
}

std::string question_json(const DecidingQuestion& question) {
  return dump_json({{"question", question.question},
                    {"if_yes", question.if_yes},
                    {"if_no", question.if_no},
                    {"answers", {"yes", "no"}}});
}

// Where nothing fails there is nothing to explain; but an alert may not say where it fails.
bool is_anything_to_explain(const CaseFile& evidence) {
  return !evidence.failing.empty() || !evidence.known.faults.empty();
}

bool has_untested(const CaseState& state) { return state.answers.size() > state.weighed; }

}  // namespace

Result<Update> triage(const CaseDesk& desk, const CaseState& state, const Context& context,
                      EventSink& events) {
  std::filesystem::path folder = state.order.folder;
  if (folder.empty() && desk.evidence)
    folder = TRY(desk.evidence(state.order, events, context.token()));
  events.status("Reading metrics, logs, traces and changes");
  const auto evidence =
      std::make_shared<CaseFile>(TRY(gather(state.order.brief, folder, state.order.options,
                                            SourceContext{context.token(), context.deadline})));
  if (nothing_measured(*evidence)) {
    events.status("Nothing was measured: looking at what the alerts say");
    if (desk.of_alerts) {
      auto known = desk.of_alerts(evidence->brief, state.order.options.now);
      if (known)
        evidence->known = std::move(*known);
      else
        evidence->missing.push_back("the knowledge base: " + known.error().text());
    }
    read_alerts_alone(*evidence);
  }
  if (!context.thread.empty()) redact_texts(*evidence);
  if (evidence->failing.empty())
    events.status("No failure shows in what could be read");
  else
    events.status(fmt::format(
        "{}{}{}", evidence->failing,
        evidence->onset ? " has been failing since " + format_time(*evidence->onset)
                        : " is failing",
        evidence->affected.empty() ? "" : "; so are " + join(evidence->affected, ", ")));
  Update update;
  // Where it stays: whoever resumes the run finds it there.
  CaseOrder order = state.order;
  if (order.folder.empty() && !folder.empty()) {
    order.folder = folder.string();
    update.add(case_fields().order, order);
  }
  return update.add(case_fields().evidence, SharedCase(evidence));
}

Result<Update> hypothesise(const CaseDesk& /*desk*/, const CaseState& state,
                           const Context& /*context*/, EventSink& events) {
  Update update;
  if (!is_anything_to_explain(*state.evidence)) return update;
  for (const Generator& row : generators()) update.send("investigate", std::string(row.name));
  events.status(fmt::format("Looking into {} kinds of cause", generators().size()));
  return update;
}

Result<Update> investigate_row(const CaseDesk& /*desk*/, const CaseState& state,
                               const Context& context, EventSink& events) {
  TestedRows tested;
  if (context.argument.empty()) {
    const CaseAnswer& answer = state.answers.back();
    if (const auto row = state.tested.find(answer.row); row != state.tested.end()) {
      tested[row->first] = row->second;
      weigh(answer, tested[row->first]);
    }
    events.status(fmt::format("Weighing the answer: {}", answer.yes ? "yes" : "no"));
    return Update()
        .add(case_fields().tested, tested)
        .add(case_fields().weighed, uint64_t{state.answers.size()});
  }
  const auto row = std::ranges::find(generators(), context.argument, &Generator::name);
  if (row == generators().end())
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("this precedent looks into no cause of the kind '{}'; investigate again",
                    context.argument));
  std::vector<Hypothesis>& made = tested[std::string(row->name)];
  made = hypotheses_of(*row, *state.evidence);
  if (!made.empty())
    events.status(fmt::format("Tested {} hypotheses of the kind '{}'", made.size(), row->name));
  return Update().add(case_fields().tested, tested);
}

Result<Update> evaluate(const CaseDesk& /*desk*/, const CaseState& state,
                        const Context& /*context*/, EventSink& events) {
  std::vector<Hypothesis> all;
  // In the order of the table, whichever row was done first.
  for (const Generator& row : generators())
    if (const auto tested = state.tested.find(std::string(row.name)); tested != state.tested.end())
      all.insert(all.end(), tested->second.begin(), tested->second.end());
  all = ranked(std::move(all));
  if (!all.empty() && !has_untested(state))
    events.status(fmt::format("{} hypotheses; the likeliest has {:.2f}: {}", all.size(),
                              all.front().confidence, shown_text(all.front().statement, 160)));
  return Update().add(case_fields().hypotheses, all);
}

Result<Update> conclude_case(const CaseDesk& /*desk*/, const CaseState& state,
                             const Context& context, EventSink& events) {
  const CaseVerdict verdict = conclude(*state.evidence, state.hypotheses);
  const Hypothesis* about = asked_about(state, verdict);
  const std::vector<std::string>& told = state.order.told;
  std::optional<bool> answer;
  if (about != nullptr && state.answers.size() < told.size())
    answer = yes_or_no(told[state.answers.size()]);
  else if (about != nullptr && !context.answers.empty())
    answer = yes_or_no(context.answers.back());
  if (answer) {
    std::vector<CaseAnswer> answers = state.answers;
    answers.push_back({verdict.question->question, about->statement, std::string(about->row),
                       *answer, receipt_of(state)});
    return Update().add(case_fields().answers, answers);
  }
  if (about != nullptr && state.order.asks) return Update::ask(question_json(*verdict.question));
  events.status(verdict.outcome == VerdictKind::kCause ? "A cause is found" : "No cause is proved");
  return Update().add(case_fields().verdict, verdict);
}

Result<Update> remediate(const CaseDesk& desk, const CaseState& state, const Context& /*context*/,
                         EventSink& events) {
  if (!desk.known) return Update();
  events.status("Searching the knowledge base");
  Investigation made = investigation_of(state);
  const size_t receipts = made.evidence.receipts.size(), missing = made.evidence.missing.size();
  desk.known(state.order.options.now, made);
  const auto behind = [](auto& all, size_t known) {
    return std::decay_t<decltype(all)>(
        std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(known)),
        std::make_move_iterator(all.end()));
  };
  return Update().add(
      case_fields().help,
      CaseHelp{std::move(made.known), std::move(made.owners), std::move(made.downstream),
               std::move(made.documents), behind(made.evidence.receipts, receipts),
               behind(made.evidence.missing, missing)});
}

Labels after_hypothesise(const CaseState& state, EventSink& /*events*/) {
  // The rows were sent.
  if (is_anything_to_explain(*state.evidence)) return std::vector<std::string>();
  return "nothing fails";
}

Labels after_evaluate(const CaseState& state, EventSink& /*events*/) {
  return has_untested(state) ? "test" : "decide";
}

Labels after_conclude(const CaseState& state, EventSink& /*events*/) {
  return has_untested(state) ? "answered" : "done";
}

}  // namespace precedent
