// ChangeSources: several sources asked as one.
//
// A source that fails is named in the list's `asked`; the others answer. Changes of another
// environment than its own are left out, unless a query names one.
// Ownership: owns its sources. Thread safety: as theirs; add() before the first question.
#pragma once

#include <memory>

#include "changes/change_source.h"

namespace precedent {

class ChangeSources final : public ChangeSource {
 public:
  // `environment`: the one that questions are about unless they say; "": all.
  explicit ChangeSources(std::string environment = {}) : environment_(std::move(environment)) {}
  void add(std::unique_ptr<ChangeSource> source) { sources_.push_back(std::move(source)); }
  bool empty() const { return sources_.empty(); }

  const std::string& name() const override { return name_; }
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  std::vector<std::string> services() const override;
  std::vector<std::string> environments() const override;
  std::vector<ChangedLines> changed_lines(const Change& change) const override;

 private:
  std::string name_ = "changes";
  std::string environment_;
  std::vector<std::unique_ptr<ChangeSource>> sources_;
};

}  // namespace precedent
