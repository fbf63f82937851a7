// ChangesConfig: where changes are recorded. The section `changes` of config/tools.yaml, whose page
// is docs/changes.md.
//
// Thread safety: plain values; opening reads the configured snapshot folders and nothing else.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/config_values.h"
#include "changes/change_sources.h"
#include "changes/git_changes.h"

namespace precedent {

// Metrics that say which version of a service runs (tools/build_info_changes.h).
struct BuildInfoOptions {
  std::vector<std::string> metrics = {"*_build_info"};  // names, or "*" and how they end
  std::vector<std::string> service_labels = {"service", "app", "job"};  // the first that is there
  std::string version_label = "version";
};

struct ChangesConfig {
  std::string environment;  // "": changes of every environment
  std::vector<GitChangesOptions> repositories;
  std::vector<std::filesystem::path> logs;
  std::vector<std::filesystem::path> snapshots;
  BuildInfoOptions build_info;
};

// `section` is the mapping below `changes`; relative paths are taken from `folder`, that of the
// file. Errors: kInvalidArgument naming file, line and key.
Result<ChangesConfig> read_changes_config(const ConfigSection& section,
                                          const std::filesystem::path& folder);
// The same from a whole file; keys beside `changes` are not looked at. Without it: an empty one.
// With `all`, all errors, and every path that leads to nothing that can be read.
Result<ChangesConfig> read_changes_config(std::string_view text, std::string_view path,
                                          ConfigProblems* all = nullptr);

// `further`: a source beside those that are configured, or nullptr. nullptr if there is none at
// all. What cannot be read is a source that says so.
std::unique_ptr<ChangeSource> open_changes(const ChangesConfig& config,
                                           std::unique_ptr<ChangeSource> further = nullptr);

}  // namespace precedent
