// SourcesFile: sources.yaml, followed while a server runs.
//
// Its text is compared, not its time: what replaces a file by renaming, or a mount, may keep that.
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/config/config_file.h"
#include "sources/sources_config.h"

namespace precedent {

class SourcesFile {
 public:
  // `named`: as for find_config_file(). Errors: those of find_config_file() and
  // read_sources_config().
  static Result<SourcesFile> open(const std::string& named, const std::filesystem::path& data_dir);

  // What is in force: the last file that could be read.
  const std::vector<SourceConfig>& sources() const { return sources_; }
  // "" if there is none.
  const std::string& path() const { return seen_.path; }
  // Why the file as it is now is not in force; "" if it is.
  const std::string& problem() const { return problem_; }
  // Looks at the file again. A new text counts once two looks found it, as an editor may still be
  // writing. True if something is different now: the sources, or the problem.
  bool look();

 private:
  SourcesFile(std::string named, std::filesystem::path data_dir)
      : named_(std::move(named)), data_dir_(std::move(data_dir)) {}
  Result<ConfigFile> find() const;
  // True if it is another problem than before.
  bool note(std::string why);

  std::string named_;
  std::filesystem::path data_dir_;
  ConfigFile seen_;     // the last that was settled
  ConfigFile settles_;  // of the last look
  std::vector<SourceConfig> sources_;
  std::string broken_;   // what is wrong with `seen_`
  std::string problem_;  // that, or that there is no file
};

}  // namespace precedent
