#include "changes/change_sources.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace precedent {

Result<ChangeList> ChangeSources::changes(const ChangeQuery& query) const {
  ChangeQuery asked = query;
  if (asked.environment.empty()) asked.environment = environment_;
  ChangeList all;
  for (const auto& source : sources_) {
    Result<ChangeList> list = source->changes(asked);
    if (!list) {
      all.asked.push_back({source->name(), 0, list.error().text(), true});
      continue;
    }
    all.more = all.more || list->more;
    std::ranges::move(list->changes, std::back_inserter(all.changes));
    std::ranges::move(list->asked, std::back_inserter(all.asked));
  }
  // What runs is known of the environment that questions are about unless they say.
  if (!environment_.empty() && !same_environment(asked.environment, environment_))
    std::erase_if(all.changes, [](const Change& change) {
      return change.kind == ChangeKind::kVersionSeen && change.environment.empty();
    });
  std::ranges::sort(all.changes, newer);
  if (all.changes.size() > query.limit) {
    all.changes.resize(query.limit);
    all.more = true;
  }
  return all;
}

namespace {

std::vector<std::string> all_of(const std::vector<std::unique_ptr<ChangeSource>>& sources,
                                std::vector<std::string> (ChangeSource::*names)() const) {
  std::set<std::string> all;
  for (const auto& source : sources)
    for (std::string& name : (*source.*names)()) all.insert(std::move(name));
  return {all.begin(), all.end()};
}

}  // namespace

std::vector<std::string> ChangeSources::services() const {
  return all_of(sources_, &ChangeSource::services);
}

std::vector<std::string> ChangeSources::environments() const {
  return all_of(sources_, &ChangeSource::environments);
}

std::vector<ChangedLines> ChangeSources::changed_lines(const Change& change) const {
  for (const auto& source : sources_)
    if (source->name() == change.source) return source->changed_lines(change);
  return {};
}

}  // namespace precedent
