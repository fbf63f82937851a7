#include "ingest/path_ids.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
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
  std::string relative;  // "" unless the id was made of the whole path
};

// Which file an id was made of. The store has the path as somebody named it and the source; what
// lies between them is tried.
std::optional<Found> file_of(const DocumentState& state) {
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
  return std::nullopt;
}

}  // namespace

std::string id_below_source(const Place& place) {
  return id_for(with_line(place.relative, place.line));
}

PathIds::PathIds(std::span<const DocumentState> known) {
  for (const DocumentState& state : known) {
    if (is_made_of_a_path(state.id)) know(state);
  }
}

void PathIds::know(const DocumentState& state) {
  const auto found = file_of(state);
  owners_.emplace(state.id, Owner{state.source, found ? found->file : ""});
  if (!found) return;
  by_file_.emplace(found->file, state.id);
  if (!found->relative.empty() && is_gone(found->file))
    by_place_.emplace(found->relative, state.id);
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
  if (source == place.source || is_gone(file.empty() ? source : file)) return id;
  return id_for(with_line(place.file, place.line));
}

}  // namespace precedent
