// Log lines and spans of live systems → the files of a frozen incident, which log_lines.h and
// traces.h read. Format: docs/format/snapshot.md.
//
// Secrets are redacted. Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "telemetry/logs/logs_source.h"
#include "telemetry/traces/traces_source.h"

namespace precedent {

// One JSON object a line: a line that was JSON with what its stream adds, any other as `message`
// without the time that it begins with.
std::string recorded_logs(const std::vector<StoredLine>& lines);
// A list of spans.
std::string recorded_traces(const std::vector<StoredSpan>& spans);

}  // namespace precedent
