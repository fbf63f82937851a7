#include "investigate/intake/incident_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "files/files.h"
#include "investigate/intake/bundle_json.h"

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

// A recording says which incident it is of (recorder.h): its alerts are all that were active then.
std::optional<IncidentBrief> recorded_for(const fs::path& folder) {
  const auto text = read_file(folder / "incident.json", kMaxAlertBytes);
  const nlohmann::json about = text ? parse_json(*text) : nlohmann::json();
  const auto incident = about.is_object() ? about.find("incident") : about.end();
  if (!about.is_object() || incident == about.end() || !incident->is_object()) return std::nullopt;
  IncidentBrief brief = brief_of_json(*incident);
  for (std::string* line : {&brief.id, &brief.title, &brief.service, &brief.severity})
    *line = shown_line(*line);
  for (auto* texts : {&brief.symptoms, &brief.errors, &brief.links, &brief.missing})
    for (std::string& line : *texts) line = shown_line(line);
  for (AlertSaid& said : brief.said)
    for (std::string* line : {&said.name, &said.service, &said.text}) *line = shown_line(*line);
  LabelSet labels;
  for (const auto& [key, value] : brief.labels) labels[shown_line(key, 128)] = shown_line(value);
  brief.labels = std::move(labels);
  return brief;
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
  if (auto recorded = recorded_for(folder_)) return std::move(*recorded);
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
  const Instant now(clock_.now());
  const auto active = TRY(alerts_.active(now, SourceContext{cancel}));
  std::vector<RecordedAlert> named, all;
  std::vector<std::string> names;
  for (const Alert& alert : active) {
    all.push_back({alert, std::nullopt});
    if (iequals(alert.name, id)) named.push_back(all.back());
    if (std::ranges::find(names, alert.name) == names.end()) names.push_back(alert.name);
  }
  if (!named.empty()) {
    IncidentBrief brief = brief_of(named);
    if (brief.id.empty()) brief.id = named.front().alert.name;
    // What is over may have been the first sign; a source that cannot say has none.
    const auto past = alerts_.past(brief.fired_at.value_or(now) - std::chrono::hours(24), now,
                                   SourceContext{cancel});
    if (past)
      for (const PastAlert& over : *past) all.push_back({over.alert, over.ends_at});
    brief.first_sign = first_sign_of(brief, all);
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
