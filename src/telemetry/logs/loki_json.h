// What Loki's HTTP API answers, as values:
// https://grafana.com/docs/loki/latest/reference/loki-http-api
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "telemetry/logs/logs_source.h"

namespace precedent {

// {"status": "success", "data": {"resultType": "streams", "result": [{"stream": {labels},
// "values": [["nanoseconds", "line"], …]}]}}. In the order of time; lines of one time by labels and
// text, whatever order the answer has. `service` stays empty. Errors: kCorrupt.
Result<std::vector<StoredLine>> read_loki_streams(const nlohmann::json& answer);
// {"status": "success", "data": ["app", …]}; without data there are none. Errors: kCorrupt.
Result<std::vector<std::string>> read_loki_names(const nlohmann::json& answer);

}  // namespace precedent
