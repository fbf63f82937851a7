// Rows of diff_effects about small edits whose meaning is in what they take out or turn round.
#include <algorithm>
#include <array>
#include <cctype>

#include "base/strings.h"
#include "investigate/changes/edit.h"
#include "investigate/changes/effect_rows.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

using S = Symptom;

bool is_name(const std::string& token) {
  return std::isalpha(static_cast<unsigned char>(token.front())) != 0 || token.front() == '_';
}

std::vector<std::string> packed_of(const Hunk& hunk, char kind) {
  std::vector<std::string> out;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == kind && packed(line.text).size() > 1) out.push_back(packed(line.text));
  return out;
}

// What keeps something from taking for ever or growing for ever.
bool is_bound(std::string_view part) {
  constexpr std::array<std::string_view, 13> kBounds = {
      "timeout", "deadline", "limit",     "limiter",  "throttle", "semaphore", "breaker",
      "maxsize", "backoff",  "ratelimit", "maxconns", "cap",      "quota"};
  return std::ranges::find(kBounds, part) != kBounds.end();
}

std::vector<std::string> bounds_in(std::string_view line) {
  std::vector<std::string> out;
  for (std::string& part : parts_of(line))
    if (is_bound(part)) out.push_back(std::move(part));
  return out;
}

// "memory" of "  memory: 512Mi"; "" if the line sets nothing.
std::string key_in(std::string_view line) {
  const size_t end = line.find_first_of(":=");
  if (end == std::string_view::npos) return "";
  return ascii_lower(trim(line.substr(0, end)));
}

}  // namespace

std::optional<RowHit> rejects_more(const Hunk& hunk, const std::vector<Hunk>& all) {
  std::string removed;
  for (const Hunk& other : all)
    for (const std::string& line : packed_of(other, '-')) removed += line + '\n';
  bool in_check = false;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+') continue;
    const std::string text = packed(line.text);
    if (text.starts_with("if")) in_check = removed.find(text) == std::string::npos;
    const std::string lower = ascii_lower(text);
    const bool refuses =
        lower.find("return") != std::string::npos &&
        (lower.find("err") != std::string::npos || lower.find("40") != std::string::npos ||
         lower.find("reject") != std::string::npos || lower.find("invalid") != std::string::npos);
    if (in_check && refuses && text.find("!=nil") == std::string::npos &&
        text.find("returnnil,err") == std::string::npos)
      return RowHit{{S::kErrors, S::kAccess, S::kDataFormat, S::kCrash}, 0.4, line.text};
  }
  return std::nullopt;
}

// One line for one line, the same but for a name or a sign or two.
std::optional<RowHit> expression_changed(const Hunk& hunk, const std::vector<Hunk>&) {
  size_t edits = 0;
  bool signs = false;  // comparisons and arithmetic
  const DiffLine* first = nullptr;
  for (size_t i = 0; i + 1 < hunk.lines.size(); ++i) {
    const DiffLine &before = hunk.lines[i], &after = hunk.lines[i + 1];
    if (before.kind != '-' || after.kind != '+') continue;
    const std::vector<std::string> a = tokens_of(before.text), b = tokens_of(after.text);
    if (a.size() < 3 ||
        (a.size() != b.size() && a.size() != b.size() + 1 && a.size() + 1 != b.size()))
      continue;
    size_t same_begin = 0, same_end = 0;
    while (same_begin < std::min(a.size(), b.size()) && a[same_begin] == b[same_begin])
      ++same_begin;
    while (same_end < std::min(a.size(), b.size()) - same_begin &&
           a[a.size() - 1 - same_end] == b[b.size() - 1 - same_end])
      ++same_end;
    const size_t left_a = a.size() - same_begin - same_end,
                 left_b = b.size() - same_begin - same_end;
    if (left_a > 2 || left_b > 2 || left_a + left_b == 0) continue;
    const bool literal =
        left_a > 0 && std::isdigit(static_cast<unsigned char>(a[same_begin].front())) != 0;
    if (literal) continue;  // value_changed looks at numbers
    const auto is_sign = [](const std::vector<std::string>& tokens, size_t from, size_t count) {
      return std::ranges::all_of(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(from + count),
                                 [](const std::string& token) { return !is_name(token); });
    };
    signs = signs || (is_sign(a, same_begin, left_a) && is_sign(b, same_begin, left_b));
    ++edits;
    if (first == nullptr) first = &after;
  }
  // The same small edit in many places is a new name.
  if (edits == 0 || edits > 2) return std::nullopt;
  if (signs)
    return RowHit{{S::kErrors, S::kDataFormat, S::kCrash, S::kCpu, S::kQuota}, 0.5, first->text};
  return RowHit{{S::kErrors, S::kDataFormat, S::kLatency, S::kAccess, S::kRefused, S::kTimeouts,
                 S::kCacheMisses},
                0.4,
                first->text};
}

