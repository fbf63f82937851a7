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

}  // namespace precedent
