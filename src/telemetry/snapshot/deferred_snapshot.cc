#include "telemetry/snapshot/deferred_snapshot.h"

#include "base/mutex.h"
#include "telemetry/snapshot/snapshot.h"

namespace precedent {
namespace {

class Deferred {
 public:
  Deferred(std::filesystem::path folder, std::string name)
      : folder_(std::move(folder)), name_(std::move(name)) {}

  // Valid as long as this is.
  Result<const TelemetrySnapshot*> get() const {
    const MutexLock lock(mutex_);
    if (opened_ == nullptr)
      opened_ = std::make_unique<TelemetrySnapshot>(TRY(open_snapshot(folder_)));
    return opened_.get();
  }
  std::string describe() const { return "the snapshot " + name_; }

 private:
  const std::filesystem::path folder_;
  const std::string name_;
  mutable Mutex mutex_;
  mutable std::unique_ptr<TelemetrySnapshot> opened_ GUARDED_BY(mutex_);
};

class DeferredMetrics final : public MetricsSource {
 public:
  explicit DeferredMetrics(std::shared_ptr<const Deferred> deferred)
      : deferred_(std::move(deferred)) {}

  std::string describe() const override { return deferred_->describe(); }
  Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                          const SourceContext& context) const override {
    return any_range(query, window, context);
  }
  Result<SeriesSet> range(const PromQl& query, const Window& window,
                          const SourceContext& context) const override {
    return any_range(query, window, context);
  }
  Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const override {
    return TRY(deferred_->get())->metrics->catalogue(context);
  }
  Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                       const SourceContext& context) const override {
    return TRY(deferred_->get())->metrics->series(selector, from, to, context);
  }
  std::vector<std::string> unread() const override {
    const auto snapshot = deferred_->get();
    return snapshot ? (*snapshot)->warnings : std::vector<std::string>();
  }
  std::optional<Instant> frozen_at() const override {
    const auto snapshot = deferred_->get();
    return snapshot ? (*snapshot)->metrics->frozen_at() : std::nullopt;
  }

 private:
  template <typename Query>
  Result<SeriesSet> any_range(const Query& query, const Window& window,
                              const SourceContext& context) const {
    const TelemetrySnapshot* snapshot = TRY(deferred_->get());
    SeriesSet found = TRY(snapshot->metrics->range(query, window, context));
    found.warnings.insert(found.warnings.end(), snapshot->warnings.begin(),
                          snapshot->warnings.end());
    return found;
  }

  std::shared_ptr<const Deferred> deferred_;
};

class DeferredAlerts final : public AlertSource {
 public:
  explicit DeferredAlerts(std::shared_ptr<const Deferred> deferred)
      : deferred_(std::move(deferred)) {}

  std::string describe() const override { return deferred_->describe(); }
  Result<std::vector<Alert>> active(Instant now, const SourceContext& context) const override {
    return TRY(deferred_->get())->alerts->active(now, context);
  }
  Result<std::vector<PastAlert>> past(Instant from, Instant to,
                                      const SourceContext& context) const override {
    return TRY(deferred_->get())->alerts->past(from, to, context);
  }

 private:
  std::shared_ptr<const Deferred> deferred_;
};

}  // namespace

DeferredSnapshot defer_snapshot(std::filesystem::path folder, std::string name) {
  const auto deferred = std::make_shared<const Deferred>(std::move(folder), std::move(name));
  return {std::make_unique<DeferredMetrics>(deferred), std::make_unique<DeferredAlerts>(deferred)};
}

}  // namespace precedent
