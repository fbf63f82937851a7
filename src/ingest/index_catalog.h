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
  explicit QdrantIndexCatalog(std::shared_ptr<QdrantApi> api) : api_(std::move(api)) {}

  Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) override;
  Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) override;
  Result<void> drop(const std::string& collection) override;

 private:
  std::shared_ptr<QdrantApi> api_;
};

// The Qdrant that the environment names (index/qdrant_config.h), else the embedded one.
Result<std::unique_ptr<IndexCatalog>> open_index_catalog(const std::filesystem::path& data_dir);

class MemoryIndexCatalog final : public IndexCatalog {
 public:
  Result<std::shared_ptr<KnowledgeIndex>> create(const std::string& collection) override;
  Result<std::shared_ptr<KnowledgeIndex>> open(const std::string& collection) override;
  Result<void> drop(const std::string& collection) override;

  std::map<std::string, std::shared_ptr<KnowledgeIndex>> indexes;
};

}  // namespace precedent
