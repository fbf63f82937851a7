// metrics_query: what a metric does now, did before, and which alerts are active. The work is that of
// telemetry/metric_report.h.
//
// Thread safety: as Tool.
#pragma once

#include "tools/tool.h"

namespace precedent {

class MetricsQuery final : public Tool {
 public:
  MetricsQuery();

 protected:
  Result<Outcome> run(const Args& args, ToolContext& context) const override;
};

}  // namespace precedent
