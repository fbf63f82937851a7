// Where this command's metrics and alerts come from: opened from config/tools.yaml and the
// environment.
//
// The file is config/tools.yaml below the working directory, else tools.yaml in the data directory,
// else the one that is built in. Ownership: owns client and sources. Thread safety: as the sources.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "net/curl_http_client.h"
#include "telemetry/metrics_config.h"
#include "telemetry/metrics_source.h"
#include "tools/tool.h"

namespace precedent {

struct MetricsSourceOptions {
  std::filesystem::path data_dir;
  std::string snapshot = {};     // instead of what is configured
  std::string environment = {};  // of config/tools.yaml, instead of PRECEDENT_ENVIRONMENT
};

class MetricsSources {
 public:
  // No source configured is none of its errors. Errors: those of read_metrics_config and
  // open_snapshot.
  static Result<std::unique_ptr<MetricsSources>> open(const MetricsSourceOptions& options);

  // Lends the sources to a call.
  void lend(ToolContext& context) const;
  // What could not be read of a snapshot.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  MetricsSources() = default;
  CurlHttpClient client_;
  MetricsConfig config_;
  std::unique_ptr<MetricsSource> metrics_;
  std::unique_ptr<AlertSource> alerts_;
  std::vector<std::string> warnings_;
};

}  // namespace precedent
