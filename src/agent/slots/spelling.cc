#include "agent/slots/spelling.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "agent/language/fixed_phrases.h"
#include "agent/language/nearest_name.h"
#include "agent/slots/signals.h"
#include "agent/slots/subjects.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// Those to which no other word of English is as near, but for those below.
constexpr std::array kMeant = std::to_array<std::string_view>(
    {"latency",   "latencies", "error",     "errors",     "timeout",     "timeouts",  "throughput",
     "spiky",     "failures",  "saturated", "saturation", "overloaded",  "unhealthy", "unavailable",
     "degraded",  "throwing",  "deploy",    "deployed",   "deployment",  "rollback",  "happened",
     "happening", "incident",  "incidents", "yesterday",  "architecture"});
constexpr std::array kWords =
    std::to_array<std::string_view>({"throughout", "deplored", "yesterdays", "architectures"});
constexpr size_t kShortest = 5;

// "errrors" and "errors" differ by how long a key was held.
std::string without_runs(std::string_view word) {
  std::string out;
  for (const char c : word)
    if (out.empty() || out.back() != c) out += c;
  return out;
}

bool are_swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const size_t at = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

std::string_view meant_by(std::string_view word) {
  std::string_view nearest;
  size_t edits = 2;
  for (const std::string_view meant : kMeant) {
    if (word.front() != meant.front()) continue;
    const std::string a = without_runs(word), b = without_runs(meant);
    const size_t its = are_swapped(a, b) ? 1 : edit_distance(a, b);
    if (its < edits) nearest = meant, edits = its;
  }
  return nearest;
}

bool is_misspelt(const std::string& word, const std::function<bool(std::string_view)>& is_word) {
  const auto is = [&](const auto& list) { return std::ranges::find(list, word) != list.end(); };
  if (word.size() < kShortest || is(kMeant) || is(kWords) || frames_a_question(word)) return false;
  const Signals own = read_signals(word);
  return !own.behaviour() && !own.deploy && !meant_by(word).empty() && !is_word(word);
}

}  // namespace

Spelled read_spelling(std::string_view question,
                      const std::function<bool(std::string_view)>& is_word) {
  Spelled spelled;
  std::vector<std::string> notes;
  // A word within a name or a path is part of it.
  const auto joins = [&](size_t at) {
    return at < question.size() &&
           (is_digit(question[at]) || std::string_view("-_/.:=\"(").contains(question[at])) &&
           (at + 1 < question.size() && question[at + 1] != ' ');
  };
  for (size_t at = 0; at < question.size();) {
    size_t end = at;
    while (end < question.size() && is_letter(question[end])) ++end;
    if (end == at) {
      spelled.question += question[at++];
      continue;
    }
    const std::string_view said = question.substr(at, end - at);
    const std::string lower = ascii_lower(said);
    const bool part = (at > 0 && joins(at - 1)) || joins(end);
    if (!part && is_misspelt(lower, is_word)) {
      const std::string_view meant = meant_by(lower);
      notes.push_back(taken_note(said, meant));
      spelled.question += meant;
    } else {
      spelled.question += said;
    }
    at = end;
  }
  spelled.note = join(notes, " ");
  return spelled;
}

}  // namespace precedent
