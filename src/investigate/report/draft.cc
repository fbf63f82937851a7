#include "investigate/report/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "investigate/report/markdown_line.h"
#include "investigate/report/report.h"

namespace precedent {
namespace {

// For a value of front matter: one line in quotes.
std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : squeeze(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string head(const Investigation& investigation, std::string_view type, std::string_view title,
                 TimePoint now) {
  const CaseFile& evidence = investigation.evidence;
  std::string out = fmt::format("---\ntype: {}\ntitle: {}\nstatus: draft\ndate: {}\n", type,
                                yaml_text(title), format_date(now));
  const std::string& service = investigation.verdict.first_failing_service.empty()
                                   ? evidence.brief.service
                                   : investigation.verdict.first_failing_service;
  if (!service.empty()) out += fmt::format("services: [{}]\n", yaml_text(service));
  if (!evidence.brief.id.empty())
    out += fmt::format("incident: {}\n", yaml_text(evidence.brief.id));
  return out + "---\n";
}

std::string title_of(const Investigation& investigation) {
  const IncidentBrief& brief = investigation.evidence.brief;
  return brief.title.empty() ? "Incident" : brief.title;
}

const Hypothesis* cause_of(const Investigation& investigation) {
  for (const std::string& id : investigation.verdict.causes)
    if (const Hypothesis* cause = investigation.hypothesis(id)) return cause;
  return nullptr;
}

std::string spread_of(const Investigation& investigation) {
  const CaseVerdict& verdict = investigation.verdict;
  if (verdict.first_failing_service.empty()) return "*Which service failed, and for whom?*";
  if (verdict.blast_radius.empty())
    return fmt::format("{} failed. *Who noticed?*", markdown_line(verdict.first_failing_service));
  return fmt::format("{} failed first, then {}. *Who noticed?*",
                     markdown_line(verdict.first_failing_service),
                     markdown_line(join(verdict.blast_radius, ", ")));
}

}  // namespace

std::string draft_postmortem(const Investigation& investigation, TimePoint now) {
  const CaseVerdict& verdict = investigation.verdict;
  std::string out = head(investigation, "postmortem", title_of(investigation), now);
  out += fmt::format("\n# {}\n\n> A draft, made from evidence alone. Review and complete it.\n",
                     markdown_line(title_of(investigation)));
  out += fmt::format("\n## Summary\n\n{}\n\n## Impact\n\n{}\n", markdown_line(verdict.summary),
                     spread_of(investigation));
  out += "\n## Timeline\n\n";
  for (const TimelineEntry& entry : timeline_of(investigation))
    out += fmt::format("- {} {}\n", format_time(entry.at), markdown_line(entry.what));
  out += "- *When was it over, and by what?*\n\n## Root cause\n\n";
  if (const Hypothesis* cause = cause_of(investigation)) {
    out += markdown_line(cause->statement) + "\n";
    for (const Condition& need : cause->needs)
      if (!need.because.empty())
        out += fmt::format("\n- {}: {}", markdown_line(need.what), markdown_line(need.because));
    if (!cause->needs.empty()) out += "\n";
  } else if (verdict.question) {
    out += fmt::format("*Not proved. {}*\n", markdown_line(verdict.question->question));
  } else {
    out += "*Not proved.*\n";
  }
  out +=
      fmt::format("\n## Resolution\n\n{}*What was done?*\n",
                  verdict.advice.empty() ? "" : "Advised: " + markdown_line(verdict.advice) + " ");
  out +=
      "\n## Lessons\n\n- *What would have shown it earlier?*\n- *What keeps it from coming "
      "back?*\n";
  return out;
}

std::string draft_known_issue(const Investigation& investigation, TimePoint now) {
  const Hypothesis* cause = cause_of(investigation);
  if (cause == nullptr) return "";
  std::string out = head(investigation, "known_issue", title_of(investigation), now);
  out += fmt::format("\n# {}\n\n> A draft, made from evidence alone. Review and complete it.\n",
                     markdown_line(title_of(investigation)));
  out += "\n## Symptoms\n\n";
  std::set<std::string> told;
  const auto tell = [&](const std::string& text) {
    if (told.insert(text).second) out += fmt::format("- {}\n", markdown_line(text));
  };
  // One line of a log may be a sign of several symptoms.
  for (const Sign& sign : investigation.evidence.signs)
    if (sign.service == investigation.verdict.first_failing_service) tell(sign.what);
  for (const std::string& error : investigation.evidence.brief.errors) tell(error);
  out += fmt::format("\n## Cause\n\n{}\n\n## What to do\n\n{}\n", markdown_line(cause->statement),
                     investigation.verdict.advice.empty()
                         ? "*What helps?*"
                         : markdown_line(investigation.verdict.advice));
  return out;
}

}  // namespace precedent
