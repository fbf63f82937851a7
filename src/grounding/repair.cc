#include "grounding/repair.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace precedent {
namespace {

// "- ", "3. ", "> ", "|": what a line keeps when its text is gone.
bool is_empty_line(std::string_view line) {
  line = trim(line);
  while (!line.empty() && (line.front() == '-' || line.front() == '*' || line.front() == '>' ||
                           line.front() == '|' || line.front() == ' ' ||
                           (line.front() >= '0' && line.front() <= '9') || line.front() == '.' ||
                           line.front() == ')' || line.front() == '#'))
    line.remove_prefix(1);
  if (line.empty()) return true;
  // A label without what it labelled.
  return line.starts_with("**") && (line.ends_with(":**") || line.ends_with("**:")) &&
         line.find("**", 2) + 3 >= line.size();
}

struct Line {
  std::string text;
  bool touched = false;
};

// Lines that lost text and hold nothing any more go as a whole.
std::string drop_empty_lines(const std::vector<Line>& lines) {
  std::string out;
  bool blank = true;
  for (const Line& line : lines) {
    if (line.touched && is_empty_line(line.text)) continue;
    const bool empty = trim(line.text).empty();
    if (empty && blank) continue;
    out.append(line.text) += '\n';
    blank = empty;
  }
  return std::string(trim(out));
}

std::string remove_claims(std::string_view answer, const Verification& verification) {
  std::vector<Line> lines(1);
  size_t at = 0;
  const auto copy = [&](size_t end) {
    for (; at < end; ++at) {
      if (answer[at] == '\n')
        lines.emplace_back();
      else
        lines.back().text += answer[at];
    }
  };
  for (const Claim& claim : verification.claims) {
    if (claim.verdict != ClaimVerdict::kUnsupported || claim.bytes.begin < at) continue;
    copy(claim.bytes.begin);
    lines.back().touched = true;
    at = claim.bytes.end;
    while (at < answer.size() && answer[at] == ' ') ++at;
  }
  copy(answer.size());
  return drop_empty_lines(lines);
}

std::string mark_claims(std::string_view answer, const Verification& verification) {
  std::string out;
  size_t at = 0;
  for (const Claim& claim : verification.claims) {
    if (claim.verdict != ClaimVerdict::kUnsupported || claim.bytes.begin < at) continue;
    out.append(answer.substr(at, claim.bytes.begin - at));
    const std::string_view text = claim.bytes.in(answer);
    // Marks do not reach over lines, and code takes none.
    if (text.find('\n') == std::string_view::npos && text.find('`') == std::string_view::npos)
      out.append("~~").append(text).append("~~");
    else
      out.append(text);
    out.append(" *(unverified)*");
    at = claim.bytes.end;
  }
  return out.append(answer.substr(at));
}

}  // namespace

Repaired remove_or_mark(std::string_view answer, const Verification& verification,
                        RepairMode mode) {
  const size_t count = verification.count(ClaimVerdict::kUnsupported);
  if (count == 0) return {std::string(answer), 0};
  std::string text = mode == RepairMode::kRemove ? remove_claims(answer, verification)
                                                 : mark_claims(answer, verification);
  fmt::format_to(std::back_inserter(text),
                 "\n\n_{} statement{} that nothing retrieved proves {} {}._", count,
                 count == 1 ? "" : "s", count == 1 ? "was" : "were",
                 mode == RepairMode::kRemove ? "removed" : "marked");
  return {std::move(text), count};
}

std::string repair_request(std::string_view answer, const Verification& verification) {
  std::string out;
  for (const Claim& claim : verification.claims) {
    if (claim.verdict == ClaimVerdict::kUnsupported)
      fmt::format_to(std::back_inserter(out), "- \"{}\": {}\n", squeeze(claim.bytes.in(answer)),
                     claim.reason);
  }
  return out;
}

}  // namespace precedent
