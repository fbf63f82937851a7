#include "tools/code_scan.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Lines shown around a match.
constexpr uint32_t kContext = 2;
// Pieces shown of one file, so that one file does not fill the list.
constexpr size_t kPerFile = 3;
// A line longer than this is shown by its beginning.
constexpr size_t kMaxExcerptBytes = 2000;

// One file's lines, counted as they are passed.
class LineFinder {
 public:
  explicit LineFinder(std::string_view text) : text_(text) {}

  // 0-based number of the line that holds the byte. REQUIRES: called with ascending bytes.
  uint32_t line_of(size_t byte) {
    line_ +=
        static_cast<uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
    at_ = byte;
    return line_;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 0;
};

// The lines that match, ascending.
std::vector<uint32_t> matching_lines(const RE2& pattern, std::string_view text) {
  std::vector<uint32_t> lines;
  LineFinder finder(text);
  for (size_t at = 0; at < text.size();) {
    re2::StringPiece found;
    const re2::StringPiece all(text.data(), text.size());
    if (!pattern.Match(all, at, text.size(), RE2::UNANCHORED, &found, 1)) break;
    const auto begin = static_cast<size_t>(found.data() - text.data());
    // An empty match at the very end is on no line.
    if (begin >= text.size()) break;
    lines.push_back(finder.line_of(begin));
    // One match a line says enough.
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return lines;
}

void add_excerpts(CodeScan& scan, const std::string& id, const std::string& path,
                  std::string_view text, const std::vector<uint32_t>& matching, size_t limit) {
  const std::vector<std::string_view> lines = split_lines(text);
  size_t shown = 0;
  for (size_t i = 0; i < matching.size() && shown < kPerFile && scan.matches.size() < limit;) {
    const uint32_t first = matching[i] - std::min(matching[i], kContext);
    uint32_t last = matching[i];
    while (i < matching.size() && matching[i] <= last + 2 * kContext) last = matching[i++];
    last = std::min<uint32_t>(last + kContext, static_cast<uint32_t>(lines.size()) - 1);
    std::string excerpt;
    uint32_t end = first;
    for (uint32_t line = first; line <= last; ++line) {
      const std::string_view part = utf8_prefix(lines[line], kMaxExcerptBytes);
      if (line > first && excerpt.size() + part.size() > kMaxExcerptBytes) break;
      if (line > first) excerpt += '\n';
      excerpt += part;
      end = line;
    }
    scan.matches.push_back({id, path, {first + 1, end + 1}, std::move(excerpt)});
    ++shown;
  }
}

}  // namespace

Result<CodeScan> scan_code(const KnowledgeStore& store, std::string_view pattern,
                           const CodeFileFilter& wanted, size_t limit) {
  if (pattern.empty() || pattern.size() > kMaxPatternBytes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a pattern has from 1 to {} characters, this one has {}",
                            kMaxPatternBytes, pattern.size()));
  }
  RE2::Options options;
  options.set_log_errors(false);
  // Lines are matched one at a time, so that "." and "\s" do not run over their ends.
  options.set_never_nl(true);
  const RE2 regex(fmt::format("(?m){}", pattern), options);
  if (!regex.ok()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the regular expression '{}' is wrong: {}; see "
                            "https://github.com/google/re2/wiki/Syntax",
                            pattern, regex.error()));
  }
  CodeScan scan;
  uint64_t bytes = 0;
  TRY(store.visit_bodies(
      Kind::kCode, [&](const std::string& id, const std::string& path, std::string_view body) {
        if (!wanted(id, path)) return true;
        bytes += body.size();
        if (bytes > kMaxScannedBytes) return scan.complete = false;
        const std::vector<uint32_t> matching = matching_lines(regex, body);
        if (matching.empty()) return true;
        scan.total += matching.size();
        ++scan.files;
        // Secrets go before the excerpts are cut; lines stay where they are.
        if (scan.matches.size() < limit)
          add_excerpts(scan, id, path, redact_lines(body), matching, limit);
        return true;
      }));
  return scan;
}

}  // namespace precedent
