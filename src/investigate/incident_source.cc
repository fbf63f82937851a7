#include "investigate/incident_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxAlertBytes = 16ull << 20;

// An incident that a source has under one name only.
Result<void> check_id(std::string_view id, std::string_view own, const std::string& source) {
  if (id.empty() || id == own) return {};
  return fail(ErrorCode::kNotFound,
              fmt::format("{} holds {}, not {}", source,
                          own.empty() ? "an incident without an id" : own, shown_text(id, 80)));
}

}  // namespace

Result<IncidentBrief> FolderIncident::fetch(std::string_view id, const CancelToken& cancel) const {
  TRY(cancel.check());
  std::error_code error;
  if (!fs::is_directory(folder_, error))
    return fail(
        ErrorCode::kNotFound,
        fmt::format("there is no folder {}; name a frozen incident (docs/format/snapshot.md)",
                    folder_.string()));
  const std::string own =
      (folder_.filename().empty() ? folder_.parent_path() : folder_).filename().string();
  TRY(check_id(id, own, describe()));
  std::vector<fs::path> files;
  for (const fs::path& folder : {folder_, folder_ / "alerts"})
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (entry->path().extension() == ".json" && (folder != folder_ || name.starts_with("alert")))
        files.push_back(entry->path());
    }
  std::ranges::sort(files);
  if (files.empty())
    return fail(
        ErrorCode::kNotFound,
        fmt::format(
            "{} holds no alert*.json; say what happened with --service, --until and --description",
            folder_.string()));
  const std::string text = TRY(read_file(files.front(), kMaxAlertBytes));
  IncidentBrief brief = TRY(read_brief(text, files.front().string(), otherwise_));
  if (brief.id.empty()) brief.id = shown_text(own, 128);
  return brief;
}

Result<IncidentBrief> JsonIncident::fetch(std::string_view id, const CancelToken& cancel) const {
  TRY(cancel.check());
  IncidentBrief brief = TRY(read_brief(text_, name_, otherwise_));
  TRY(check_id(id, brief.id, name_));
  return brief;
}

Result<IncidentBrief> AlertIncidents::fetch(std::string_view id, const CancelToken& cancel) const {
  TRY(cancel.check());
  const auto active = TRY(alerts_.active(Instant(clock_.now()), SourceContext{cancel}));
  std::vector<RecordedAlert> named;
  std::vector<std::string> names;
  for (const Alert& alert : active) {
    if (iequals(alert.name, id)) named.push_back({alert, std::nullopt});
    if (std::ranges::find(names, alert.name) == names.end()) names.push_back(alert.name);
  }
  if (!named.empty()) {
    IncidentBrief brief = brief_of(named);
    if (brief.id.empty()) brief.id = named.front().alert.name;
    return brief;
  }
  constexpr size_t kShown = 10;
  if (names.size() > kShown) names.resize(kShown);
  return fail(
      ErrorCode::kNotFound,
      fmt::format("{} has no active alert {}{}", describe(), shown_text(id, 80),
                  names.empty() ? "; none is active" : "; active are " + join(names, ", ")));
}

Result<IncidentBrief> FixedIncidents::fetch(std::string_view id, const CancelToken& cancel) const {
  TRY(cancel.check());
  if (const auto found = all_.find(id); found != all_.end()) return found->second;
  return fail(ErrorCode::kNotFound, fmt::format("no incident is called {}", shown_text(id, 80)));
}

}  // namespace precedent
