// StoresConfig: where logs and traces of live systems are read. Read from the parts `logs` and
// `traces` of config/tools.yaml, for all environments or of one of them, and from the environment;
// docs/investigate.md explains every key.
//
// The environment wins: PRECEDENT_LOKI_URL, PRECEDENT_TEMPO_URL, PRECEDENT_JAEGER_URL. Secrets
// never stand in the file: it names variables or files. Reads no file but those. Thread safety:
// plain values, pure functions but for the files.
#pragma once

#include <optional>
#include <string_view>

#include "base/config_values.h"
#include "telemetry/logs/loki_source.h"
#include "telemetry/query/metrics_config.h"

namespace precedent {

// Nothing: not configured. At most one of Tempo and Jaeger.
struct StoresConfig {
  std::optional<LokiOptions> loki = std::nullopt;
  std::optional<StoreEndpoint> tempo = std::nullopt;
  std::optional<StoreEndpoint> jaeger = std::nullopt;
};

// `yaml` is the text of the file `path`, whose other parts are read by metrics_config.h and
// changes/changes_config.h. Errors: kInvalidArgument with path:line:key and the remedy. With `all`,
// all of them, those of the other environments of the file as well.
Result<StoresConfig> read_stores_config(std::string_view yaml, std::string_view path,
                                        const MetricsEnvironment& environment,
                                        ConfigProblems* all = nullptr);

}  // namespace precedent
