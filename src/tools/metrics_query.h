// metrics_query: what a metric does now, did before, and which alerts are active. The work is that
// of telemetry/report/metric_report.h.
//
// Thread safety: as Tool.
#pragma once

#include <optional>

#include "telemetry/query/query_text.h"
#include "tools/tool.h"

namespace precedent {

class MetricsQuery final : public Tool {
 public:
  MetricsQuery();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

// What a call of this tool asked for; nothing if it was another tool's, or no question.
std::optional<MetricsQuestion> metrics_question_of(const Receipt& receipt);
// Whether it asked for a part of the series only: those of an endpoint, a service, a code.
bool is_narrowed(const Receipt& receipt);

}  // namespace precedent
