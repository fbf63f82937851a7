// Log files of a frozen incident → lines with a time, a service, a level and a text.
//
// JSON lines under the names that log libraries use, or plain text with a time at its begin. A line
// that is neither keeps the time of the line before it. Read: logs*.ndjson, *.jsonl, *.log, *.txt
// in the folder and in logs/. Limits: kMaxLogBytes a file and kMaxLogLines in all; what is beyond
// is said in `missing`. Thread safety: pure but for the files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/series.h"

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

// What a query of a day of one system holds; more is a matter of a log store.
inline constexpr size_t kMaxLogBytes = 256ull << 20;
inline constexpr size_t kMaxLogLines = 500'000;

struct LogLines {
  std::vector<LogLine> lines;  // in the order of time
  std::vector<std::string> missing;
};
// One line, JSON or not, without its place; untimed if it names no time.
LogLine read_log_line(std::string_view text);
LogLines read_log_text(std::string_view text, std::string_view file);
// Nothing there is said in `missing`.
LogLines read_logs(const std::filesystem::path& folder);

}  // namespace precedent
