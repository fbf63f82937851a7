#include "cli/sources/sources_file.h"

#include <fmt/format.h>

#include <utility>

namespace precedent {

Result<ConfigFile> SourcesFile::find() const {
  return find_config_file("sources.yaml", "PRECEDENT_SOURCES", named_, data_dir_);
}

Result<SourcesFile> SourcesFile::open(const std::string& named,
                                      const std::filesystem::path& data_dir) {
  SourcesFile file(named, data_dir);
  file.seen_ = file.settles_ = TRY(file.find());
  file.sources_ = TRY(read_sources_config(file.seen_.text, file.seen_.path));
  return file;
}

bool SourcesFile::look() {
  auto found = find();
  // Between two steps of an editor there may be no file, too.
  if (found && found->path.empty() && !seen_.path.empty())
    found = fail(ErrorCode::kNotFound,
                 fmt::format("{} is gone; write it again, with `sources: []` for none", path()));
  const ConfigFile now = found ? *found : ConfigFile{"", found.error().text()};
  if (std::exchange(settles_, now) != now) return false;
  if (!found) return note(now.text);
  if (now == seen_) return note(broken_);
  seen_ = now;
  auto read = read_sources_config(now.text, now.path);
  broken_ = read ? "" : read.error().text();
  if (!read) return note(broken_);
  sources_ = std::move(*read);
  problem_.clear();
  return true;
}

bool SourcesFile::note(std::string why) {
  if (!why.empty()) why += "; the sources before stay in force";
  return std::exchange(problem_, why) != why;
}

}  // namespace precedent
