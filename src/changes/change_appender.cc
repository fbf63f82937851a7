#include "changes/change_appender.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "changes/change_log.h"
#include "changes/change_record.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A record is a line that people read.
constexpr size_t kMaxRecordBytes = 64 * 1024;

enum class Shape : uint8_t { kValue, kText, kTexts };
struct KnownField {
  std::string_view name;
  Shape shape;
};
// Every name of docs/format/deploys.md.
constexpr auto kFields = std::to_array<KnownField>({
    {"time", Shape::kValue},
    {"timestamp", Shape::kValue},
    {"at", Shape::kValue},
    {"date", Shape::kValue},
    {"service", Shape::kTexts},
    {"services", Shape::kTexts},
    {"app", Shape::kTexts},
    {"application", Shape::kTexts},
    {"kind", Shape::kText},
    {"type", Shape::kText},
    {"version", Shape::kValue},
    {"environment", Shape::kText},
    {"env", Shape::kText},
    {"commit", Shape::kText},
    {"commit_sha", Shape::kText},
    {"sha", Shape::kText},
    {"revision", Shape::kText},
    {"author", Shape::kText},
    {"actor", Shape::kText},
    {"user", Shape::kText},
    {"by", Shape::kText},
    {"from", Shape::kValue},
    {"previous_version", Shape::kValue},
    {"old", Shape::kValue},
    {"to", Shape::kValue},
    {"new", Shape::kValue},
    {"change", Shape::kText},
    {"flag", Shape::kText},
    {"key", Shape::kText},
    {"setting", Shape::kText},
    {"title", Shape::kText},
    {"message", Shape::kText},
    {"summary", Shape::kText},
    {"files", Shape::kTexts},
    {"files_changed", Shape::kTexts},
    {"id", Shape::kText},
});

bool is_value(const json& value) {
  return value.is_string() || value.is_number() || value.is_boolean();
}

bool fits(Shape shape, const json& value) {
  switch (shape) {
    case Shape::kValue: return is_value(value);
    case Shape::kText: return value.is_string();
    case Shape::kTexts:
      return value.is_string() ||
             (value.is_array() &&
              std::ranges::all_of(value, [](const json& item) { return item.is_string(); }));
  }
  return false;
}

std::string_view described(Shape shape) {
  switch (shape) {
    case Shape::kValue: return "a text, a number, true or false";
    case Shape::kText: return "a text";
    case Shape::kTexts: return "a text or a list of texts";
  }
  return "";
}

// A record to be appended, checked.
struct NewRecord {
  Change change;
  std::string line;
};

Result<NewRecord> checked(const std::string& text) {
  if (text.size() > kMaxRecordBytes)
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("has more than {} bytes; leave out what nobody reads", kMaxRecordBytes));
  const json record = parse_json(text);
  if (!record.is_object())
    return fail(ErrorCode::kInvalidArgument,
                "is no JSON object; write {\"time\": …, \"service\": …}");
  for (const auto& [key, value] : record.items()) {
    const auto known = std::ranges::find(kFields, key, &KnownField::name);
    if (known == kFields.end())
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' is not known; docs/format/deploys.md lists the fields", key));
    if (!value.is_null() && !fits(known->shape, value))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}' must be {}", key, described(known->shape)));
  }
  return NewRecord{TRY(change_of(record, ChangeKind::kDeploy)), dump_json(record)};
}

bool is_switch(const Change& change) {
  return change.kind == ChangeKind::kFlag || change.kind == ChangeKind::kConfig;
}

bool is_of_switches(const fs::path& log) {
  const std::string name = ascii_lower(log.filename().string());
  return name.contains("flag") || name.contains("config");
}

fs::path log_for(const std::vector<fs::path>& logs, bool switches) {
  const auto found = std::ranges::find(logs, switches, is_of_switches);
  const fs::path& log = found == logs.end() ? logs.front() : *found;
  std::error_code error;
  if (!fs::is_directory(log, error)) return log;
  return log / (switches ? "flags.jsonl" : "deploys.jsonl");
}

// The same change, wherever it stands.
bool same(Change a, Change b, bool ids) {
  for (Change* change : {&a, &b}) {
    change->path.clear();
    change->line = 0;
    if (!ids) change->id.clear();
  }
  return a == b;
}

// The lines of `records` that the log has not yet.
Result<std::vector<std::string>> lines_for(const fs::path& log,
                                           const std::vector<NewRecord>& records) {
  std::error_code error;
  std::vector<Change> known;
  if (fs::exists(log, error))
    known = parse_change_log(TRY(read_file(log, kMaxChangeLogBytes)), log.string()).changes;
  std::vector<std::string> lines;
  for (const NewRecord& record : records) {
    const bool has_id = !record.change.id.empty();
    const auto found = std::ranges::find_if(known, [&](const Change& other) {
      return has_id ? other.id == record.change.id : same(other, record.change, false);
    });
    if (found == known.end()) {
      lines.push_back(record.line);
      known.push_back(record.change);
    } else if (has_id && !same(*found, record.change, true)) {
      return fail(ErrorCode::kConflict,
                  fmt::format("the id '{}' is that of another record of {}; give this one an id of "
                              "its own",
                              record.change.id, log.filename().string()));
    }
  }
  return lines;
}

Result<FileLock> lock_log(const fs::path& log) {
  fs::path beside = log;
  beside += ".lock";
  Result<FileLock> lock = FileLock::acquire(beside);
  if (lock || lock.error().code != ErrorCode::kConflict) return lock;
  return fail(ErrorCode::kConflict,
              fmt::format("somebody else appends to {}; send it again", log.filename().string()));
}

}  // namespace

Result<AppendedRecords> append_changes(const ChangesConfig& config,
                                       std::span<const std::string> records) {
  if (config.logs.empty())
    return fail(ErrorCode::kConflict,
                "no log of changes is configured; name a file under changes.logs in tools.yaml");
  std::map<fs::path, std::vector<NewRecord>> by_log;
  for (size_t i = 0; i < records.size(); ++i) {
    auto record = checked(records[i]);
    if (!record)
      return fail(record.error().code,
                  records.size() == 1 ? record.error().text()
                                      : fmt::format("record {}: {}", i + 1, record.error().text()));
    by_log[log_for(config.logs, is_switch(record->change))].push_back(std::move(*record));
  }
  std::vector<FileLock> locks;
  std::map<fs::path, std::vector<std::string>> fresh;
  for (const auto& [log, of_log] : by_log) {
    locks.push_back(TRY(lock_log(log)));
    fresh[log] = TRY(lines_for(log, of_log));
  }
  AppendedRecords appended;
  for (const auto& [log, lines] : fresh) {
    if (!lines.empty()) TRY(append_lines(log, lines));
    appended.lines.insert(appended.lines.end(), lines.begin(), lines.end());
  }
  appended.known = records.size() - appended.lines.size();
  return appended;
}

}  // namespace precedent
