// IndexBuild: one build of the derived index. The active one names the collection that searches
// read.
//
// A change that the index cannot take up in place (another embedding model, another format,
// averages that drifted) is built as a new collection beside the old one and then activated in one
// transaction: whoever reads meanwhile, or after a crash, finds the old one whole. Thread safety:
// plain values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace precedent {

// Sums over the corpus of lengths in terms (FieldLengths), on the level of chunks and of whole
// documents.
struct CorpusLengths {
  struct Level {
    uint64_t points = 0;
    uint64_t title = 0, heading = 0, meta = 0, body = 0;
    bool operator==(const Level&) const = default;
  };
  Level chunks;
  Level documents;
  bool operator==(const CorpusLengths&) const = default;
};

struct IndexBuildDraft {
  int32_t index_format = 0;  // of the points: what the encoder and the payload mean
  std::string model_id;      // of its dense vectors; "" if it has none
  size_t dimensions = 0;
  CorpusLengths lengths;  // of prose, that its sparse weights were computed with
  CorpusLengths code_lengths = {};
};

struct IndexBuild : IndexBuildDraft {
  uint64_t number = 0;
  std::string collection;  // unique over all stores: "kb-1f2e3d4c-3"
};

// Where things are in a data directory.
std::filesystem::path store_file(const std::filesystem::path& data_dir);
std::filesystem::path ingest_lock_file(const std::filesystem::path& data_dir);
// The folder of the embedded index for a collection.
std::filesystem::path index_folder(const std::filesystem::path& data_dir,
                                   const std::string& collection);

}  // namespace precedent
