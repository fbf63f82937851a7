#include "ingest/intake/version_vectors.h"

#include <utility>

#include "base/hash.h"
#include "ingest/chunks/chunker.h"
#include "store/dataset_versions.h"

namespace precedent {
namespace {

bool is_quick(VersionState state) {
  switch (state) {
    case VersionState::kIngesting:
    case VersionState::kReady:
    case VersionState::kActive:
    case VersionState::kSuperseded: return true;
    default: return false;
  }
}

}  // namespace

Result<size_t> count_version_records(const KnowledgeStore& store) {
  const DatasetVersions versions(store);
  std::set<std::string> different;
  for (const DatasetVersion& version : TRY(versions.list())) {
    if (!is_quick(version.state)) continue;
    for (auto& [id, hash] : TRY(versions.hashes(version.number))) different.insert(hash);
  }
  return different.size();
}

Result<std::set<std::string>> version_vector_keys(const KnowledgeStore& store,
                                                  const Chunker& chunk) {
  const DatasetVersions versions(store);
  std::set<std::string> keys;
  std::set<std::string> seen;
  const auto is_new = [&](const std::string&, const std::string& hash) {
    return seen.insert(hash).second;
  };
  const auto add = [&](Document&& record) -> Result<void> {
    for (const Chunk& each : chunk(record)) keys.insert(content_hash(embedding_text(record, each)));
    return {};
  };
  for (const DatasetVersion& version : TRY(versions.list()))
    if (is_quick(version.state)) TRY(versions.visit(version.number, is_new, add));
  return keys;
}

}  // namespace precedent
