#include "changes/fixed_changes.h"

#include <set>

namespace precedent {

FixedChanges::FixedChanges(std::string name, std::vector<Change> changes, std::string note)
    : name_(std::move(name)), changes_(std::move(changes)), note_(std::move(note)) {
  for (Change& change : changes_) {
    change.source = name_;
    settle_services(change);
  }
}

Result<ChangeList> FixedChanges::changes(const ChangeQuery& query) const {
  return select(changes_, query, name_, note_);
}

std::vector<std::string> FixedChanges::services() const { return services_of(changes_); }

std::vector<std::string> FixedChanges::environments() const { return environments_of(changes_); }

std::vector<std::string> services_of(const std::vector<Change>& changes) {
  std::set<std::string> services;
  for (const Change& change : changes)
    services.insert(change.services.begin(), change.services.end());
  return {services.begin(), services.end()};
}

std::vector<std::string> environments_of(const std::vector<Change>& changes) {
  std::set<std::string> environments;
  for (const Change& change : changes)
    if (!change.environment.empty()) environments.insert(change.environment);
  return {environments.begin(), environments.end()};
}

}  // namespace precedent
