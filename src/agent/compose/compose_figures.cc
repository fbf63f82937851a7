// Figures over the incident records: the headline is the one figure, or the first group; the others
// follow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agent/compose/compose_parts.h"
#include "agent/language/durations.h"
#include "base/strings.h"
#include "tools/figures.h"

namespace precedent {

Source source_of(const FiguresResult&, const Receipt& receipt) {
  return {receipt.id, "Figures over the incidents", "figures", {}, {}, receipt.id};
}

namespace {

std::string value_text(const FiguresResult& result, double value) {
  if (result.of != kDuration) return figure_text(value);
  return duration_text(std::chrono::minutes(std::lround(value)));
}

std::string incidents_text(size_t count) {
  return fmt::format("{} incident{}", count, count == 1 ? "" : "s");
}

// "Sum of EUR lost", "Incidents", "Average duration".
std::string what(const FiguresResult& result) {
  if (result.function == "count") return "Incidents";
  if (result.function == "sum") return "Sum of " + result.of;
  if (result.function == "average") return "Average of " + result.of;
  return (result.function == "highest" ? "Highest " : "Lowest ") + result.of;
}

// What it was computed over.
std::string basis(const FiguresResult& result) {
  std::string text = incidents_text(result.incidents);
  if (!result.scope.empty()) text += ": " + result.scope;
  if (result.without > 0)
    text +=
        fmt::format("; {} of them ha{} no value", result.without, result.without == 1 ? "s" : "ve");
  return text;
}

std::string line_of(const FiguresResult& result, const IncidentFigure& figure) {
  const std::string value = value_text(result, figure.value);
  if (!figure.title.empty()) return fmt::format("{}: {}, {}", figure.group, figure.title, value);
  if (result.function == "count") return fmt::format("{}: {}", figure.group, value);
  return fmt::format("{}: {} ({})", figure.group, value, incidents_text(figure.incidents));
}

void tell(Answer&, Writer& out, const FiguresResult& result, const Receipt& receipt) {
  const Source source = source_of(result, receipt);
  out.gap();
  if (result.figures.empty()) {
    out.line(result.note);
    out.missing(result.note);
    return;
  }
  const bool each = !result.figures.front().title.empty();
  if (result.by.empty() && !each) {
    out.line(fmt::format("**{}: {}** ({}) {}", what(result),
                         value_text(result, result.figures.front().value), basis(result),
                         out.cite(source)));
    return;
  }
  out.line(fmt::format("**{}{}** ({}): {}", what(result),
                       result.by.empty() ? "" : " by " + result.by, basis(result),
                       out.cite(source)));
  for (const IncidentFigure& figure : result.figures) {
    const Source own =
        each ? Source{figure.group, figure.title, "incident", {}, {}, receipt.id} : source;
    out.line(fmt::format("- {} {}", line_of(result, figure), out.cite(own)));
  }
  if (result.left_out > 0) out.line(fmt::format("{} more are not shown.", result.left_out));
}

}  // namespace

bool has_figures(const Answer& answer) {
  return std::ranges::any_of(answer.receipts, [](const Receipt& receipt) {
    return std::holds_alternative<FiguresResult>(receipt.result);
  });
}

void compose_figures(Answer& answer, Writer& out) {
  for (const Receipt& receipt : answer.receipts)
    if (const auto* figures = std::get_if<FiguresResult>(&receipt.result))
      tell(answer, out, *figures, receipt);
}

}  // namespace precedent
