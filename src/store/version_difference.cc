// What DatasetVersions compares.
#include <algorithm>

#include "store/dataset_versions.h"
#include "store/store_connection.h"

namespace precedent {

Result<VersionDifference> DatasetVersions::difference(uint64_t from, uint64_t to) const {
  std::map<std::string, std::string> before;
  if (from != 0) before = TRY(hashes(from));
  const std::map<std::string, std::string> after = TRY(hashes(to));
  VersionDifference found{from, to, {}, {}, {}};
  for (const auto& [id, hash] : after) {
    const auto old = before.find(id);
    if (old == before.end()) {
      found.added.push_back(id);
    } else if (old->second != hash) {
      found.changed.push_back(id);
    }
  }
  for (const auto& [id, hash] : before)
    if (!after.contains(id)) found.vanished.push_back(id);
  if (!found.changed.empty()) TRY(keep_what_says_otherwise(found));
  if (const auto now = TRY(active()); now && now->number == from) found.replaced = TRY(replaced());
  return found;
}

Result<void> DatasetVersions::keep_what_says_otherwise(VersionDifference& difference) const {
  const auto is_listed = [&](const std::string& id, const std::string&) {
    return std::ranges::binary_search(difference.changed, id);
  };
  std::map<std::string, std::string> said;
  const auto what_it_says = [](Document&& record) {
    record.body_line = 0;
    return record_hash(std::move(record));
  };
  TRY(visit(difference.from, is_listed, [&](Document&& record) -> Result<void> {
    std::string id = record.id;
    said.emplace(std::move(id), what_it_says(std::move(record)));
    return {};
  }));
  std::vector<std::string> changed;
  TRY(visit(difference.to, is_listed, [&](Document&& record) -> Result<void> {
    std::string id = record.id;
    if (said[id] != what_it_says(std::move(record))) changed.push_back(std::move(id));
    return {};
  }));
  difference.changed = std::move(changed);
  return {};
}

Result<VersionDifference> DatasetVersions::against_active(uint64_t to) const {
  const auto before = TRY(active());
  return difference(before ? before->number : 0, to);
}

Result<std::vector<std::string>> DatasetVersions::replaced() const {
  return connection_.read([](db::SqlConnection& c) {
    return read_all(
        c,
        "SELECT v.id FROM version_records v JOIN incident_dataset_versions n ON n.number = "
        "v.version AND n.state = 'active' LEFT JOIN documents d ON d.id = v.id LEFT JOIN sources s "
        "ON s.id = d.source WHERE s.path IS DISTINCT FROM $1 ORDER BY v.id",
        {kVersionSource},
        [](const db::SqlRow& row) -> Result<std::string> { return row.string(0); });
  });
}

}  // namespace precedent
