#include "ingest/reading/path_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <vector>

#include "base/hash.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "kb-";
constexpr size_t kDigits = 12;

std::string id_for(std::string_view path) {
  return std::string(kPrefix) + content_hash(path).substr(0, kDigits);
}

bool is_made_of_a_path(std::string_view id) {
  return id.starts_with(kPrefix) && id.size() == kPrefix.size() + kDigits;
}

std::string with_line(const std::string& path, size_t line) {
  return line == 0 ? path : fmt::format("{}:{}", path, line);
}

bool is_gone(const std::string& path) {
  std::error_code error;
  return fs::status(path, error).type() == fs::file_type::not_found;
}

// "a/b/c" → "c", "b/c", "a/b/c".
std::vector<std::string_view> ends_of(std::string_view path) {
  std::vector<std::string_view> ends;
  for (size_t i = path.size(); i-- > 0;) {
    if (path[i] == '/' && i + 1 < path.size()) ends.push_back(path.substr(i + 1));
  }
  if (!path.starts_with('/')) ends.push_back(path);
  return ends;
}

struct Found {
  std::string file;
  std::string relative;  // "" where the id is made of it alone
  bool sure = true;
};

// The file of a document whose id was made of a path that is no more: an older store, read again
// after its folder was renamed. Below the source's own name in the path, else what exists.
Found likely_file(const DocumentState& state) {
  const fs::path source(state.source);
  const std::vector<std::string_view> ends = ends_of(state.path);
  const auto file_at = [&](std::string_view relative) {
    return (source / relative).lexically_normal().string();
  };
  const std::string name = source.filename().string();
  for (const std::string_view end : std::views::reverse(ends)) {
    if (!end.starts_with(name + "/")) continue;
    const std::string_view below = end.substr(name.size() + 1);
    return {file_at(below), std::string(below), false};
  }
  for (const std::string_view end : std::views::reverse(ends)) {
    if (!is_gone(file_at(end))) return {file_at(end), std::string(end), false};
  }
  // "./sub/a.md": the source was read from within.
  return {file_at(state.path), fs::path(state.path).lexically_normal().string(), false};
}

// Which file an id was made of. The store has the path as somebody named it and the source; what
// lies between them is tried.
Found file_of(const DocumentState& state) {
  std::vector<std::pair<std::string_view, std::string>> files;
  for (const std::string_view end : ends_of(state.path)) {
    if (state.source.ends_with(fmt::format("/{}", end))) files.emplace_back(end, state.source);
    files.emplace_back(end, fmt::format("{}/{}", state.source, end));
  }
  for (const auto& [relative, file] : files) {
    if (id_for(relative) == state.id) return Found{file, ""};
    if (id_for(file) == state.id) return Found{file, std::string(relative)};
  }
  // Read first through a folder above, then through this source.
  for (const auto& [relative, file] : files) {
    for (const std::string_view end : ends_of(file)) {
      if (id_for(end) == state.id) return Found{file, ""};
    }
  }
  return likely_file(state);
}

}  // namespace

std::string id_below_source(const Place& place) {
  return id_for(with_line(place.relative, place.line));
}

PathIds::PathIds(std::span<const DocumentState> known) {
  std::vector<std::pair<const DocumentState*, Found>> found;
  for (const DocumentState& state : known) {
    if (is_made_of_a_path(state.id)) found.emplace_back(&state, file_of(state));
  }
  // What is sure goes first: a likely file may be that of another document.
  std::ranges::stable_partition(found, [](const auto& one) { return one.second.sure; });
  for (const auto& [state, where] : found) know(*state, where.file, where.relative);
}

void PathIds::know(const DocumentState& state, const std::string& file,
                   const std::string& relative) {
  owners_.emplace(state.id, Owner{state.source, file});
  by_file_.emplace(file, state.id);
  if (!relative.empty() && is_gone(file)) by_place_.emplace(relative, state.id);
}

std::string PathIds::id_of(const Place& place) {
  std::string id = find(place);
  owners_.insert_or_assign(id, Owner{place.source, place.file});
  by_file_.insert_or_assign(with_line(place.file, place.line), id);
  return id;
}

std::string PathIds::find(const Place& place) const {
  if (const auto same = by_file_.find(with_line(place.file, place.line)); same != by_file_.end())
    return same->second;
  // As older versions made the id of a record.
  const auto older = owners_.find(id_for(with_line(place.named, place.line)));
  if (place.line != 0 && older != owners_.end() && older->second.source == place.source)
    return older->first;
  std::string id = id_below_source(place);
  const auto owner = owners_.find(id);
  if (owner == owners_.end()) {
    const auto moved = by_place_.find(with_line(place.relative, place.line));
    // Two files may lie at the same place below two sources: the first takes the old id.
    return moved != by_place_.end() && owners_.at(moved->second).file != place.file &&
                   is_gone(owners_.at(moved->second).file)
               ? moved->second
               : id;
  }
  const auto& [source, file] = owner->second;
  if (source == place.source || is_gone(file)) return id;
  return id_for(with_line(place.file, place.line));
}

}  // namespace precedent
