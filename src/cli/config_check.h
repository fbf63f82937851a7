// Configuration files, checked as the program would read them, with all that is wrong.
//
// One row of kConfigKinds is one kind of file: what it is called, what is checked, where the
// program finds it, and its reader. Thread safety: pure but for the file system and the
// environment.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "cli/config/config_file.h"

namespace precedent {

struct ConfigKind {
  std::string_view name;     // of --as
  std::string_view file;     // what the file is called
  std::string_view checked;  // which parts, for people
  // The file that is in force, `named` if that is not empty; path "" for what is built in.
  Result<ConfigFile> (*find)(const std::filesystem::path& data_dir, const std::string& named);
  // What is wrong with it, path:line: key; for path "" with what is built in.
  ConfigProblems (*problems)(const ConfigFile& file);
};
std::span<const ConfigKind> config_kinds();

struct CheckedConfig {
  std::string file;         // its path, or what is called so with "(built in)"
  std::string checked;      // which parts
  ConfigProblems problems;  // in the order of their lines
};

// What was named on the command line instead of the file that would be found, by the name of its
// kind.
using NamedConfigs = std::map<std::string, std::string, std::less<>>;

// Every file that the program would read: these kinds, and the prompts.
std::vector<CheckedConfig> check_config(const std::filesystem::path& data_dir,
                                        const NamedConfigs& named);
// These files. `as`: the name of their kind; "": their file name tells it.
// Errors: kInvalidArgument for a file that is of no kind, naming the kinds.
Result<std::vector<CheckedConfig>> check_config_files(const std::vector<std::string>& files,
                                                      const std::string& as);

}  // namespace precedent
