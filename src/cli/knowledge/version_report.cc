#include "cli/knowledge/version_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <vector>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "cli/terminal/render.h"
#include "ingest/version_reading.h"

namespace precedent {
namespace {

using nlohmann::json;

// Problems in a terminal; --json has more.
constexpr size_t kShown = 20;

std::string problem_line(const json& problem) {
  const auto text = [&](const char* key) { return problem.value(key, std::string()); };
  std::string place = text("file");
  if (const size_t line = problem.value("line", size_t{0}); line != 0)
    place += fmt::format(":{}", line);
  if (!text("field").empty()) place += fmt::format(" '{}'", text("field"));
  return place.empty() ? text("message") : fmt::format("{}: {}", place, text("message"));
}

std::string cell(std::string_view text) {
  std::string safe = printable(std::string(text));
  for (size_t at = safe.find('|'); at != std::string::npos; at = safe.find('|', at + 2))
    safe.insert(at, "\\");
  return safe;
}

// Why an activation will be refused, and what helps; "" if it will not.
std::string refusal(const DatasetVersion& version, std::string_view limit) {
  if (limit.empty()) return "";
  return fmt::format(
      "a limit of the mapping refuses to activate it: {}; mend the files and make another version, "
      "or force it and say why: precedent dataset activate {} --force --why REASON",
      limit, version.number);
}

std::string unmapped_of(const json& report) {
  const auto unmapped = report.value("unmapped_columns", std::vector<std::string>());
  return unmapped.empty()
             ? ""
             : fmt::format("kept under their own names: {}", printable(join(unmapped, ", ")));
}

}  // namespace

std::string summary_of(const DatasetVersion& version) {
  const json report = parse_json(version.report);
  return fmt::format("{} incidents, {} bad, {} with a title alone, {} with something redacted",
                     version.counts.records, version.counts.bad, version.counts.bare,
                     report.is_object() ? report.value("secrets", size_t{0}) : 0);
}

std::string summary_of(const VersionDifference& found) {
  const std::string against =
      found.from == 0 ? "no version is active" : fmt::format("against version {}", found.from);
  return fmt::format("{}: {} added, {} changed, {} vanished", against, found.added.size(),
                     found.changed.size(), found.vanished.size());
}

std::string next_step(const DatasetVersion& version) {
  std::string_view step;
  switch (version.state) {
    case VersionState::kDraft: step = "validate"; break;
    case VersionState::kValidated:
    case VersionState::kIngesting: step = "ingest"; break;
    case VersionState::kReady: step = "activate"; break;
    default: return "";
  }
  return fmt::format("next: precedent dataset {} {}\n", step, version.number);
}

std::string VersionReportText::text() const {
  const json report = parse_json(version_.report);
  std::string out = fmt::format("version {} is {}: {}\n{}\n", version_.number, name(version_.state),
                                summary_of(version_), summary_of(found_));
  const auto line = [&](const std::string& text) {
    if (!text.empty()) out += text + '\n';
  };
  std::vector<std::string> coverage;
  const json counts = report.value("coverage", json::object());
  for (const auto& [field, count] : counts.items())
    coverage.push_back(fmt::format("{} {}", field, count.get<size_t>()));
  if (version_.counts.records > 0)
    line(fmt::format("of {} incidents have: {}", version_.counts.records, join(coverage, ", ")));
  auto problems = report.value("problems", std::vector<json>());
  std::ranges::stable_partition(
      problems, [](const json& problem) { return problem.value("severity", "") == "error"; });
  for (const json& problem : problems | std::views::take(kShown))
    line(fmt::format("{}: {}", problem.value("severity", "warning"),
                     printable(problem_line(problem))));
  if (const size_t all = report.value("problem_count", size_t{0}); all > kShown)
    line(fmt::format("and {} more; --json lists up to {}", all - kShown, kMaxVersionProblems));
  line(unmapped_of(report));
  line(refusal(version_, limit_));
  return limit_.empty() ? out + next_step(version_) : out;
}

std::string VersionReportText::markdown() const {
  const json report = parse_json(version_.report);
  std::string out;
  const auto add = [&]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  add("# Version {}: {}\n\n{}; {}.\n", version_.number, printable(version_.name),
      summary_of(version_), summary_of(found_));
  if (!limit_.empty()) add("\n**{}.**\n", cell(refusal(version_, limit_)));
  add("\n| field | incidents that have it |\n|---|---|\n");
  const json coverage = report.value("coverage", json::object());
  for (const auto& [field, count] : coverage.items())
    add("| {} | {} |\n", cell(field), count.get<size_t>());
  if (const std::string unmapped = unmapped_of(report); !unmapped.empty())
    add("\nColumns {}.\n", cell(unmapped));
  const json problems = report.value("problems", json::array());
  if (problems.empty()) return out;
  add("\n| where | field | value | rule | severity | what |\n|---|---|---|---|---|---|\n");
  for (const json& problem : problems)
    add("| {}:{} | {} | {} | {} | {} | {} |\n", cell(problem.value("file", "")),
        problem.value("line", 0), cell(problem.value("field", "")),
        cell(problem.value("value", "")), cell(problem.value("rule", "")),
        cell(problem.value("severity", "")), cell(problem.value("message", "")));
  return out;
}

}  // namespace precedent
