// A line of a log → a line with a time, a service, a level and a text.
//
// JSON under the names that log libraries use, or plain text with a time at its begin. Thread
// safety: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "telemetry/metrics/series.h"

namespace precedent {

enum class LogLevel { kUnknown, kDebug, kInfo, kWarn, kError };

struct LogLine {
  Instant at{};
  bool timed = false;
  std::string service;  // "" if nobody says
  LogLevel level = LogLevel::kUnknown;
  std::string text;
  std::map<std::string, std::string> fields;  // others that are short words or numbers
  std::string file;
  size_t line = 0;
};

// Of a longer line, the begin.
inline constexpr size_t kMaxRawLine = 64 * 1024;
// One line, JSON or not, without its place; untimed if it names no time.
LogLine read_log_line(std::string_view text);

}  // namespace precedent
