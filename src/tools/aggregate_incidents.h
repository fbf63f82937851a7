// Figures over the incident records: how many, the sum or the mean of a column of numbers or of how
// long they lasted, which are the highest or lowest; of all together or by month, weekday, system,
// or any other column that was loaded.
//
// Which column words mean: the one they name; else the one of the right sort (numbers to add up,
// few values to group by) whose name comes nearest to two neighbouring words of theirs, by the
// encoder. The result says which it was.
//
// Thread safety: as Tool.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/tool.h"

namespace precedent {

class AggregateIncidents final : public Tool {
 public:
  AggregateIncidents();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;

 private:
  static Result<Outcome> cannot(FiguresResult result, const Error& error);
};

// "1,250", "EUR 2 850", "38.5 %", "-4": the one number that a cell holds. Nothing of a date, a
// time, an id or a text.
std::optional<double> number_in(std::string_view cell);

// "38,610", "0.25".
std::string figure_text(double value);
// A figure of the result with its unit.
std::string figure_text(const FiguresResult& result, double value);

}  // namespace precedent
