// FixedChanges: a list of changes as a source. The fake of ChangeSource, and what a snapshot
// becomes.
//
// Thread safety: immutable.
#pragma once

#include "changes/change_source.h"

namespace precedent {

class FixedChanges final : public ChangeSource {
 public:
  // Each change gets `name` as its source. `note`: what could not be read, said with every answer.
  FixedChanges(std::string name, std::vector<Change> changes, std::string note = {});

  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  std::vector<std::string> services() const override;
  std::vector<std::string> environments() const override;

 private:
  std::string name_;
  std::vector<Change> changes_;
  std::string note_;
};

// The services of `changes`, sorted, none twice.
std::vector<std::string> services_of(const std::vector<Change>& changes);
// Their environments, the same.
std::vector<std::string> environments_of(const std::vector<Change>& changes);

}  // namespace precedent
