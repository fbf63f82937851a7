#include "cli/metrics_sources.h"

#include "files/files.h"
#include "llm/model_config.h"
#include "telemetry/alertmanager_source.h"
#include "telemetry/prometheus_source.h"
#include "telemetry/snapshot.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

// A configuration is a few pages of text.
constexpr size_t kMaxConfigBytes = 1 << 20;

Result<MetricsConfig> read_config(const MetricsSourceOptions& options) {
  const MetricsEnvironment environment = [&](const std::string& name) {
    if (name == "PRECEDENT_SNAPSHOT" && !options.snapshot.empty())
      return std::optional(options.snapshot);
    if (name == "PRECEDENT_ENVIRONMENT" && !options.environment.empty())
      return std::optional(options.environment);
    return system_environment(name);
  };
  std::error_code ignored;
  for (const fs::path& place : {fs::path("config/tools.yaml"), options.data_dir / "tools.yaml"})
    if (fs::is_regular_file(place, ignored))
      return read_metrics_config(TRY(read_file(place, kMaxConfigBytes)), place.string(),
                                 environment);
  return read_metrics_config(default_tools_config(), "config/tools.yaml (built in)", environment);
}

}  // namespace

Result<std::unique_ptr<MetricsSources>> MetricsSources::open(const MetricsSourceOptions& options) {
  std::unique_ptr<MetricsSources> sources(new MetricsSources());
  sources->config_ = TRY(read_config(options));
  const MetricsConfig& config = sources->config_;
  if (!config.snapshot.empty()) {
    TelemetrySnapshot snapshot = TRY(open_snapshot(config.snapshot));
    sources->metrics_ = std::move(snapshot.metrics);
    sources->alerts_ = std::move(snapshot.alerts);
    sources->warnings_ = std::move(snapshot.warnings);
  }
  if (config.prometheus)
    sources->metrics_ = std::make_unique<PrometheusSource>(sources->client_, *config.prometheus);
  if (config.alertmanager)
    sources->alerts_ = std::make_unique<AlertmanagerSource>(sources->client_, *config.alertmanager);
  return sources;
}

void MetricsSources::lend(ToolContext& context) const {
  context.metrics = metrics_.get();
  context.alerts = alerts_.get();
  context.metrics_config = &config_;
}

}  // namespace precedent
