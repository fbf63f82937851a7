#include "changes/snapshot_changes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "changes/change_log.h"
#include "changes/change_record.h"
#include "changes/fixed_changes.h"
#include "files/files.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Part {
  std::string_view file;
  ChangeKind kind;
};
constexpr Part kParts[] = {{"commits.json", ChangeKind::kCommit},
                           {"deploys.json", ChangeKind::kDeploy},
                           {"flags.json", ChangeKind::kFlag}};

struct Reading {
  std::vector<Change> changes;
  std::string note;
};

Result<void> read_part(const fs::path& path, ChangeKind kind, Reading& reading) {
  const json records = parse_json(TRY(read_file(path, kMaxChangeLogBytes)));
  if (!records.is_array()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is no JSON array of records", path.string()));
  }
  size_t number = 0;
  for (const json& record : records) {
    ++number;
    Result<Change> change = change_of(record, kind);
    if (!change) {
      if (reading.note.empty()) {
        reading.note =
            fmt::format("{}: record {} {}", path.string(), number, change.error().text());
      }
      continue;
    }
    change->path = path.string();
    if (change->id.empty()) change->id = fmt::format("{}#{}", path.filename().string(), number);
    reading.changes.push_back(std::move(*change));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ChangeSource>> open_snapshot_changes(const fs::path& folder) {
  Reading reading;
  bool any = false;
  for (const Part& part : kParts) {
    for (const fs::path& path : {folder / "context" / part.file, folder / part.file}) {
      std::error_code ignored;
      if (!fs::is_regular_file(path, ignored)) continue;
      any = true;
      TRY(read_part(path, part.kind, reading));
      break;
    }
  }
  if (!any) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: holds none of commits.json, deploys.json and flags.json, neither "
                            "directly nor in context/; check its path in tools.yaml",
                            folder.string()));
  }
  fill_earlier_values(reading.changes);
  return std::make_unique<FixedChanges>(fmt::format("snapshot:{}", folder.filename().string()),
                                        std::move(reading.changes), std::move(reading.note));
}

}  // namespace precedent
