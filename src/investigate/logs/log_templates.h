// Lines of logs → templates: what a program says over and over, without what varies in it.
//
// After Drain (He et al., "Drain: An online log parsing approach with fixed depth tree", ICWS
// 2017): words with digits are variable; lines of one service, level and number of words that share
// kSimilar of their words are one template. A template is new if nothing like it was said in the
// calm begin of the logs, and it grows if it comes much more often from some moment on (burst.h).
// What a program complains of now and then on any day is neither.
// Thread safety: pure functions.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "investigate/logs/log_lines.h"
#include "investigate/symptoms/symptom.h"

namespace precedent {

struct LogTemplate {
  std::string service;
  LogLevel level = LogLevel::kUnknown;
  std::string text;    // with <*> for what varies
  std::string sample;  // its first line, as it stands
  std::string file;
  size_t line = 0;  // of the sample; 0: told by a summary of the logs
  Instant first{}, last{};
  size_t count = 0;
  bool fresh = false;  // it is new
  bool grown = false;
  Instant onset{};  // of what is new or grows: since when
  SymptomSet symptoms;
  // Fields that have one and the same value in all its lines, if there are several of them.
  std::map<std::string, std::string> constant;
  // The fields of its lines as text, for words that only stand there: names and values.
  std::string detail;
  // A complaint: an error or a warning, or a text with a signature of one.
  bool bad() const;
};

inline constexpr size_t kMaxTemplates = 2000;

// What the lines are compared with.
struct LogCalm {
  // Since when to look for what is new: lines before tell what is known, and what is usual for the
  // hour. Nothing: since the first line.
  std::optional<Instant> from;
  // The lines begin when the failure was there already: whatever is an error is of it.
  bool failing = false;
};
// In the order of their first line. REQUIRES: `lines` are in the order of time.
std::vector<LogTemplate> mine_templates(std::span<const LogLine> lines, const LogCalm& calm = {});
// The text of a line without what varies.
std::string masked(std::string_view text);

}  // namespace precedent
