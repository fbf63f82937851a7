// The `AlertSource` seam: which alerts are active. Alertmanager and a snapshot implement it.
//
// Errors: as MetricsSource. Thread safety: all members may be called from several threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct Alert {
  std::string name;           // the label alertname
  LabelSet labels = {};       // with alertname
  LabelSet annotations = {};  // summary, description, runbook_url …
  Instant starts_at{};
  bool suppressed = false;  // silenced or inhibited
};

// One that is over.
struct PastAlert {
  Alert alert;
  Instant ends_at{};
};

// What it says of itself: its summary, else its description; "" without either. Lifetime: the
// alert's.
std::string_view text_of(const Alert& alert);

class AlertSource {
 public:
  virtual ~AlertSource() = default;
  virtual std::string describe() const = 0;
  // Those that are active at `now`, newest first, then by name and labels. A live source knows only
  // the present and ignores `now`.
  virtual Result<std::vector<Alert>> active(Instant now, const SourceContext& context) const = 0;
  // Those that were active at some time from `from` to `to` and over by `to`, newest first. A
  // source that keeps none gives none.
  virtual Result<std::vector<PastAlert>> past(Instant, Instant, const SourceContext&) const {
    return std::vector<PastAlert>();
  }
};

// The order above.
void sort_alerts(std::vector<Alert>& alerts);

}  // namespace precedent
