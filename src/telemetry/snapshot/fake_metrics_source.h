// The fake of MetricsSource: a source in memory that can be told to fail, and says what it was
// asked.
//
// Thread safety: asked by any number of threads; told what to do, and asked() read, by one while
// nobody else does anything.
#pragma once

#include <deque>
#include <mutex>

#include "telemetry/snapshot/embedded_metrics.h"

namespace precedent {

class FakeMetricsSource final : public MetricsSource {
 public:
  explicit FakeMetricsSource(MetricData data) : metrics_("the fake", std::move(data)) {}

  // The next calls fail, one after another; then all work.
  void fail_next(Error error) { errors_.push_back(std::move(error)); }
  // As a live source: no end of time.
  void set_live() { live_ = true; }
  // What PromQL gives from now on.
  void answer_promql(SeriesSet answer) { promql_answer_ = std::move(answer); }
  // Everything that was asked, as PromQL or "catalogue" or "series <selector>".
  const std::vector<std::string>& asked() const { return asked_; }

  std::string describe() const override { return metrics_.describe(); }
  Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                          const SourceContext& context) const override {
    TRY(note(to_promql(query)));
    return metrics_.range(query, window, context);
  }
  Result<SeriesSet> range(const PromQl& query, const Window& window,
                          const SourceContext& context) const override {
    TRY(note(query.text));
    if (promql_answer_) return *promql_answer_;
    return metrics_.range(query, window, context);
  }
  Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const override {
    TRY(note("catalogue"));
    return metrics_.catalogue(context);
  }
  Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                       const SourceContext& context) const override {
    TRY(note("series " + to_promql(selector)));
    return metrics_.series(selector, from, to, context);
  }
  std::optional<Instant> frozen_at() const override {
    return live_ ? std::nullopt : metrics_.frozen_at();
  }

 private:
  Result<void> note(std::string what) const {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(what));
    if (errors_.empty()) return {};
    Error error = std::move(errors_.front());
    errors_.pop_front();
    return std::unexpected(std::move(error));
  }

  EmbeddedMetrics metrics_;
  bool live_ = false;
  std::optional<SeriesSet> promql_answer_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::deque<Error> errors_;
  mutable std::vector<std::string> asked_;
};

}  // namespace precedent
