// A frozen incident's changes: context/commits.json, deploys.json and flags.json of a snapshot
// folder.
//
// Each is an array of records as docs/format/deploys.md describes them; a file that is not there is
// no error. The records are also found directly in the folder. Thread safety: pure but for the
// files.
#pragma once

#include <filesystem>
#include <memory>

#include "changes/change_source.h"

namespace precedent {

// Named "snapshot:<folder>". Errors: kNotFound if the folder holds none of the three files,
// kInvalidArgument naming a file that is no JSON array. A bad record is a note.
Result<std::unique_ptr<ChangeSource>> open_snapshot_changes(const std::filesystem::path& folder);

}  // namespace precedent
