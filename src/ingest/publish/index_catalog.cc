#include "ingest/publish/index_catalog.h"

#include <fmt/format.h>

#include "files/files.h"
#include "index/embedded_index.h"
#include "index/memory_index.h"
#include "index/qdrant_index.h"
#include "store/index_build.h"

namespace precedent {

namespace fs = std::filesystem;

Result<std::shared_ptr<KnowledgeIndex>> EmbeddedIndexCatalog::create(
    const std::string& collection) {
  TRY(drop(collection));
  return TRY(EmbeddedIndex::open(index_folder(data_dir_, collection)));
}

Result<std::shared_ptr<KnowledgeIndex>> EmbeddedIndexCatalog::open(const std::string& collection) {
  // Who writes has the time to read all of it, and can repair it.
  return TRY(EmbeddedIndex::open_existing(index_folder(data_dir_, collection),
                                          EmbeddedIndex::Verify::kAlways));
}

// Out of the way in one step, so that no reader finds half an index; then its files.
Result<void> EmbeddedIndexCatalog::drop(const std::string& collection) {
  const fs::path folder = index_folder(data_dir_, collection);
  const fs::path doomed = folder.string() + ".dropped";
  std::error_code error;
  // Something else where the folder of all indexes should be.
  const fs::path all = folder.parent_path();
  if (fs::exists(fs::symlink_status(all)) && !fs::is_directory(all, error)) fs::remove(all, error);
  // What a crash left of an earlier drop.
  fs::remove_all(doomed, error);
  if (!error && fs::exists(folder, error)) fs::rename(folder, doomed, error);
  if (!error) fs::remove_all(doomed, error);
  if (error) return std::unexpected(system_error("remove", folder, error.value()));
  return {};
}

Result<std::shared_ptr<KnowledgeIndex>> QdrantIndexCatalog::create(const std::string& collection) {
  return TRY(QdrantIndex::create(api_, collection));
}

Result<std::shared_ptr<KnowledgeIndex>> QdrantIndexCatalog::open(const std::string& collection) {
  return TRY(QdrantIndex::open(api_, collection));
}

Result<void> QdrantIndexCatalog::drop(const std::string& collection) {
  return QdrantIndex::drop(api_, collection);
}

Result<std::string> QdrantIndexCatalog::announce(const std::string& collection) {
  const std::string named = TRY(QdrantIndex::announce(api_, collection));
  if (named.empty()) return "";
  return fmt::format("the alias {} named {} and was moved to {}", QdrantIndex::alias_of(collection),
                     named, collection);
}

Result<bool> QdrantIndexCatalog::retire(const std::string& collection) {
  return QdrantIndex::retire(api_, collection, clock_->now());
}

std::unique_ptr<IndexCatalog> open_index_catalog(const fs::path& data_dir,
                                                 std::shared_ptr<QdrantApi> server) {
  if (server != nullptr) return std::make_unique<QdrantIndexCatalog>(std::move(server));
  return std::make_unique<EmbeddedIndexCatalog>(data_dir);
}

Result<std::shared_ptr<KnowledgeIndex>> MemoryIndexCatalog::create(const std::string& collection) {
  return indexes[collection] = std::make_shared<MemoryIndex>();
}

Result<std::shared_ptr<KnowledgeIndex>> MemoryIndexCatalog::open(const std::string& collection) {
  const auto found = indexes.find(collection);
  if (found == indexes.end())
    return fail(ErrorCode::kNotFound, fmt::format("there is no index {}", collection));
  return found->second;
}

Result<void> MemoryIndexCatalog::drop(const std::string& collection) {
  indexes.erase(collection);
  return {};
}

}  // namespace precedent
