// ProgressBar: how far a long command is, on stderr: a bar with rate and time left on a terminal, a
// line now and then elsewhere.
//
// Thread safety: one thread.
#pragma once

#include <chrono>
#include <string>

#include "cli/command/command.h"
#include "cli/terminal/to_stderr.h"
#include "ingest/publish/progress.h"

namespace precedent {

class ProgressBar final : public ProgressSink {
 public:
  void progress(const Progress& p) override {
    const auto now = std::chrono::steady_clock::now();
    const bool finished = p.total > 0 && p.done >= p.total;
    // Ten pictures a second are smooth; a log wants a line in ten seconds.
    const auto every =
        terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
    if (now - shown_ < every && !(terminal_ && finished)) return;
    shown_ = now;
    const double share =
        p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
    const double rate = p.seconds > 0 ? static_cast<double>(p.chunks) / p.seconds : 0;
    const double left = share > 0.01 ? p.seconds * (1 - share) / share : 0;
    if (terminal_) {
      const size_t filled = static_cast<size_t>(share * kWidth);
      to_stderr("\r\x1b[K{:<10} [{}{}] {:3.0f}%  {} chunks  {:.0f}/s  {:.0f} s left", name(p.stage),
                std::string(filled, '#'), std::string(kWidth - filled, '.'), share * 100, p.chunks,
                rate, left);
      drawn_ = true;
    } else {
      to_stderr("{} {:.0f}%, {} chunks, {:.0f}/s, {:.0f} s left\n", name(p.stage), share * 100,
                p.chunks, rate, left);
    }
  }
  void clear() {
    if (drawn_) to_stderr("\r\x1b[K");
  }

 private:
  static constexpr size_t kWidth = 28;
  const bool terminal_ = stderr_is_terminal();
  bool drawn_ = false;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

}  // namespace precedent
