#include "investigate/changes/renames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "investigate/changes/edit.h"

namespace precedent {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

bool is_compiled(std::string_view file) {
  constexpr std::array<std::string_view, 12> kEndings = {
      ".go", ".java", ".kt", ".rs", ".c", ".h", ".cc", ".cpp", ".cs", ".swift", ".scala", ".ts"};
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return file.ends_with(end); });
}

bool is_name(std::string_view token) {
  return std::isalpha(static_cast<unsigned char>(token.front())) != 0 || token.front() == '_';
}

// Keywords of these languages that a declared name stands behind.
bool declares(std::string_view token) {
  constexpr std::array<std::string_view, 11> kKeywords = {
      "func",      "fn",     "fun",  "def",  "function", "class",
      "interface", "struct", "enum", "type", "record"};
  return std::ranges::find(kKeywords, token) != kKeywords.end();
}

// Which names differ between two lines that are equal otherwise; nothing if more differs.
std::optional<Names> renamed(const DiffLine& before, const DiffLine& after) {
  const std::vector<std::string> a = tokens_of(before.text), b = tokens_of(after.text);
  if (a.size() != b.size()) return std::nullopt;
  Names out;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!is_name(a[i]) || !is_name(b[i])) return std::nullopt;
    const auto [known, fresh] = out.emplace(a[i], b[i]);
    if (!fresh && known->second != b[i]) return std::nullopt;
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

Names declared_renames(const std::vector<Hunk>& hunks) {
  Names out;
  for (const Hunk& hunk : hunks)
    for (const auto& [before, after] : replaced_lines(hunk)) {
      const auto names = renamed(*before, *after);
      if (!names || names->size() != 1) continue;
      const std::vector<std::string> tokens = tokens_of(before->text);
      for (size_t i = 1; i < tokens.size(); ++i)
        if (tokens[i] == names->begin()->first && declares(tokens[i - 1])) out.merge(Names(*names));
    }
  return out;
}

}  // namespace

std::vector<Hunk> without_renames(std::vector<Hunk> hunks) {
  const Names known = declared_renames(hunks);
  if (known.empty()) return hunks;
  for (Hunk& hunk : hunks) {
    if (!is_compiled(hunk.file)) continue;
    std::vector<const DiffLine*> same;
    for (const auto& [before, after] : replaced_lines(hunk)) {
      const auto names = renamed(*before, *after);
      const bool only_names = names && std::ranges::all_of(*names, [&](const auto& pair) {
                                const auto found = known.find(pair.first);
                                return found != known.end() && found->second == pair.second;
                              });
      if (only_names) same.push_back(before), same.push_back(after);
    }
    for (DiffLine& line : hunk.lines)
      if (std::ranges::find(same, &line) != same.end()) line.kind = ' ';
  }
  return hunks;
}

}  // namespace precedent
