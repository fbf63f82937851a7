// ShownChanges: the changes of another source as others may see them: files by their names, not by
// where they lie on this machine.
//
// Thread safety and ownership: as the source, which it owns.
#pragma once

#include <memory>
#include <utility>

#include "changes/change_source.h"

namespace precedent {

class ShownChanges final : public ChangeSource {
 public:
  explicit ShownChanges(std::unique_ptr<ChangeSource> source) : source_(std::move(source)) {}

  const std::string& name() const override { return source_->name(); }
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  std::vector<std::string> services() const override { return source_->services(); }
  std::vector<std::string> environments() const override { return source_->environments(); }
  std::vector<ChangedLines> changed_lines(const Change& change) const override {
    return source_->changed_lines(change);
  }

 private:
  const std::unique_ptr<ChangeSource> source_;
};

}  // namespace precedent
