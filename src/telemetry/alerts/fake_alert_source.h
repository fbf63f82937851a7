// The fake of AlertSource: alerts that a test puts there, or an error.
//
// Thread safety: one thread.
#pragma once

#include "telemetry/alerts/alert_source.h"

namespace precedent {

class FakeAlertSource final : public AlertSource {
 public:
  explicit FakeAlertSource(std::vector<Alert> alerts) : alerts_(std::move(alerts)) {}
  void fail_with(Error error) { error_ = std::move(error); }

  std::string describe() const override { return "the fake"; }
  Result<std::vector<Alert>> active(Instant, const SourceContext& context) const override {
    TRY(context.cancel.check());
    if (error_) return std::unexpected(*error_);
    std::vector<Alert> sorted = alerts_;
    sort_alerts(sorted);
    return sorted;
  }

 private:
  std::vector<Alert> alerts_;
  std::optional<Error> error_;
};

}  // namespace precedent
