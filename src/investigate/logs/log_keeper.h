// LogKeeper: which lines of logs are kept where there are more than memory should hold.
//
// What is kept is bounded by kMaxLogLines and kMaxLogMemory over all files. Where there is more,
// lines outside the window go first, then every second, fourth, … of those that complain of
// nothing, then of the others: so what is left comes as evenly as it did. That is said in
// `missing`. Thread safety: one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "investigate/logs/log_lines.h"
#include "telemetry/snapshot/read_problems.h"

namespace precedent {

// What a query of a day of one system holds; more is a matter of a log store.
inline constexpr size_t kMaxLogLines = 300'000;
inline constexpr size_t kMaxLogMemory = 256ull << 20;
struct LogLimits {
  size_t lines = kMaxLogLines, memory = kMaxLogMemory;
};

struct LogLines {
  std::vector<LogLine> lines;   // in the order of time
  std::optional<Instant> last;  // also of those that were left out
  std::vector<std::string> missing;
};
class LogKeeper {
 public:
  // Without a window no line is outside.
  LogKeeper(const std::optional<Window>& window, const LogLimits& limits)
      : window_(window), limits_(limits) {}

  void begin(std::string_view file);
  void add(std::string_view raw);
  void fail(std::string problem) { problems_.add(std::move(problem)); }
  LogLines take() &&;

 private:
  bool wanted(const LogLine& line) const;
  bool is_outside(const LogLine& line) const;
  void thin();

  const std::optional<Window> window_;
  const LogLimits limits_;
  std::string file_;
  size_t number_ = 0;  // of the line in its file
  std::optional<Instant> last_in_file_;
  LogLines kept_;
  size_t memory_ = 0, seen_ = 0;
  bool only_window_ = false;
  size_t every_calm_ = 1, every_complaint_ = 1;
  ReadProblems problems_;
};

}  // namespace precedent
