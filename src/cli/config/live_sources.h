// LiveSources, opened: metrics, alerts and changes, from tools.yaml and the environment.
//
// The file is the one that is named, else $PRECEDENT_TOOLS, else config/tools.yaml below the
// working directory, else tools.yaml in the data directory, else the one that is built in, which
// names no source. Ownership: owns client and sources. Thread safety: as the sources.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "changes/change_source.h"
#include "changes/changes_config.h"
#include "net/curl_http_client.h"
#include "telemetry/metrics/metrics_source.h"
#include "telemetry/query/metrics_config.h"
#include "telemetry/stores_config.h"
#include "tools/tool.h"

namespace precedent {

struct LiveOptions {
  std::filesystem::path data_dir;
  std::string file = {};         // "": looked for as above
  std::string snapshot = {};     // instead of the metrics and alerts that are configured
  std::string environment = {};  // of the file, instead of PRECEDENT_ENVIRONMENT
  bool for_others = false;       // who are not told where files lie on this machine
};

// The section `changes` of that file.
Result<ChangesConfig> configured_changes(const LiveOptions& options);
// Its sections `logs` and `traces`, of the environment that is asked.
Result<StoresConfig> configured_stores(const LiveOptions& options);

class OpenedSources {
 public:
  // No source configured is none of its errors. Errors: kInvalidArgument naming file, line and key.
  // Sources are asked, and snapshots read, only when a tool does so.
  static Result<std::unique_ptr<OpenedSources>> open(const LiveOptions& options);

  LiveSources live() const;

 private:
  OpenedSources() = default;
  void open_metrics(bool for_others);

  CurlHttpClient client_;
  MetricsConfig config_;
  std::unique_ptr<MetricsSource> metrics_;
  std::unique_ptr<AlertSource> alerts_;
  std::unique_ptr<ChangeSource> changes_;
};

}  // namespace precedent
