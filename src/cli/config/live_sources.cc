#include "cli/config/live_sources.h"

#include "base/without_place.h"
#include "changes/shown_changes.h"
#include "cli/config/config_file.h"
#include "llm/model_config.h"
#include "telemetry/prometheus/alertmanager_source.h"
#include "telemetry/prometheus/prometheus_source.h"
#include "telemetry/prometheus/resting_source.h"
#include "telemetry/snapshot/deferred_snapshot.h"
#include "tools/build_info_changes.h"

namespace precedent {
namespace {

Result<ConfigFile> tools_file(const LiveOptions& options) {
  ConfigFile file =
      TRY(find_config_file("tools.yaml", "PRECEDENT_TOOLS", options.file, options.data_dir));
  if (file.path.empty())
    file = {"config/tools.yaml (built in)", std::string(default_tools_config())};
  return file;
}

MetricsEnvironment environment_of(const LiveOptions& options) {
  return [&options](const std::string& name) {
    if (name == "PRECEDENT_SNAPSHOT" && !options.snapshot.empty())
      return std::optional(options.snapshot);
    if (name == "PRECEDENT_ENVIRONMENT" && !options.environment.empty())
      return std::optional(options.environment);
    return system_environment(name);
  };
}

}  // namespace

Result<ChangesConfig> configured_changes(const LiveOptions& options) {
  const ConfigFile file = TRY(tools_file(options));
  return read_changes_config(file.text, file.path);
}

Result<StoresConfig> configured_stores(const LiveOptions& options) {
  const ConfigFile file = TRY(tools_file(options));
  return read_stores_config(file.text, file.path, environment_of(options));
}

Result<std::unique_ptr<OpenedSources>> OpenedSources::open(const LiveOptions& options) {
  const ConfigFile file = TRY(tools_file(options));
  std::unique_ptr<OpenedSources> sources(new OpenedSources());
  sources->config_ = TRY(read_metrics_config(file.text, file.path, environment_of(options)));
  sources->open_metrics(options.for_others);
  const auto changes = TRY(read_changes_config(file.text, file.path));
  std::unique_ptr<ChangeSource> versions;
  if (sources->metrics_ != nullptr && !changes.build_info.metrics.empty())
    versions = std::make_unique<BuildInfoChanges>(*sources->metrics_, changes.build_info);
  sources->changes_ = open_changes(changes, std::move(versions));
  if (options.for_others && sources->changes_ != nullptr)
    sources->changes_ = std::make_unique<ShownChanges>(std::move(sources->changes_));
  return sources;
}

void OpenedSources::open_metrics(bool for_others) {
  if (!config_.snapshot.empty()) {
    const std::string& folder = config_.snapshot;
    DeferredSnapshot snapshot = defer_snapshot(folder, for_others ? without_place(folder) : folder);
    metrics_ = std::move(snapshot.metrics);
    alerts_ = std::move(snapshot.alerts);
  }
  if (config_.prometheus)
    metrics_ = with_rests(std::make_unique<PrometheusSource>(client_, *config_.prometheus));
  if (config_.alertmanager)
    alerts_ = with_rests(std::make_unique<AlertmanagerSource>(client_, *config_.alertmanager));
}

LiveSources OpenedSources::live() const {
  return {metrics_.get(), alerts_.get(), &config_, changes_.get()};
}

}  // namespace precedent
