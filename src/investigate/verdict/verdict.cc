#include "investigate/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "investigate/evidence/alert_signs.h"
#include "investigate/verdict/branches.h"

namespace precedent {
namespace {

constexpr size_t kMaxAlternatives = 8;

// The need or prediction that holds least, in words.
std::string weakest_of(const Hypothesis& hypothesis) {
  const Condition* weakest = nullptr;
  for (const Condition& need : hypothesis.needs)
    if (weakest == nullptr || need.holds < weakest->holds) weakest = &need;
  for (const Condition& prediction : hypothesis.predictions)
    if (prediction.holds < 0.5 && (weakest == nullptr || prediction.holds < weakest->holds))
      weakest = &prediction;
  if (weakest == nullptr) return "less speaks for it";
  if (weakest->holds >= 0.95) return "less speaks for it";
  return fmt::format("{}: {}{}", weakest->what, weakest->holds <= 0.1 ? "no" : "hardly",
                     weakest->because.empty() ? "" : ", " + weakest->because);
}

// How people call a change, and how it is undone.
std::string undone(const CaseFile& evidence, const std::string& id) {
  for (const ChangeCandidate& candidate : evidence.changes.candidates) {
    const Change& change = candidate.change;
    if (change.id != id || change.subject.empty()) continue;
    if (change.kind == ChangeKind::kFlag)
      return fmt::format("the flag {} is turned back", shown_line(change.subject, 80));
    if (change.kind == ChangeKind::kConfig)
      return fmt::format("the setting {} is set back", shown_line(change.subject, 80));
  }
  return id.substr(0, 10) + " is reverted";
}

DecidingQuestion question_of(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses) {
  std::vector<const Hypothesis*> left;
  for (const Hypothesis& hypothesis : hypotheses)
    if (hypothesis.part.empty() && !hypothesis.refuted() && hypothesis.confidence > kLeft)
      left.push_back(&hypothesis);
  if (evidence.failing.empty() && evidence.known.faults.empty())
    return {"Is something failing that was not looked at? Nothing in this window shows a failure.",
            "Investigate again, and name the service and the time when it began.",
            "The alert may have been false, or the failure may be over."};
  // Of what was only told, the likeliest is worth a look, however little it is.
  if (left.empty() && nothing_measured(evidence) && !hypotheses.empty() &&
      !hypotheses.front().refuted())
    left.push_back(&hypotheses.front());
  if (left.empty())
    return {fmt::format("Was anything changed at or around {} that is not recorded here?",
                        evidence.failing),
            "That change is the first suspect; add it to the changes and investigate again.",
            "The cause lies outside the changes: look at what the service depends on."};
  if (left.front()->change.empty())
    return {fmt::format("Can you confirm this: {}?", left.front()->needs.front().what),
            left.front()->statement,
            left.size() > 1 ? left[1]->statement : "None of the hypotheses here holds.",
            left.front()->id};
  return {fmt::format("Does the failure stop if {}?", undone(evidence, left.front()->change)),
          left.front()->statement,
          left.size() > 1 ? left[1]->statement : "The cause lies outside the recorded changes.",
          left.front()->id};
}

// One of several changes that went live together.
void convict_release(const WiderHypothesis& release, CaseVerdict& out) {
  const Hypothesis& cause = release.hypothesis;
  out.outcome = VerdictKind::kCause;
  out.causes = {cause.id};
  out.confidence = cause.confidence;
  out.remediation = cause.remedy;
  out.advice = cause.advice;
}

std::string summary_of(const CaseFile& evidence, const Hypothesis* cause) {
  // Of what nobody measured it is not known.
  const bool told = nothing_measured(evidence) && !alerts_of(evidence.brief).empty();
  if (evidence.failing.empty() && !told) return "No failure shows in what could be read.";
  if (told && cause == nullptr)
    return fmt::format("{} is said to be failing; nothing was measured. No cause is proved.",
                       evidence.failing.empty() ? "Something" : evidence.failing);
  const std::string fails =
      evidence.failing +
      (evidence.onset ? " has been failing since " + format_time(*evidence.onset) : " is failing");
  if (cause == nullptr) return fmt::format("{}. No cause is proved.", fails);
  return fmt::format("{}. Cause: {}.", fails, cause->statement);
}

}  // namespace

std::string_view name(VerdictKind outcome) {
  return outcome == VerdictKind::kCause ? "cause" : "inconclusive";
}

std::optional<bool> yes_or_no(std::string_view text) {
  const std::string said = ascii_lower(trim(text));
  if (said == "yes" || said == "y") return true;
  if (said == "no" || said == "n") return false;
  return std::nullopt;
}

void weigh(const CaseAnswer& answer, std::vector<Hypothesis>& row) {
  for (Hypothesis& hypothesis : row) {
    if (!hypothesis.part.empty() || hypothesis.statement != answer.hypothesis) continue;
    hypothesis.needs.push_back({.what = answer.question,
                                .holds = answer.yes ? 1.0 : 0.0,
                                .because = answer.yes ? "answered: yes" : "answered: no",
                                .receipt = answer.receipt});
    if (answer.yes) hypothesis.told += std::log(kAnswerOdds);
  }
}

CaseVerdict conclude(const CaseFile& evidence, const std::vector<Hypothesis>& hypotheses) {
  CaseVerdict out;
  out.first_failing_service = evidence.failing;
  out.blast_radius = evidence.affected;
  std::ranges::sort(out.blast_radius);
  out.root_cause_commit = "none";
  const auto first = std::ranges::find(hypotheses, "", &Hypothesis::part);
  const Hypothesis* cause = first == hypotheses.end() ? nullptr : &*first;
  if (cause != nullptr && (cause->refuted() || cause->confidence < kConvincing)) cause = nullptr;
  // Where nothing was measured only somebody who looked convicts.
  if (cause != nullptr && nothing_measured(evidence) && cause->told <= 0) cause = nullptr;
  const Branches branches = branches_of(evidence, hypotheses);
  const WiderHypothesis* release = cause == nullptr && !nothing_measured(evidence)
                                       ? convicted_release(branches, hypotheses)
                                       : nullptr;
  if (cause != nullptr) {
    out.outcome = VerdictKind::kCause;
    out.causes = {cause->id};
    out.confidence = cause->confidence;
    out.remediation = cause->remedy;
    out.advice = cause->advice;
    if (cause->row == "change") out.root_cause_commit = cause->change;
    if (cause->row == "traffic") {
      // All that is called saturates at once: the failure begins where the requests come in.
      std::erase(out.blast_radius, cause->service);
      if (!evidence.failing.empty() && evidence.failing != cause->service)
        out.blast_radius.push_back(evidence.failing);
      std::ranges::sort(out.blast_radius);
      out.first_failing_service = cause->service;
    }
    for (const Hypothesis& other : hypotheses)
      if (is_convicted(*cause) && !other.part.empty() && is_convicted(other) &&
          other.change != cause->change) {
        out.causes.push_back(other.id);
        out.advice += ' ' + other.advice;
      }
  } else if (release != nullptr) {
    convict_release(*release, out);
  } else {
    out.question = question_of(evidence, hypotheses);
  }
  for (const Hypothesis& other : hypotheses) {
    if (&other == cause || !other.part.empty() || out.alternatives.size() >= kMaxAlternatives)
      continue;
    out.alternatives.push_back({other.id, weakest_of(other)});
  }
  out.summary = summary_of(evidence, release != nullptr ? &release->hypothesis : cause);
  if (release != nullptr)
    out.summary +=
        fmt::format(" Which of its {} changes it was is not proved.", release->branches.size());
  for (const Hypothesis& other : hypotheses)
    if (out.causes.size() > 1 && other.id != out.causes.front() &&
        std::ranges::find(out.causes, other.id) != out.causes.end())
      out.summary +=
          fmt::format(" Apart from it {} fails. Cause: {}.", other.part, other.statement);
  return out;
}

}  // namespace precedent
