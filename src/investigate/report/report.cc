#include "investigate/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "investigate/evidence/alert_signs.h"
#include "investigate/report/known_documents.h"
#include "investigate/report/markdown_line.h"
#include "investigate/report/remedies.h"
#include "investigate/report/report_schema.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxTimeline = 40;
constexpr size_t kMaxShownTests = 8;
constexpr size_t kMaxRanked = 20;

json test_json(const Condition& test, bool prediction) {
  json out = {{"what", test.what},
              {"measure", name(test.measure)},
              {"holds", test.holds},
              {"because", test.because}};
  if (prediction) out["weight"] = test.weight;
  if (!test.receipt.empty()) out["receipt"] = test.receipt;
  return out;
}

std::string status_of(const Investigation& investigation, const Hypothesis& hypothesis) {
  if (hypothesis.refuted()) return "refuted";
  if (std::ranges::find(investigation.verdict.causes, hypothesis.id) !=
      investigation.verdict.causes.end())
    return "accepted";
  return hypothesis.confidence >= kLeft ? "open" : "unlikely";
}

json hypothesis_json(const Investigation& investigation, const Hypothesis& hypothesis) {
  json needs = json::array(), predictions = json::array(), path = json::array();
  for (const Condition& need : hypothesis.needs) needs.push_back(test_json(need, false));
  for (const Condition& prediction : hypothesis.predictions)
    predictions.push_back(test_json(prediction, true));
  for (const PathStep& step : hypothesis.path) {
    json edge = {
        {"from", step.from}, {"to", step.to}, {"why", step.why}, {"proved", !step.receipt.empty()}};
    if (!step.receipt.empty()) edge["receipt"] = step.receipt;
    path.push_back(std::move(edge));
  }
  json out = {{"id", hypothesis.id},
              {"generator", hypothesis.row},
              {"category", name(hypothesis.category)},
              {"statement", hypothesis.statement},
              {"service", hypothesis.service},
              {"confidence", hypothesis.confidence},
              {"status", status_of(investigation, hypothesis)},
              {"needs", needs},
              {"predictions", predictions},
              {"path", path}};
  if (!hypothesis.change.empty()) out["change"] = hypothesis.change;
  if (!hypothesis.part.empty()) out["part"] = hypothesis.part;
  const auto parent = investigation.branches.parent_of.find(hypothesis.id);
  if (parent != investigation.branches.parent_of.end()) out["parent"] = parent->second;
  return out;
}

json wider_json(const Investigation& investigation, const WiderHypothesis& wider) {
  json out = hypothesis_json(investigation, wider.hypothesis);
  out.erase("generator"), out.erase("change"), out.erase("predictions");
  out["level"] = name(wider.level);
  out["branches"] = wider.branches;
  if (!wider.hypothesis.change.empty()) out["release"] = wider.hypothesis.change;
  if (!wider.parent.empty()) out["parent"] = wider.parent;
  return out;
}

std::string named(const Hypothesis& hypothesis) {
  return fmt::format("{} ({:.2f})", markdown_line(hypothesis.statement), hypothesis.confidence);
}

// What is below it and still open, each level further in.
void write_branches(const Investigation& investigation, const std::vector<std::string>& ids,
                    size_t depth, std::string& out) {
  for (const std::string& id : ids) {
    const Hypothesis* hypothesis = investigation.hypothesis(id);
    if (hypothesis == nullptr || hypothesis->confidence < kLeft) continue;
    out += fmt::format("{}- {}\n", std::string(2 * depth, ' '), named(*hypothesis));
    if (const WiderHypothesis* wider = investigation.branches.find(id); wider && depth < kMaxDepth)
      write_branches(investigation, wider->branches, depth + 1, out);
  }
}

void write_tree(const Investigation& investigation, std::string& out) {
  if (!has_open_branches(investigation)) return;
  std::string tree;
  for (const WiderHypothesis& wider : investigation.branches.wider)
    if (wider.parent.empty()) write_branches(investigation, {wider.hypothesis.id}, 0, tree);
  out += "\n## Where the cause lies, as far as can be told\n\n" + tree;
}

std::vector<std::string> lines_of(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) out.push_back(markdown_line(text));
  return out;
}

