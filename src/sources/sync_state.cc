#include "sources/sync_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "files/files.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;
// A cursor holds ids, so the file grows with them.
constexpr size_t kMaxFileBytes = 256 * 1024 * 1024;
// A source that is odd in every page must not fill the file.
constexpr size_t kMaxNotes = 100;

std::optional<TimePoint> time_at(const json& object, const char* key) {
  const auto time = parse_time(foreign::string_at(object, key));
  return time ? std::optional(*time) : std::nullopt;
}

std::unexpected<Error> corrupt(std::string_view what) {
  return fail(
      ErrorCode::kCorrupt,
      fmt::format("sources.json {}; remove it, and the next sync looks at everything again", what));
}

// The lock is held for one small write.
Result<FileLock> turn_to_write(const std::filesystem::path& path) {
  constexpr int kAttempts = 500;
  constexpr std::chrono::milliseconds kPause{20};
  for (int attempt = 1;; ++attempt) {
    Result<FileLock> lock = FileLock::acquire(path);
    if (lock || lock.error().code != ErrorCode::kConflict) return lock;
    if (attempt == kAttempts)
      return fail(ErrorCode::kUnavailable, lock.error().text() + "; end it and sync again");
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

std::filesystem::path source_state_file(const std::filesystem::path& data_dir) {
  return data_dir / "sources.json";
}

Result<SourceStates> parse_source_states(std::string_view text) {
  const json file = parse_json(text);
  if (!file.is_object()) return corrupt("is no JSON object");
  const auto format = file.find("format");
  if (format == file.end() || *format != kFormat)
    return corrupt("is of another version of precedent");
  const auto sources = file.find("sources");
  if (sources == file.end() || !sources->is_object()) return corrupt("names no sources");
  SourceStates states;
  for (const auto& [name, object] : sources->items()) {
    if (!object.is_object()) return corrupt("has a source that is no object");
    SourceState& state = states[name];
    state.scope = foreign::string_at(object, "scope");
    state.settings = foreign::string_at(object, "settings");
    state.cursor = foreign::string_at(object, "cursor");
    state.synced_at = time_at(object, "synced_at");
    state.swept_at = time_at(object, "swept_at");
    state.failed_at = time_at(object, "failed_at");
    state.error = foreign::string_at(object, "error");
    const auto documents = object.find("documents");
    if (documents != object.end() && documents->is_number_unsigned())
      state.documents = documents->get<size_t>();
    const auto failures = object.find("failures");
    if (failures != object.end() && failures->is_number_unsigned())
      state.failures = failures->get<size_t>();
    const auto notes = object.find("notes");
    if (notes != object.end() && notes->is_array())
      for (const json& note : *notes)
        if (note.is_string()) state.notes.push_back(note.get<std::string>());
  }
  return states;
}

std::string to_text(const SourceStates& states) {
  json sources = json::object();
  for (const auto& [name, state] : states) {
    json& object = sources[name];
    object = {{"scope", state.scope},
              {"settings", state.settings},
              {"cursor", state.cursor},
              {"documents", state.documents}};
    if (state.synced_at) object["synced_at"] = format_time(*state.synced_at);
    if (state.swept_at) object["swept_at"] = format_time(*state.swept_at);
    if (state.failed_at) object["failed_at"] = format_time(*state.failed_at);
    if (!state.error.empty()) object["error"] = state.error;
    if (state.failures > 0) object["failures"] = state.failures;
    if (!state.notes.empty())
      object["notes"] = std::vector<std::string>(
          state.notes.begin(), state.notes.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(kMaxNotes, state.notes.size())));
  }
  return dump_json({{"format", kFormat}, {"sources", std::move(sources)}}) + "\n";
}

Result<SourceStates> read_source_states(const std::filesystem::path& data_dir) {
  const auto path = source_state_file(data_dir);
  std::error_code error;
  if (std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found)
    return SourceStates{};
  return parse_source_states(TRY(read_file(path, kMaxFileBytes)));
}

Result<void> remember_source(const std::filesystem::path& data_dir, const std::string& name,
                             const SourceState& state) {
  TRY(make_directories(data_dir / "sources"));
  const FileLock lock = TRY(turn_to_write(data_dir / "sources" / "state.lock"));
  SourceStates states = TRY(read_source_states(data_dir));
  states[name] = state;
  const std::string text = to_text(states);
  const std::string_view parts[] = {text};
  return write_file_atomically(source_state_file(data_dir), parts);
}

}  // namespace precedent
