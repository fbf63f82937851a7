// Records of changes → the end of a configured log (docs/format/deploys.md).
//
// Stricter than reading: what a pipeline sends is refused, field by field, where a reader would
// pass over it. All records are appended, in one write to each log, or none. A record that stands
// in the log already (the same id, or all fields the same) is not written again, so that a pipeline
// may repeat itself. Thread safety: pure but for the files; processes take turns by a lock beside
// the log.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "changes/changes_config.h"

namespace precedent {

struct AppendedRecords {
  std::vector<std::string> lines;  // as they stand in the log
  size_t known = 0;                // stood there already
};

// `records`: a JSON object each. Flags and settings go to the first log whose name says "flag" or
// "config", all else to the first one that does not; if there is no such log, to the first. In a
// folder they go to flags.jsonl and deploys.jsonl. Errors: kInvalidArgument naming record and
// field; kConflict for an id that another record has, where no log is configured, and while another
// process appends; those of the file.
Result<AppendedRecords> append_changes(const ChangesConfig& config,
                                       std::span<const std::string> records);

}  // namespace precedent