std::string cited(const std::string& receipt) {
  return receipt.empty() ? "" : " [" + receipt + "]";
}

std::string because_of(const Condition& test) {
  return (test.because.empty() ? "" : ", " + markdown_line(test.because)) + cited(test.receipt);
}

json owners_json(const Investigation& investigation) {
  json out = json::array();
  for (const ServiceOwner& owner : investigation.owners)
    out.push_back({{"service", owner.service},
                   {"document", owner.document},
                   {"title", owner.title},
                   {"path", owner.path},
                   {"says", owner.says},
                   {"receipt", owner.receipt}});
  return out;
}

json downstream_json(const Investigation& investigation) {
  json out = json::array();
  for (const DownstreamService& each : investigation.downstream) {
    json one = {
        {"service", each.service}, {"on", each.on}, {"why", each.why}, {"fails", each.fails}};
    if (!each.receipt.empty()) one["receipt"] = each.receipt;
    out.push_back(std::move(one));
  }
  return out;
}

void write_people(const Investigation& investigation, std::string& out) {
  if (!investigation.owners.empty()) out += "\n## Whom to page\n\n";
  for (const ServiceOwner& owner : investigation.owners)
    out += fmt::format("- {} ({}): {}{}\n", markdown_line(owner.title), markdown_line(owner.path),
                       markdown_line(owner.says), cited(owner.receipt));
  if (!investigation.downstream.empty())
    out += fmt::format("\n## Downstream of {}\n\n",
                       markdown_line(investigation.verdict.first_failing_service.empty()
                                         ? investigation.evidence.brief.service
                                         : investigation.verdict.first_failing_service));
  for (const DownstreamService& each : investigation.downstream)
    out += fmt::format("- {}{}: {}{}\n", markdown_line(each.service),
                       each.fails ? " (fails, too)" : "", markdown_line(each.why),
                       cited(each.receipt));
}

void write_cause(const Investigation& investigation, const Hypothesis& cause, std::string& out) {
  out += fmt::format("\n## Cause\n\n{} ({}, confidence {:.2f})\n\n", markdown_line(cause.statement),
                     name(cause.category), cause.confidence);
  for (const Condition& need : cause.needs)
    out += fmt::format("- {}: {}{}\n", markdown_line(need.what),
                       need.holds >= 0.95 ? "yes" : fmt::format("{:.2f}", need.holds),
                       because_of(need));
  for (const Condition& prediction : cause.predictions)
    out += fmt::format("- {}: {:.2f}{}\n", markdown_line(prediction.what), prediction.holds,
                       because_of(prediction));
  if (const WiderHypothesis* wider = investigation.branches.find(cause.id)) {
    out += "\nOne of these:\n";
    write_branches(investigation, wider->branches, 0, out);
  }
  if (cause.path.empty()) return;
  out += "\nHow it spread:\n";
  for (const PathStep& step : cause.path)
    out += fmt::format("- {} → {}: {}{}\n", markdown_line(step.from), markdown_line(step.to),
                       markdown_line(step.why),
                       step.receipt.empty() ? " (unproved)" : cited(step.receipt));
}

void write_model(const Investigation& investigation, std::string& out) {
  if (!has_words(investigation.model)) return;
  const ModelSaid& said = *investigation.model;
  out += fmt::format("\n## {}\n\n", markdown_line(model_heading(said)));
  if (!said.summary.empty()) out += markdown_line(said.summary) + "\n";
  if (!said.summary.empty() && !said.order.empty()) out += "\n";
  size_t place = 0;
  for (const PlacedByModel& placed : said.order)
    if (const Hypothesis* hypothesis = investigation.hypothesis(placed.hypothesis))
      out += fmt::format("{}. {}{}{}\n", ++place, named(*hypothesis),
                         placed.why.empty() ? "" : ": ", markdown_line(placed.why));
}

}  // namespace

json incident_json(const IncidentBrief& brief) {
  json out = {{"id", brief.id},
              {"title", brief.title},
              {"service", brief.service},
              {"severity", brief.severity},
              {"symptoms", brief.symptoms},
              {"errors", brief.errors},
              {"labels", brief.labels},
              {"links", brief.links},
              {"alerts", brief.alerts}};
  for (const AlertSaid& said : brief.said) {
    json one = {
        {"name", said.name}, {"service", said.service}, {"text", said.text}, {"own", said.own}};
    if (said.at) one["at"] = format_time(*said.at);
    out["said"].push_back(std::move(one));
  }
  if (brief.fired_at) out["fired_at"] = format_time(*brief.fired_at);
  if (brief.ended_at) out["ended_at"] = format_time(*brief.ended_at);
  return out;
}

