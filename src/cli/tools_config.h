// config/tools.yaml: what the tools reach beside the knowledge base, found and opened.
#pragma once

#include "changes/change_source.h"
#include "cli/session.h"

namespace precedent {

// `named`, else the file that PRECEDENT_TOOLS names, else config/tools.yaml, else tools.yaml in the
// data directory. Both "" if there is none.
Result<ConfigFile> find_tools_config(const std::string& named,
                                     const std::filesystem::path& data_dir);

// nullptr if the file configures no changes. Errors: kInvalidArgument naming file, line and key.
Result<std::unique_ptr<ChangeSource>> configured_changes(const ConfigFile& file);

}  // namespace precedent
