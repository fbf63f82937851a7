// The `IndexCatalog` seam: indexes by the name of their collection. Where an ingest builds a new
// index beside the one that is searched.
//
// Implementations: EmbeddedIndexCatalog, a folder for each collection under <data dir>/index;
// QdrantIndexCatalog, a collection of a Qdrant for each; MemoryIndexCatalog, the fake. One writer
// at a time (ingest.lock).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "index/knowledge_index.h"

namespace precedent {

class QdrantApi;

class IndexCatalog {
 public:
  virtual ~IndexCatalog() = default;

  // Empty, whatever a crash left under this name.
  virtual Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) = 0;
  // Errors: kNotFound if there is none, kCorrupt if it cannot be read.
  virtual Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) = 0;
  // None of this name is no error. Who has it open may go on searching it.
  virtual Result<void> drop(const std::string& collection) = 0;

  // It is the one that is searched now. Returns what had to be mended for that, as a sentence; ""
  // if nothing.
  virtual Result<std::string> announce(const std::string& /*collection*/) { return ""; }
  // It is not searched any more: drops it, now or when whoever reads it has had the time. True once
  // it is gone.
  virtual Result<bool> retire(const std::string& collection) {
    TRY(drop(collection));
    return true;
  }
};

class EmbeddedIndexCatalog final : public IndexCatalog {
 public:
  explicit EmbeddedIndexCatalog(std::filesystem::path data_dir) : data_dir_(std::move(data_dir)) {}

  Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) override;
  Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) override;
  Result<void> drop(const std::string& collection) override;

 private:
  std::filesystem::path data_dir_;
};

class QdrantIndexCatalog final : public IndexCatalog {
 public:
  // `clock`: when a collection was retired; null is the system's. Lifetime: outlives the catalog.
  explicit QdrantIndexCatalog(std::shared_ptr<QdrantApi> api, const Clock* clock = nullptr)
      : api_(std::move(api)), clock_(clock == nullptr ? &system_clock_ : clock) {}

  Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) override;
  Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) override;
  Result<void> drop(const std::string& collection) override;
  Result<std::string> announce(const std::string& collection) override;
  Result<bool> retire(const std::string& collection) override;

 private:
  std::shared_ptr<QdrantApi> api_;
  const SystemClock system_clock_;
  const Clock* clock_;
};

// In this Qdrant, or with null in the data directory.
std::unique_ptr<IndexCatalog> open_index_catalog(const std::filesystem::path& data_dir,
                                                 std::shared_ptr<QdrantApi> server);

class MemoryIndexCatalog final : public IndexCatalog {
 public:
  Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) override;
  Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) override;
  Result<void> drop(const std::string& collection) override;

  std::map<std::string, std::shared_ptr<KnowledgeIndex>> indexes;
};

}  // namespace precedent