bool has_open_branches(const Investigation& investigation) {
  return std::ranges::count_if(investigation.hypotheses, [&](const Hypothesis& hypothesis) {
           return hypothesis.confidence >= kLeft &&
                  investigation.branches.parent_of.contains(hypothesis.id);
         }) > 1;
}

std::string_view alternatives_heading(const CaseVerdict& verdict) {
  return verdict.outcome == VerdictKind::kCause ? "Not the cause, as far as can be told"
                                                : "What it may be, none of it proved";
}

std::string_view first_heading(const CaseFile& evidence) {
  return nothing_measured(evidence) ? "Said to fail first" : "First to fail";
}

std::vector<TimelineEntry> timeline_of(const Investigation& investigation) {
  const CaseFile& evidence = investigation.evidence;
  std::vector<TimelineEntry> out;
  for (const ChangeCandidate& candidate : evidence.changes.candidates) {
    const bool suspected = std::ranges::any_of(
        investigation.hypotheses,
        [&](const Hypothesis& hypothesis) { return hypothesis.change == candidate.change.id; });
    if (!suspected) continue;
    for (const WentLive& live : candidate.live)
      if (live.exact && candidate.change.kind == ChangeKind::kCommit)
        out.push_back({live.at,
                       fmt::format("{} went live in {}: {}", candidate.change.id.substr(0, 10),
                                   live.service, shown_line(candidate.change.title, 100)),
                       ""});
  }
  for (const Sign& sign : evidence.signs) {
    const bool told = std::ranges::any_of(out, [&](const TimelineEntry& entry) {
      return entry.receipt == sign.receipt && !sign.receipt.empty();
    });
    if (sign.onset && !told) out.push_back({*sign.onset, squeeze(sign.what), sign.receipt});
  }
  if (evidence.brief.fired_at)
    out.push_back({*evidence.brief.fired_at, "the alert fired: " + evidence.brief.title, ""});
  std::ranges::stable_sort(out, {}, &TimelineEntry::at);
  if (out.size() > kMaxTimeline) out.resize(kMaxTimeline);
  return out;
}

json to_json(const Investigation& investigation) {
  const CaseFile& evidence = investigation.evidence;
  const CaseVerdict& verdict = investigation.verdict;
  json hypotheses = json::array(), timeline = json::array(), receipts = json::array(),
       alternatives = json::array();
  for (const Hypothesis& hypothesis : investigation.hypotheses)
    hypotheses.push_back(hypothesis_json(investigation, hypothesis));
  json wider = json::array();
  for (const WiderHypothesis& each : investigation.branches.wider)
    wider.push_back(wider_json(investigation, each));
  for (const TimelineEntry& entry : timeline_of(investigation)) {
    json line = {{"at", format_time(entry.at)}, {"what", entry.what}};
    if (!entry.receipt.empty()) line["receipt"] = entry.receipt;
    timeline.push_back(std::move(line));
  }
  for (const Receipt& receipt : evidence.receipts)
    receipts.push_back({{"id", receipt.id},
                        {"tool", receipt.tool},
                        {"args", json_or_text(receipt.args)},
                        {"at", format_time(Instant(receipt.at))},
                        {"text", receipt.text}});
  for (const Alternative& alternative : verdict.alternatives)
    alternatives.push_back(
        {{"hypothesis", alternative.hypothesis}, {"why_not", alternative.why_not}});
  json services = json::array();
  for (const RankedService& ranked : evidence.ranking)
    if (services.size() < kMaxRanked)
      services.push_back(
          {{"service", ranked.service}, {"score", ranked.score}, {"because", ranked.because}});
  json knowledge = known_documents_json(investigation.known);
  knowledge["queries"] = investigation.queries;
  json out = {
      {"$schema", kReportSchema},
      {"version", 1},
      {"incident", incident_json(evidence.brief)},
      {"window",
       {{"from", format_time(evidence.window.from)}, {"to", format_time(evidence.window.to)}}},
      {"outcome", name(verdict.outcome)},
      {"summary", verdict.summary},
      {"causes", verdict.causes},
      {"confidence", verdict.confidence},
      {"root_cause_commit", verdict.root_cause_commit},
      {"first_failing_service", verdict.first_failing_service},
      {"blast_radius", verdict.blast_radius},
      {"owners", owners_json(investigation)},
      {"downstream", downstream_json(investigation)},
      {"remediation", verdict.remediation},
      {"advice", verdict.advice},
      {"services", services},
      {"hypotheses", hypotheses},
      {"wider", wider},
      {"alternatives", alternatives},
      {"timeline", timeline},
      {"knowledge", knowledge},
      {"missing", evidence.missing},
      {"receipts", receipts}};
  if (const Remedy* remedy = find_remedy(verdict.remediation))
    out["remedy"] = {{"risk", remedy->risk}, {"rollback", remedy->rollback}};
  if (const KnownDocument* runbook = quoted_runbook(investigation.known))
    out["runbook"] = runbook_json(*runbook);
  if (evidence.onset) out["onset"] = format_time(*evidence.onset);
  if (verdict.question)
    out["deciding_question"] = {{"question", verdict.question->question},
                                {"if_yes", verdict.question->if_yes},
                                {"if_no", verdict.question->if_no}};
  for (const CaseAnswer& answer : investigation.answers)
    out["answers"].push_back({{"question", answer.question},
                              {"answer", answer.yes ? "yes" : "no"},
                              {"receipt", answer.receipt}});
  if (investigation.model) out["model"] = to_json(*investigation.model);
  return out;
}