std::optional<RowHit> reordered(const Hunk& hunk, const std::vector<Hunk>&) {
  std::vector<std::string> removed = packed_of(hunk, '-'), added = packed_of(hunk, '+');
  if (removed.empty() || removed.size() != added.size()) {
    // A diff shows a moved line once as taken out and once as put in.
    if (removed.empty() || added.empty()) return std::nullopt;
  }
  if (removed == added) return std::nullopt;
  const auto lock = std::ranges::find_if(removed, [](const std::string& line) {
    return line.find("ock(") != std::string::npos || line.find("FORUPDATE") != std::string::npos;
  });
  const bool locks = lock != removed.end();
  const DiffLine* first = nullptr;
  for (const DiffLine& line : hunk.lines)
    if (line.kind == '+' && first == nullptr) first = &line;
  std::ranges::sort(removed);
  std::ranges::sort(added);
  if (removed != added) return std::nullopt;
  const SymptomSet causes =
      locks ? SymptomSet{S::kLock, S::kLatency, S::kTimeouts, S::kQueue, S::kPool, S::kErrors}
            : SymptomSet{S::kErrors, S::kDataFormat, S::kCrash, S::kLock};
  return RowHit{causes, locks ? 0.85 : 0.45, first->text};
}

std::optional<RowHit> bound_removed(const Hunk& hunk, const std::vector<Hunk>& all) {
  // What a text of code says bounds nothing: an error is only worded otherwise.
  const auto bounds_of = [&](const DiffLine& line) {
    std::vector<std::string> texts;
    if (hunk.role != FileRole::kCode) return bounds_in(line.text);
    return bounds_in(without_strings(line.text, texts));
  };
  std::vector<std::string> kept;
  for (const Hunk& other : all)
    for (const DiffLine& line : other.lines)
      if (line.kind == '+') std::ranges::move(bounds_in(line.text), std::back_inserter(kept));
  const SymptomSet causes = {S::kLatency, S::kPool,        S::kQueue, S::kHandles,
                             S::kMemory,  S::kOutOfMemory, S::kCpu,   S::kTraffic,
                             S::kQuota,   S::kTimeouts,    S::kFanOut};
  // Whoever waits with a context of nobody's waits for ever.
  const bool had_context = std::ranges::any_of(hunk.lines, [](const DiffLine& line) {
    return line.kind == '-' && line.text.find("ctx") != std::string::npos;
  });
  for (const DiffLine& line : hunk.lines)
    if (had_context && line.kind == '+' &&
        line.text.find("context.Background()") != std::string::npos)
      return RowHit{causes, 0.65, line.text};
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-') continue;
    for (const std::string& bound : bounds_of(line))
      if (std::ranges::find(kept, bound) == kept.end()) return RowHit{causes, 0.7, line.text};
  }
  return std::nullopt;
}

std::optional<RowHit> setting_removed(const Hunk& hunk, const std::vector<Hunk>&) {
  for (const DiffLine& line : hunk.lines) {
    const std::string key = line.kind == '-' ? key_in(line.text) : "";
    if (key.empty() || !is_name(key)) continue;
    const bool still = std::ranges::any_of(hunk.lines, [&](const DiffLine& other) {
      return other.kind == '+' && key_in(other.text) == key;
    });
    if (!still)
      return RowHit{{S::kErrors, S::kCrash, S::kAccess, S::kRefused, S::kSchema, S::kOutOfMemory,
                     S::kCpu, S::kNode},
                    0.6,
                    line.text};
  }
  return std::nullopt;
}

}  // namespace precedent
