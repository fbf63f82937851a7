// What is remembered of each source between two syncs: how far it is, when it was last whole, and
// what went wrong since.
//
// Format: docs/format/sources.md, the file sources.json in the data directory, replaced atomically.
// It can be deleted: the next sync then looks at everything again. Errors: kCorrupt for a file that
// is not of this form, with the remedy. Thread safety: pure but for the file system; writers of
// several processes take turns.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace precedent {

struct SourceState {
  std::string scope;
  std::string settings;                // a hash of what sources.yaml says; another one begins anew
  std::string cursor;                  // of the last sync that was whole
  std::optional<TimePoint> synced_at;  // when that was
  std::optional<TimePoint> swept_at;   // when everything was listed last
  size_t documents = 0;                // after it
  // Of the last sync, if that failed; "" otherwise.
  std::string error;
  std::optional<TimePoint> failed_at;
  size_t failures = 0;             // in a row, up to that
  std::vector<std::string> notes;  // of the last sync that was whole
  bool operator==(const SourceState&) const = default;
};

using SourceStates = std::map<std::string, SourceState>;  // by name

std::filesystem::path source_state_file(const std::filesystem::path& data_dir);

// Nothing where there is no file.
Result<SourceStates> read_source_states(const std::filesystem::path& data_dir);
// Replaces what is remembered of one source. Errors: kUnavailable if another process keeps the file
// for itself.
Result<void> remember_source(const std::filesystem::path& data_dir, const std::string& name,
                             const SourceState& state);

// The two halves without the disk. Errors: kCorrupt.
Result<SourceStates> parse_source_states(std::string_view text);
std::string to_text(const SourceStates& states);

}  // namespace precedent