std::string to_markdown(const Investigation& investigation) {
  const CaseFile& evidence = investigation.evidence;
  const CaseVerdict& verdict = investigation.verdict;
  std::string out = fmt::format("# {}\n\n{}\n", markdown_line(heading_of(evidence.brief)),
                                markdown_line(verdict.summary));
  if (!verdict.first_failing_service.empty()) {
    out += fmt::format("\n{}: {}", first_heading(evidence),
                       markdown_line(verdict.first_failing_service));
    if (!verdict.blast_radius.empty())
      out += fmt::format("; then {}", fmt::join(lines_of(verdict.blast_radius), ", "));
    out += ".\n";
  }
  for (const std::string& id : verdict.causes)
    if (const Hypothesis* cause = investigation.hypothesis(id))
      write_cause(investigation, *cause, out);
  if (verdict.question)
    out += fmt::format("\n## The deciding question\n\n{}\n\n- Yes: {}\n- No: {}\n",
                       markdown_line(verdict.question->question),
                       markdown_line(verdict.question->if_yes),
                       markdown_line(verdict.question->if_no));
  if (!investigation.answers.empty()) out += "\n## Answered\n\n";
  for (const CaseAnswer& answer : investigation.answers)
    out += fmt::format("- {} {}{}\n", markdown_line(answer.question), answer.yes ? "Yes." : "No.",
                       cited(answer.receipt));
  out += todo_markdown(investigation);
  write_people(investigation, out);
  out += known_markdown(investigation);
  if (!verdict.alternatives.empty()) {
    out += fmt::format("\n## {}\n\n", alternatives_heading(verdict));
    for (const Alternative& alternative : verdict.alternatives)
      if (const Hypothesis* other = investigation.hypothesis(alternative.hypothesis))
        out += fmt::format("- {} ({:.2f}): {}\n", markdown_line(other->statement),
                           other->confidence, markdown_line(alternative.why_not));
  }
  write_tree(investigation, out);
  write_model(investigation, out);
  out += "\n## Timeline\n\n";
  size_t shown = 0;
  for (const TimelineEntry& entry : timeline_of(investigation))
    if (++shown <= 2 * kMaxShownTests)
      out += fmt::format("- {} {}{}\n", format_time(entry.at), markdown_line(entry.what),
                         cited(entry.receipt));
  if (!evidence.missing.empty()) {
    out += "\n## Missing\n\n";
    for (const std::string& missing : lines_of(evidence.missing))
      out += fmt::format("- {}\n", missing);
  }
  return out;
}

}  // namespace precedent
