// Files that the operator edits in the data directory, each in the place of one that is built in.
//
// Thread safety: pure but for the file system.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

struct OperatorFile {
  std::string text;
  std::string origin;  // for messages: the path, or "config/policy.yaml" for the built-in one
};

// <data_dir>/<name> if it is there, else `built_in`. Errors: those of reading a file that is there.
Result<OperatorFile> read_operator_file(const std::filesystem::path& data_dir,
                                        std::string_view name, std::string_view built_in);

}  // namespace precedent
