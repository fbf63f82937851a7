#include "tools/pointers.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "text/markdown.h"

namespace precedent {
namespace {

constexpr std::string_view kExtensions[] = {".md", ".markdown", ".txt", ".rst", ".adoc", ".html"};

bool is_of_path(char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.' || c == '/'; }

// Without what comes behind a page's name in an address, and without its extension. `is_file`:
// whether it had one.
std::string bare(std::string_view token, bool& is_file) {
  std::string name = ascii_lower(token);
  while (!name.empty() && (name.back() == '.' || name.back() == '/')) name.pop_back();
  for (const std::string_view extension : kExtensions) {
    if (!name.ends_with(extension)) continue;
    is_file = true;
    name.resize(name.size() - extension.size());
    break;
  }
  return name;
}

// The parts of a path, the last one first.
std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '/'))
    if (!part.empty() && part != "." && part != "..")
      parts.insert(parts.begin(), std::string(part));
  return parts;
}

// "sop-201" of "sop-201-low-chlorine": the id that a file's name begins with; "" if it has none.
std::string code_of(std::string_view name) {
  const std::vector<IdMention> ids = find_ids(name);
  if (ids.empty() || ids.front().begin != 0) return "";
  size_t end = name.find('-');
  if (end == std::string_view::npos) return "";
  ++end;
  while (end < name.size() && is_digit(name[end])) ++end;
  const bool ends = end == name.size() || name[end] == '-' || name[end] == '_' || name[end] == '.';
  return ends && is_digit(name[end - 1]) ? std::string(name.substr(0, end)) : "";
}

}  // namespace

Result<Pointers> Pointers::open(const KnowledgeStore& store) {
  Pointers pointers;
  for (const DocumentState& state : TRY(store.states())) {
    if (state.kind == Kind::kIncident || state.kind == Kind::kCode || state.kind == Kind::kGolden)
      continue;
    bool is_file = false;
    Target target{state.id, parts_of(bare(state.path, is_file))};
    const size_t index = pointers.targets_.size();
    if (!target.path.empty()) {
      pointers.by_name_.emplace(target.path.front(), index);
      if (const std::string code = code_of(target.path.front()); !code.empty())
        pointers.by_code_.emplace(code, index);
    }
    if (const std::string id = ascii_lower(state.id); code_of(id) == id)
      pointers.by_code_.emplace(id, index);
    pointers.targets_.push_back(std::move(target));
  }
  return pointers;
}

std::string Pointers::meant_by(std::string_view token) const {
  const auto only = [&](const std::multimap<std::string, size_t>& map, const std::string& key) {
    const auto [begin, end] = map.equal_range(key);
    std::string id;
    for (auto at = begin; at != end; ++at) {
      const std::string& found = targets_[at->second].id;
      if (!id.empty() && id != found) return std::string();
      id = found;
    }
    return id;
  };
  bool is_file = false;
  const std::string name = bare(token, is_file);
  if (!name.contains('/'))
    if (std::string id = only(by_code_, name); !id.empty()) return id;
  const std::vector<std::string> parts = parts_of(name);
  if (parts.empty()) return "";
  // A name of one word is a word, unless it is a file or stands in a path.
  if (parts.size() == 1 && !is_file && !parts.front().contains('-') && !parts.front().contains('_'))
    return "";
  const auto [begin, end] = by_name_.equal_range(parts.front());
  size_t most = 0;
  std::string best;
  for (auto at = begin; at != end; ++at) {
    const std::vector<std::string>& path = targets_[at->second].path;
    const auto [mine, theirs] = std::ranges::mismatch(parts, path);
    const auto alike = static_cast<size_t>(mine - parts.begin());
    if (alike > most)
      best = targets_[at->second].id;
    else if (alike == most)
      best.clear();
    most = std::max(most, alike);
  }
  return best;
}

bool Pointers::may_point(std::string_view text) {
  for (size_t i = 1; i + 1 < text.size(); ++i)
    if (is_of_path(text[i]) && !is_alnum(text[i]) && is_of_path(text[i + 1])) return true;
  return false;
}

std::vector<std::string> Pointers::in(std::string_view text) const {
  std::vector<std::string> found;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_of_path(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    std::string id = meant_by(text.substr(at, end - at));
    if (!id.empty() && std::ranges::find(found, id) == found.end()) found.push_back(std::move(id));
    at = end;
  }
  return found;
}

std::string_view entry_head(std::string_view text) {
  static constexpr std::string_view kMarks[] = {" — ", " – ", " → ", " - ", ": ", " | ", "|"};
  size_t end = text.size();
  for (const std::string_view mark : kMarks) end = std::min(end, text.find(mark));
  return text.substr(0, end);
}

std::vector<std::string_view> entries_of(std::string_view section, const Verbatim& question) {
  std::vector<std::string_view> entries;
  uint8_t under = 0;  // the level of the heading that names it; 0: none does
  for (const Block& block : parse_blocks(section)) {
    const std::string_view content = block.content.in(section);
    if (block.kind == BlockKind::kHeading) {
      if (under == 0 || block.level <= under)
        under = question.holds(plain_text(content)) ? block.level : 0;
      continue;
    }
    if (under > 0) {
      entries.push_back(content);
      continue;
    }
    switch (block.kind) {
      case BlockKind::kTable:
        for (const TableRow& row : read_table(section, block).rows)
          if (!row.cells.empty() && question.holds(row.cells.front()))
            entries.push_back(row.bytes.in(section));
        break;
      case BlockKind::kListItem:
      case BlockKind::kParagraph:
        if (question.holds(entry_head(plain_text(content)))) entries.push_back(content);
        break;
      default: break;
    }
  }
  return entries;
}

}  // namespace precedent
