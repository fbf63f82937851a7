#include "tools/present.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "knowledge/incident.h"
#include "tools/figures.h"

namespace precedent {
namespace {

void field(std::string& out, std::string_view label, std::string_view value) {
  if (!trim(value).empty())
    fmt::format_to(std::back_inserter(out), "**{}**: {}\n", label, trim(value));
}

void field(std::string& out, std::string_view label, const std::optional<TimePoint>& time) {
  if (time) field(out, label, format_time(*time));
}

std::string present(const IncidentItem& item) {
  const Incident& i = item.incident;
  std::string out = fmt::format("## Incident {}\n", i.incident_id);
  field(out, "Title", i.title);
  field(out, "Impacted Application", i.impacted_application);
  field(out, "Severity", i.severity);
  field(out, "Status", i.status);
  field(out, "Opened", opened(i));
  field(out, "Resolved", i.resolved_at);
  field(out, "Description", i.description);
  field(out, "Root Cause", i.root_cause);
  field(out, "Action Taken", i.action_taken);
  field(out, "Mitigation", i.mitigation);
  field(out, "Accountable Party", i.accountable_party);
  field(out, "Services", join(i.services, ", "));
  if (i.repeat_incident) field(out, "Repeat Incident", *i.repeat_incident ? "yes" : "no");
  for (const auto& [key, value] : i.extra) field(out, key, value);
  field(out, "Source", item.path);
  return out;
}

std::string present_item(const KnowledgeItem& item, std::string_view body) {
  std::string out =
      fmt::format("## {} ({}, relevance {:.2f})\n", item.title, name(item.kind), item.relevance);
  field(out, "Id", item.id);
  field(out, "Path",
        item.lines.begin > 0 ? fmt::format("{}:{}", item.path, item.lines.begin) : item.path);
  field(out, "Section", join(item.heading, " > "));
  field(out, "Services", join(item.services, ", "));
  if (item.expired_at)
    field(out, "Expired",
          fmt::format("on {}, check it before you follow it", format_date(*item.expired_at)));
  out += trim(body);
  out += '\n';
  return out;
}

}  // namespace

std::string present(const IncidentsResult& result) {
  std::string out = result.note;
  if (!result.conditions.empty())
    out +=
        fmt::format("{}Restricted to: {}.", out.empty() ? "" : " ", join(result.conditions, "; "));
  if (!result.order.empty())
    out += fmt::format("{}In the order of {}.", out.empty() ? "" : " ", result.order);
  if (result.fallback && !result.incidents.empty())
    out += " The incidents below are the nearest by meaning only.";
  if (!out.empty()) out += '\n';
  for (const IncidentItem& item : result.incidents) {
    if (!out.empty()) out += '\n';
    out += present(item);
  }
  if (result.total > result.incidents.size()) {
    fmt::format_to(std::back_inserter(out), "\n{} of {} incidents shown.\n",
                   result.incidents.size(), result.total);
  }
  return out;
}

std::string present(const FiguresResult& result) {
  std::string out = result.note;
  if (result.figures.empty()) return out;
  out += fmt::format(
      "{}{} of {}{}{}, {} incidents{}:\n", out.empty() ? "" : "\n", result.function,
      result.of.empty() ? "incidents" : result.of, result.by.empty() ? "" : " by " + result.by,
      result.scope.empty() ? "" : fmt::format(" ({})", result.scope), result.incidents,
      result.without == 0 ? "" : fmt::format(", of which {} have no value", result.without));
  for (const IncidentFigure& figure : result.figures) {
    const std::string name = figure.group.empty() ? "all" : figure.group;
    out += fmt::format("- {}{}: {}", name, figure.title.empty() ? "" : " " + figure.title,
                       figure_text(result, figure.value));
    if (figure.title.empty() && result.function != "count")
      out += fmt::format(" ({} incidents)", figure.incidents);
    out += '\n';
  }
  if (result.left_out > 0) out += fmt::format("{} more.\n", result.left_out);
  return out;
}

std::string present(const KnowledgeResult& result) {
  std::string out = result.note;
  for (const KnowledgeItem& item : result.items) {
    if (!out.empty()) out += '\n';
    out += present_item(item, item.preview);
  }
  return out;
}

std::string verified_by(const GoldenExample& example) {
  return fmt::format("Verified example {}, reviewed by {} on {}", example.id, example.review->by,
                     format_date(example.review->at));
}

std::string present(const GoldenResult& result) {
  std::string out;
  for (const GoldenItem& item : result.examples) {
    if (!out.empty()) out += '\n';
    fmt::format_to(std::back_inserter(out), "### {} (similarity {:.2f}{})\n",
                   verified_by(item.example), item.similarity,
                   item.lexical ? ", by words only" : "");
    field(out, "Question", item.example.question);
    field(out, "Sources", join(item.example.sources, ", "));
    field(out, "Answer", item.example.answer);
  }
  return out;
}

std::string present(const CodeResult& result) {
  std::string out = result.note;
  if (!out.empty()) out += '\n';
  for (const CodeItem& item : result.items) {
    if (!out.empty()) out += '\n';
    fmt::format_to(std::back_inserter(out), "## {}:{}-{} (relevance {:.2f})\n", item.path,
                   item.lines.begin, item.lines.end, item.relevance);
    field(out, "Repository",
          item.commit.empty()
              ? fmt::format("{} (work tree)", item.repository)
              : fmt::format("{} at {}", item.repository, item.commit.substr(0, 12)));
    field(out, "Language", item.language);
    field(out, "Symbols", join(item.symbols, ", "));
    // A fence longer than any in the excerpt, so that the excerpt cannot end it.
    std::string fence = "```";
    while (item.excerpt.find(fence) != std::string::npos) fence += '`';
    out.append(fence).append("\n").append(item.excerpt).append("\n").append(fence).append("\n");
  }
  return out;
}

std::string present(const SectionsResult& result) {
  std::string out = result.note;
  for (const KnowledgeItem& item : result.sections) {
    if (!out.empty()) out += '\n';
    out += present_item(item, item.text);
  }
  return out;
}

std::vector<std::string> explain_search(const SearchResponse& response) {
  std::vector<std::string> lines;
  lines.push_back("terms: " + join(response.terms, " "));
  lines.push_back("filter: " + to_string(response.filter));
  lines.insert(lines.end(), response.notes.begin(), response.notes.end());
  const auto part = [](const std::optional<float>& raw, float scaled) {
    return raw ? fmt::format("{:.3f}→{:.2f}", *raw, scaled) : std::string("–");
  };
  for (const Hit& hit : response.hits) {
    const ScoreParts& p = hit.parts;
    lines.push_back(
        fmt::format("{} relevance {:.3f} = fused {:.3f} × confidence; document {} passage {} dense "
                    "{} names {:.0f}",
                    hit.payload.doc_id, hit.relevance, p.fused, part(p.document, p.document_scaled),
                    part(p.passage, p.passage_scaled), part(p.dense, p.dense_scaled), p.bonus));
  }
  return lines;
}

}  // namespace precedent
