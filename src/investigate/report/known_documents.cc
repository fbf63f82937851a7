#include "investigate/report/known_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "investigate/report/markdown_line.h"
#include "investigate/report/remedies.h"
#include "knowledge/kind.h"

namespace precedent {
namespace {

using nlohmann::json;

struct GroupRow {
  Kind kind;
  std::string_view key, heading;
};
constexpr std::array<GroupRow, 4> kGroups = {{
    {Kind::kRunbook, "runbooks", "Runbooks"},
    {Kind::kKnownIssue, "known_issues", "Known issues"},
    {Kind::kPostmortem, "postmortems", "Post-mortems"},
    {Kind::kIncident, "incidents", "Similar incidents"},
}};

json known_json(const KnownDocument& item) {
  json out = {{"id", item.id},     {"title", item.title},         {"kind", item.kind},
              {"path", item.path}, {"relevance", item.relevance}, {"preview", item.preview}};
  if (item.helps.empty()) return out;
  out[item.kind == name(Kind::kIncident) ? "fixed_by" : "procedure"] = item.helps;
  if (item.lines.begin > 0) out["lines"] = {item.lines.begin, item.lines.end};
  return out;
}

}  // namespace

std::vector<KnownGroup> groups_of(const std::vector<KnownDocument>& known) {
  std::vector<KnownGroup> out;
  for (const GroupRow& row : kGroups) {
    KnownGroup group{row.key, row.heading, {}};
    for (const KnownDocument& item : known)
      if (item.kind == name(row.kind)) group.documents.push_back(&item);
    if (!group.documents.empty()) out.push_back(std::move(group));
  }
  return out;
}

const KnownDocument* quoted_runbook(const std::vector<KnownDocument>& known) {
  const auto found = std::ranges::find_if(known, [](const KnownDocument& item) {
    return item.kind == name(Kind::kRunbook) && !item.helps.empty();
  });
  return found == known.end() ? nullptr : &*found;
}

std::string lines_place_of(const KnownDocument& document) {
  if (document.lines.begin == 0) return place_of(document);
  return fmt::format("{}:{}-{}", place_of(document), document.lines.begin, document.lines.end);
}

json known_documents_json(const std::vector<KnownDocument>& known) {
  json out = {{"found", json::array()}};
  for (const KnownDocument& item : known) out["found"].push_back(known_json(item));
  for (const KnownGroup& group : groups_of(known))
    for (const KnownDocument* item : group.documents) out[group.key].push_back(item->id);
  return out;
}

json runbook_json(const KnownDocument& runbook) {
  json steps = json::array();
  for (const RunbookStep& step : runbook.steps)
    steps.push_back({{"text", step.text},
                     {"place", fmt::format("{}:{}", place_of(runbook), step.lines.begin)},
                     {"lines", {step.lines.begin, step.lines.end}}});
  return {{"document", runbook.id},
          {"title", runbook.title},
          {"place", lines_place_of(runbook)},
          {"steps", std::move(steps)}};
}

std::string known_markdown(const Investigation& investigation) {
  std::string out;
  for (const KnownGroup& group : groups_of(investigation.known)) {
    out += fmt::format("{}\n### {}\n\n", out.empty() ? "\n## What is known\n" : "", group.heading);
    for (const KnownDocument* item : group.documents) {
      out += fmt::format("- {} ({:.0f} %), {}\n", markdown_line(item->title), 100 * item->relevance,
                         markdown_line(place_of(*item)));
      if (item->kind == name(Kind::kIncident) && !item->helps.empty())
        out += fmt::format("  Fixed by: {}\n", markdown_line(item->helps));
    }
  }
  return out;
}

std::string todo_markdown(const Investigation& investigation) {
  const CaseVerdict& verdict = investigation.verdict;
  const KnownDocument* runbook = quoted_runbook(investigation.known);
  if (verdict.advice.empty() && runbook == nullptr) return "";
  std::string out = "\n## What to do\n";
  if (!verdict.advice.empty()) out += fmt::format("\n{}\n", markdown_line(verdict.advice));
  if (const Remedy* remedy = find_remedy(verdict.remediation))
    out += fmt::format("\n- Risk: {}\n- To take it back: {}\n", remedy->risk, remedy->rollback);
  if (runbook == nullptr) return out;
  out += fmt::format("\n{} ({}) says:\n\n", markdown_line(runbook->title),
                     markdown_line(lines_place_of(*runbook)));
  for (const std::string_view line : split_lines(runbook->helps))
    out += fmt::format(">{}{}\n", line.empty() ? "" : " ", line);
  return out;
}

}  // namespace precedent
