// Configuration files: where they are looked for, and their text.
//
// Thread safety: pure but for the file system and the environment.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

// Both "" if there is none.
struct ConfigFile {
  std::string path;
  std::string text;
  bool operator==(const ConfigFile&) const = default;
};

// The file `named`, else the one that the environment's `variable` names, else config/`file` below
// the working directory, else `file` in the data directory.
// Errors: kInvalidArgument for a named file that cannot be read, else those of read_file.
Result<ConfigFile> find_config_file(std::string_view file, const char* variable,
                                    const std::string& named,
                                    const std::filesystem::path& data_dir);

}  // namespace precedent
