#include "telemetry/prometheus/resting_source.h"

#include <optional>

#include "base/mutex.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class Rest {
 public:
  explicit Rest(milliseconds length) : length_(length) {}

  // What `ask` gives, or the error of the call that was in vain not long ago.
  template <typename Ask>
  auto call(const Ask& ask) const -> decltype(ask()) {
    if (auto error = last_error()) return std::unexpected(*std::move(error));
    auto answer = ask();
    if (!answer && (answer.error().code == ErrorCode::kTimeout ||
                    answer.error().code == ErrorCode::kUnavailable))
      begin(answer.error());
    return answer;
  }

 private:
  std::optional<Error> last_error() const {
    const MutexLock lock(mutex_);
    if (steady_clock::now() >= until_) return std::nullopt;
    return error_;
  }
  // Of several that waited at once the first is told: one reason.
  void begin(const Error& error) const {
    const MutexLock lock(mutex_);
    const auto now = steady_clock::now();
    if (now >= until_) error_ = error;
    until_ = now + length_;
  }

  const milliseconds length_;
  mutable Mutex mutex_;
  mutable steady_clock::time_point until_ GUARDED_BY(mutex_){};
  mutable Error error_ GUARDED_BY(mutex_);
};

class RestingMetrics final : public MetricsSource {
 public:
  RestingMetrics(std::unique_ptr<MetricsSource> source, milliseconds rest)
      : source_(std::move(source)), rest_(rest) {}

  std::string describe() const override { return source_->describe(); }
  Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                          const SourceContext& context) const override {
    return rest_.call([&] { return source_->range(query, window, context); });
  }
  Result<SeriesSet> range(const PromQl& query, const Window& window,
                          const SourceContext& context) const override {
    return rest_.call([&] { return source_->range(query, window, context); });
  }
  Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const override {
    return rest_.call([&] { return source_->catalogue(context); });
  }
  Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                       const SourceContext& context) const override {
    return rest_.call([&] { return source_->series(selector, from, to, context); });
  }
  std::optional<Instant> frozen_at() const override { return source_->frozen_at(); }

 private:
  std::unique_ptr<MetricsSource> source_;
  Rest rest_;
};

class RestingAlerts final : public AlertSource {
 public:
  RestingAlerts(std::unique_ptr<AlertSource> source, milliseconds rest)
      : source_(std::move(source)), rest_(rest) {}

  std::string describe() const override { return source_->describe(); }
  Result<std::vector<Alert>> active(Instant now, const SourceContext& context) const override {
    return rest_.call([&] { return source_->active(now, context); });
  }
  Result<std::vector<PastAlert>> past(Instant from, Instant to,
                                      const SourceContext& context) const override {
    return rest_.call([&] { return source_->past(from, to, context); });
  }

 private:
  std::unique_ptr<AlertSource> source_;
  Rest rest_;
};

}  // namespace

std::unique_ptr<MetricsSource> with_rests(std::unique_ptr<MetricsSource> source,
                                          milliseconds rest) {
  return std::make_unique<RestingMetrics>(std::move(source), rest);
}

std::unique_ptr<AlertSource> with_rests(std::unique_ptr<AlertSource> source, milliseconds rest) {
  return std::make_unique<RestingAlerts>(std::move(source), rest);
}

}  // namespace precedent
