#include "investigate/report/report_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "investigate/report/known_documents.h"
#include "investigate/report/remedies.h"
#include "investigate/report/report.h"
#include "knowledge/kind.h"
#include "tools/procedure.h"

namespace precedent {
namespace {

// Longer than any sentence of a report; a text that is cut says so itself.
constexpr size_t kMaxText = 2'000;
constexpr size_t kMaxRanked = 5;

constexpr std::string_view kHead =
    R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
li { overflow-wrap: anywhere; } .faint { opacity: .7; } :target { outline: 2px solid; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8bf; } }
</style>
)";

// For content and quoted attributes alike.
std::string escaped(std::string_view text, size_t max_bytes = kMaxText) {
  std::string out;
  for (const char c : shown_text(text, max_bytes)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string cited(std::string_view receipt) {
  const std::string id = escaped(receipt);
  return id.empty() ? "" : fmt::format(R"( <a href="#{0}">{0}</a>)", id);
}

// `items` are HTML already.
void write_list(std::string_view title, const std::vector<std::string>& items, std::string& out) {
  if (items.empty()) return;
  out += fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const std::string& item : items) out += fmt::format("<li>{}</li>\n", item);
  out += "</ul>\n";
}

std::string condition_html(const Condition& test) {
  return fmt::format("{}: {:.2f}{}{}", escaped(test.what), test.holds,
                     test.because.empty() ? "" : ", " + escaped(test.because), cited(test.receipt));
}

// What is below it and still open, as nested lists.
std::string branches_html(const Investigation& investigation, const std::vector<std::string>& ids,
                          size_t depth) {
  std::string out;
  for (const std::string& id : ids) {
    const Hypothesis* hypothesis = investigation.hypothesis(id);
    if (hypothesis == nullptr || hypothesis->confidence < kLeft) continue;
    out += fmt::format("<li>{} ({:.2f})", escaped(hypothesis->statement), hypothesis->confidence);
    if (const WiderHypothesis* wider = investigation.branches.find(id); wider && depth < kMaxDepth)
      out += branches_html(investigation, wider->branches, depth + 1);
    out += "</li>\n";
  }
  return out.empty() ? out : "<ul>\n" + out + "</ul>\n";
}

void write_tree(const Investigation& investigation, std::string& out) {
  if (!has_open_branches(investigation)) return;
  std::vector<std::string> roots;
  for (const WiderHypothesis& wider : investigation.branches.wider)
    if (wider.parent.empty()) roots.push_back(wider.hypothesis.id);
  const std::string tree = branches_html(investigation, roots, 0);
  out += "<h2>Where the cause lies, as far as can be told</h2>\n" + tree;
}

void write_cause(const Investigation& investigation, const Hypothesis& cause, std::string& out) {
  out += fmt::format("<h2>Cause</h2>\n<p>{} <span class=\"faint\">({}, confidence {:.2f})</span>",
                     escaped(cause.statement), name(cause.category), cause.confidence);
  out += "</p>\n<ul>\n";
  for (const auto& tests : {cause.needs, cause.predictions})
    for (const Condition& test : tests) out += fmt::format("<li>{}</li>\n", condition_html(test));
  out += "</ul>\n";
  if (const WiderHypothesis* wider = investigation.branches.find(cause.id))
    out += "<p>One of these:</p>\n" + branches_html(investigation, wider->branches, 0);
  std::vector<std::string> steps;
  for (const PathStep& step : cause.path)
    steps.push_back(fmt::format("{} → {}: {}{}", escaped(step.from), escaped(step.to),
                                escaped(step.why),
                                step.receipt.empty() ? " (unproved)" : cited(step.receipt)));
  write_list("How it spread", steps, out);
}

void write_people(const Investigation& investigation, std::string& out) {
  std::vector<std::string> owners, downstream;
  for (const ServiceOwner& owner : investigation.owners)
    owners.push_back(fmt::format("{} ({}): {}{}", escaped(owner.title), escaped(owner.path),
                                 escaped(owner.says), cited(owner.receipt)));
  for (const DownstreamService& each : investigation.downstream)
    downstream.push_back(fmt::format("{}{}: {}{}", escaped(each.service),
                                     each.fails ? " (fails, too)" : "", escaped(each.why),
                                     cited(each.receipt)));
  write_list("Whom to page", owners, out);
  write_list("Downstream", downstream, out);
}

void write_model(const Investigation& investigation, std::string& out) {
  if (!has_words(investigation.model)) return;
  const ModelSaid& said = *investigation.model;
  std::vector<std::string> lines;
  if (!said.summary.empty()) lines.push_back(escaped(said.summary));
  size_t place = 0;
  for (const PlacedByModel& placed : said.order)
    if (const Hypothesis* hypothesis = investigation.hypothesis(placed.hypothesis))
      lines.push_back(fmt::format("{}. {} ({:.2f}){}{}", ++place, escaped(hypothesis->statement),
                                  hypothesis->confidence, placed.why.empty() ? "" : ": ",
                                  escaped(placed.why)));
  write_list(escaped(model_heading(said)), lines, out);
}

}  // namespace

std::string to_html(const Investigation& investigation) {
  const CaseFile& evidence = investigation.evidence;
  const CaseVerdict& verdict = investigation.verdict;
  const std::string title = escaped(heading_of(evidence.brief));
  std::string out(kHead);
  out += fmt::format("<title>{0}</title>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{1}</p>\n", title,
                     escaped(verdict.summary));
  if (!verdict.first_failing_service.empty())
    out += fmt::format(
        "<p>{}: {}{}.</p>\n", first_heading(evidence), escaped(verdict.first_failing_service),
        verdict.blast_radius.empty()
            ? ""
            : "; then " + escaped(fmt::format("{}", fmt::join(verdict.blast_radius, ", "))));
  for (const std::string& id : verdict.causes)
    if (const Hypothesis* cause = investigation.hypothesis(id))
      write_cause(investigation, *cause, out);
  if (verdict.question)
    write_list("The deciding question",
               {escaped(verdict.question->question), "Yes: " + escaped(verdict.question->if_yes),
                "No: " + escaped(verdict.question->if_no)},
               out);
  std::vector<std::string> answered;
  for (const CaseAnswer& answer : investigation.answers)
    answered.push_back(fmt::format("{} {}{}", escaped(answer.question), answer.yes ? "Yes." : "No.",
                                   cited(answer.receipt)));
  write_list("Answered", answered, out);
  std::vector<std::string> todo;
  if (!verdict.advice.empty()) todo.push_back(escaped(verdict.advice));
  if (const Remedy* remedy = find_remedy(verdict.remediation)) {
    todo.push_back(fmt::format("Risk: {}", remedy->risk));
    todo.push_back(fmt::format("To take it back: {}", remedy->rollback));
  }
  if (const KnownDocument* runbook = quoted_runbook(investigation.known))
    todo.push_back(fmt::format("{} ({}) says:<pre>{}</pre>", escaped(runbook->title),
                               escaped(lines_place_of(*runbook)),
                               escaped(runbook->helps, kMaxProcedureBytes)));
  write_list("What to do", todo, out);
  write_people(investigation, out);
  std::vector<std::string> known, others, ranked, times, missing, receipts;
  for (const KnownGroup& group : groups_of(investigation.known))
    for (const KnownDocument* item : group.documents) {
      known.push_back(fmt::format("{}: {} ({:.0f} %, {})", group.heading, escaped(item->title),
                                  100 * item->relevance, escaped(place_of(*item))));
      if (item->kind == name(Kind::kIncident) && !item->helps.empty())
        known.back() += ", fixed by: " + escaped(item->helps);
    }
  for (const Alternative& other : verdict.alternatives)
    if (const Hypothesis* hypothesis = investigation.hypothesis(other.hypothesis))
      others.push_back(fmt::format("{} ({:.2f}): {}", escaped(hypothesis->statement),
                                   hypothesis->confidence, escaped(other.why_not)));
  for (const RankedService& service : evidence.ranking)
    if (ranked.size() < kMaxRanked)
      ranked.push_back(fmt::format("{}: {}", escaped(service.service), escaped(service.because)));
  for (const TimelineEntry& entry : timeline_of(investigation))
    times.push_back(
        fmt::format("{} {}{}", format_time(entry.at), escaped(entry.what), cited(entry.receipt)));
  for (const std::string& text : evidence.missing) missing.push_back(escaped(text));
  write_list("What is known", known, out);
  write_list(std::string(alternatives_heading(verdict)), others, out);
  write_tree(investigation, out);
  write_model(investigation, out);
  write_list("Services by their metrics alone", ranked, out);
  write_list("Timeline", times, out);
  write_list("Missing", missing, out);
  for (const Receipt& receipt : evidence.receipts)
    receipts.push_back(fmt::format(
        R"(<span id="{0}">{0}</span> {1}: {2} <span class="faint">{3}</span>)", escaped(receipt.id),
        escaped(receipt.tool), escaped(receipt.text), escaped(receipt.args)));
  write_list("Receipts", receipts, out);
  out += "</body>\n</html>\n";
  return out;
}

}  // namespace precedent
