// GitChanges: commits and release tags of a git repository, read by git/history.h.
//
// Commits that HEAD (or the named branch) reaches, by the time of the committer, without merges:
// what they merged is listed itself. Each says which files it touches and, by the ServiceMap, whose
// they are. Tags become changes where their name follows the pattern. Opens the repository anew for
// each question, so that it sees new commits; reads objects only: no hook, no remote, no work tree.
// Thread safety: as ChangeSource.
#pragma once

#include <filesystem>

#include "changes/change_source.h"
#include "changes/service_map.h"

namespace precedent {

struct GitChangesOptions {
  std::filesystem::path path;  // of the repository or its .git; bare ones, too
  std::string name = {};       // "" : the folder's
  std::string branch = {};     // "": HEAD
  // Of release tags: {service} and {version} stand for the two. "": tags are not read.
  std::string tags = "{service}/v{version}";
  // The services of tags without {service}, and of files that `services` gives to nobody.
  std::vector<std::string> own_services = {};
  ServiceMap services = {};
};

// What a tag's name says under a pattern; nothing if it does not follow it. "" without {service}.
struct ReleaseTag {
  std::string service, version;
};
std::optional<ReleaseTag> read_tag(std::string_view tag, std::string_view pattern);

class GitChanges final : public ChangeSource {
 public:
  explicit GitChanges(GitChangesOptions options);

  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  std::vector<std::string> services() const override;
  std::vector<ChangedLines> changed_lines(const Change& change) const override;

 private:
  GitChangesOptions options_;
  std::string name_;
};

}  // namespace precedent
