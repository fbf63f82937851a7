#include "investigate/logs/log_keeper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

// Of a field, beside its texts: the node of the map.
constexpr size_t kNode = 96;

size_t memory_of(const LogLine& line) {
  size_t out = sizeof line + line.text.size() + line.file.size() + line.service.size();
  for (const auto& [key, value] : line.fields) out += kNode + key.size() + value.size();
  return out;
}

// A line that says no level may.
bool complains(const LogLine& line) {
  return line.level != LogLevel::kInfo && line.level != LogLevel::kDebug;
}

std::string every(size_t nth) { return nth == 1 ? "all" : fmt::format("one in {}", nth); }

}  // namespace

void LogKeeper::begin(std::string_view file) {
  file_ = file;
  number_ = 0;
  last_in_file_.reset();
}

void LogKeeper::add(std::string_view raw) {
  ++number_;
  if (raw.ends_with('\r')) raw.remove_suffix(1);
  if (trim(raw).empty()) return;
  LogLine line = read_log_line(raw);
  line.file = file_;
  line.line = number_;
  if (line.timed) {
    last_in_file_ = line.at;
  } else if (last_in_file_) {
    line.at = *last_in_file_;
    line.timed = true;
  } else {
    return problems_.add(fmt::format("{}:{}: has no time that can be read", file_, number_));
  }
  kept_.last = std::max(kept_.last.value_or(line.at), line.at);
  if (line.text.empty()) return;
  ++seen_;
  if (!wanted(line)) return;
  memory_ += memory_of(line);
  kept_.lines.push_back(std::move(line));
  while (kept_.lines.size() > limits_.lines || memory_ > limits_.memory) thin();
}

LogLines LogKeeper::take() && {
  std::ranges::stable_sort(kept_.lines, {}, &LogLine::at);
  kept_.missing = problems_.lines();
  if (kept_.lines.size() < seen_)
    kept_.missing.push_back(fmt::format(
        "logs: {} of {} lines were kept: {}{} of those that complain, {} of the others",
        kept_.lines.size(), seen_,
        only_window_ && window_ ? fmt::format("of the time from {} to {} ",
                                              format_time(window_->from), format_time(window_->to))
                                : "",
        every(every_complaint_), every(every_calm_)));
  return std::move(kept_);
}

bool LogKeeper::is_outside(const LogLine& line) const {
  return window_ && (line.at < window_->from || line.at > window_->to);
}

bool LogKeeper::wanted(const LogLine& line) const {
  if (only_window_ && is_outside(line)) return false;
  // By a hash: lines may take turns. With one more bit, what is left is among what was left before.
  constexpr uint64_t kMix = 0x9E3779B97F4A7C15;
  const uint64_t mixed = (line.line * kMix) >> 32;
  return (mixed & ((complains(line) ? every_complaint_ : every_calm_) - 1)) == 0;
}

void LogKeeper::thin() {
  // Complaints are what an investigation reads; beside few of them, others may go.
  constexpr size_t kFewest = 64;
  if (!only_window_)
    only_window_ = true;
  else if (every_calm_ < kFewest)
    every_calm_ *= 2;
  else
    every_calm_ *= 2, every_complaint_ *= 2;
  std::erase_if(kept_.lines, [&](const LogLine& line) { return !wanted(line); });
  memory_ = 0;
  for (const LogLine& line : kept_.lines) memory_ += memory_of(line);
}

}  // namespace precedent
