#include "changes/change_source.h"

#include <algorithm>

#include "base/strings.h"

namespace precedent {

bool matches(const Change& change, const ChangeQuery& query) {
  if (!query.range.contains(change.at)) return false;
  if (!query.kinds.empty() && std::ranges::find(query.kinds, change.kind) == query.kinds.end())
    return false;
  // What belongs to no environment, as a commit, belongs to all.
  if (!query.environment.empty() && !change.environment.empty() &&
      !iequals(change.environment, query.environment)) {
    return false;
  }
  return query.service.empty() || std::ranges::any_of(change.services, [&](const auto& service) {
           return iequals(service, query.service);
         });
}

ChangeList select(std::vector<Change> all, const ChangeQuery& query, std::string source,
                  std::string note) {
  std::erase_if(all, [&](const Change& change) { return !matches(change, query); });
  std::ranges::sort(all, newer);
  ChangeList list;
  list.asked.push_back({std::move(source), all.size(), std::move(note)});
  list.more = all.size() > query.limit;
  if (list.more) all.resize(query.limit);
  list.changes = std::move(all);
  return list;
}

}  // namespace precedent
