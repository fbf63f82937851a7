#include "ingest/intake/removal.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <tuple>

#include "base/ids.h"
#include "base/strings.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

bool is_at_or_below(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

bool has_id(const DocumentState& document, const std::string& id) {
  return document.id == id || document.id == normalize_id(id);
}

bool has_path(const DocumentState& document, const std::string& path) {
  const std::string wanted = without_slash(path);
  return is_at_or_below(document.path, wanted) ||
         ::fnmatch(wanted.c_str(), document.path.c_str(), 0) == 0;
}

// Sources are stored by their canonical path; a source that is gone has one all the same.
bool has_source(const DocumentState& document, const std::string& source) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(source, error);
  return is_at_or_below(document.source, without_slash(source)) ||
         (!error && is_at_or_below(document.source, without_slash(canonical.string())));
}

using Fits = bool (*)(const DocumentState&, const std::string&);

// The documents that fit any of `wanted`; a value that fits none is named in `missed`.
void keep_fitting(std::vector<const DocumentState*>& documents,
                  const std::vector<std::string>& wanted, Fits fits,
                  std::vector<std::string>& missed) {
  if (wanted.empty()) return;
  std::set<const DocumentState*> fitting;
  for (const std::string& value : wanted) {
    bool any = false;
    for (const DocumentState* document : documents) {
      if (!fits(*document, value)) continue;
      fitting.insert(document);
      any = true;
    }
    if (!any) missed.push_back(fmt::format("'{}'", value));
  }
  std::erase_if(documents, [&](const DocumentState* d) { return !fitting.contains(d); });
}

}  // namespace

Result<std::vector<DocumentState>> to_remove(const Removal& removal,
                                             std::span<const DocumentState> known) {
  std::vector<const DocumentState*> documents;
  for (const DocumentState& document : known) {
    if (document.kind != Kind::kGolden && (!removal.kind || document.kind == *removal.kind))
      documents.push_back(&document);
  }
  std::vector<std::string> missed;
  if (documents.empty() && removal.kind) missed.emplace_back(name(*removal.kind));
  keep_fitting(documents, removal.sources, has_source, missed);
  keep_fitting(documents, removal.paths, has_path, missed);
  keep_fitting(documents, removal.ids, has_id, missed);
  if (!missed.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no document fits {}; nothing was removed. --dry-run with less shows "
                            "ids and paths",
                            join(missed, ", ")));
  }
  std::ranges::sort(documents, {}, [](const DocumentState* d) { return std::tie(d->path, d->id); });
  std::vector<DocumentState> found;
  for (const DocumentState* document : documents) found.push_back(*document);
  return found;
}

}  // namespace precedent
