#include "grounding/facts/path_index.h"

#include "base/strings.h"

namespace precedent {
namespace {

// Sections that follow one another may be cited as one; a blank line or two lies between.
constexpr uint32_t kLinesBetween = 2;

// "./a.md", which lexing may leave as "/a.md", and "../a.md" are a.md of some folder.
std::string_view from_root(std::string_view path) {
  while (path.starts_with("./") || path.starts_with("../")) path.remove_prefix(path.find('/') + 1);
  if (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace

std::string_view without_lines(std::string_view path) {
  const size_t colon = path.rfind(':');
  const bool lines = colon != std::string_view::npos && colon + 1 < path.size() &&
                     path[colon + 1] >= '0' && path[colon + 1] <= '9';
  return lines ? path.substr(0, colon) : path;
}

void PathIndex::add(std::string_view path, const LineRange& lines) {
  paths_[ascii_lower(path)].push_back(lines);
}

PathMatch PathIndex::find(std::string_view path, const LineRange& lines) const {
  const std::string whole = ascii_lower(without_lines(path));
  const std::string_view wanted = from_root(whole);
  PathMatch best = PathMatch::kUnknown;
  for (const auto& [known, ranges] : paths_) {
    const std::string_view own = from_root(known);
    const bool same = own == wanted || (own.size() > wanted.size() && own.ends_with(wanted) &&
                                        own[own.size() - wanted.size() - 1] == '/');
    if (!same) continue;
    if (lines.begin == 0) return PathMatch::kMatch;
    best = PathMatch::kWrongLines;
    uint32_t shown = lines.begin;
    for (bool grown = true; grown && shown <= lines.end;) {
      grown = false;
      for (const LineRange& range : ranges) {
        if (range.begin == 0 || range.begin > shown + (shown > lines.begin ? kLinesBetween : 0) ||
            range.end < shown)
          continue;
        shown = range.end + 1;
        grown = true;
      }
    }
    if (shown > lines.end) return PathMatch::kMatch;
  }
  return best;
}

}  // namespace precedent
