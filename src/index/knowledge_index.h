// The `KnowledgeIndex` seam: points (dense vector, sparse vector, payload) and the searches over
// them.
//
// Derived from store/ and rebuilt from it at any time. Implementations: EmbeddedIndex
// (embedded_index.h), QdrantIndex (qdrant_index.h); the plain oracle MemoryIndex is the fake. One
// contract suite runs over all (index_contract.h).
//
// The two levels. A document yields one point for each chunk (sparse over the chunk and its
// context, dense) and one point for the whole document (sparse only). Ranking by whole documents
// and finding the passage are different questions; each level has its own document frequencies.
//
// Scores. sparse: Σ over query terms of  query weight × idf(t) × point weight(t), with
// idf(t) = ln(1 + (N − df + 0.5) / (df + 0.5)), df counted over the points of that level and N over
// those of its population (kind.h) that the filter's kinds name: code, or all else (the `idf`
// modifier of Qdrant's sparse vectors, one named vector a population; the same as Lucene's BM25).
// Ids of terms tell the populations apart (sparse_encoder.h). Point weights already
// carry term saturation and length normalisation (sparse_encoder.h). dense: dot product. Ties break
// by ascending point id, so that results are stable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "knowledge/document.h"
#include "knowledge/filter.h"

namespace precedent {

// Parallel arrays, `terms` ascending and unique. A term id is the low 32 bits of XXH3 over the
// analysed term. Weights are positive and finite; apply() refuses others.
struct SparseVector {
  std::vector<uint32_t> terms;
  std::vector<float> weights;
  bool operator==(const SparseVector&) const = default;
};

enum class Level : uint8_t { kChunk, kDocument };

// What a point says about itself: enough to filter, to show a hit and to quote it without the
// store.
struct Payload {
  std::string doc_id;
  Kind kind = Kind::kDoc;
  Level level = Level::kChunk;
  uint32_t ordinal = 0;
  uint32_t chunk_count = 0;  // of the document
  std::string title;
  std::vector<std::string> heading;
  std::string text;  // of the chunk; empty at document level
  std::string path;
  LineRange lines;
  std::vector<std::string> services;
  std::vector<std::string> tags;
  std::string application;
  std::string severity;
  std::string status;
  std::optional<TimePoint> opened_at;
  bool operator==(const Payload&) const = default;
};

struct Point {
  uint64_t id = 0;  // unique for ever: an id is never used again for other content
  SparseVector sparse;
  std::vector<float> dense;  // of chunks only: as many floats as in every other chunk, or empty
  Payload payload;
};

struct PointScore {
  uint64_t id = 0;
  float score = 0;
  bool operator==(const PointScore&) const = default;
};

// What one question finds, each list best first.
struct SearchLists {
  std::vector<PointScore> documents;  // by the sparse query, of Level::kDocument
  std::vector<PointScore> chunks;     // by the sparse query, of Level::kChunk
  std::vector<PointScore> dense;
};

struct IndexUpdate {
  std::vector<std::string>
      remove_documents;  // all their points; exact ids, unknown ones are no error
  std::vector<Point>
      add;  // ids unique in here; a point whose id the index holds already is replaced
  std::string model_id =
      {};  // of the embedder that made the vectors in `add`; ignored if there are none
};

// Counts of one payload field over documents (not chunks), most frequent first, then by value.
// Spellings that differ only in case count as one value, shown in the first of them by byte order.
// An empty value is no value: it is neither counted nor matched by a filter.
enum class Facet : uint8_t { kKind, kService, kTag, kApplication, kSeverity, kStatus };
struct FacetCount {
  std::string value;
  size_t documents = 0;
  bool operator==(const FacetCount&) const = default;
};

struct IndexInfo {
  uint64_t version = 0;  // the store's change number that the index reflects
  size_t documents = 0;
  size_t chunks = 0;
  size_t dimensions = 0;  // of the dense vectors; 0 if there are none
  std::string model_id;   // of the embedder that made them; "" if none
  size_t bytes = 0;       // on disk
};

class KnowledgeIndex {
 public:
  virtual ~KnowledgeIndex() = default;

  // --- Reading. Thread safety: any number of threads, also during one apply(); each call sees one
  // version.

  virtual IndexInfo info() const = 0;

  // The best `limit` points of `level` that match, best first. Points with score 0 (no query term)
  // are left out.
  virtual Result<std::vector<PointScore>> search_sparse(const SparseVector& query,
                                                        const Filter& filter, Level level,
                                                        size_t limit) const = 0;
  // The best `limit` chunks by dot product. Empty if the index holds no vectors.
  // Errors: kInvalidArgument if the query has another number of dimensions.
  virtual Result<std::vector<PointScore>> search_dense(std::span<const float> query,
                                                       const Filter& filter,
                                                       size_t limit) const = 0;
  // search_sparse() at both levels and search_dense() at once, `limit` points each: a server is
  // asked for all three in one request. An empty query has an empty list.
  virtual Result<SearchLists> search_all(const SparseVector& sparse, std::span<const float> dense,
                                         const Filter& filter, size_t limit) const {
    SearchLists lists;
    lists.documents = TRY(search_sparse(sparse, filter, Level::kDocument, limit));
    lists.chunks = TRY(search_sparse(sparse, filter, Level::kChunk, limit));
    if (!dense.empty()) lists.dense = TRY(search_dense(dense, filter, limit));
    return lists;
  }
  // Points by id, in the order asked; ids that do not exist are left out.
  virtual Result<std::vector<Payload>> payloads(std::span<const uint64_t> ids) const = 0;
  // Every chunk of one document, by ordinal. Empty if there is none.
  virtual Result<std::vector<std::pair<uint64_t, Payload>>> chunks_of(
      std::string_view doc_id) const = 0;
  // The stored dense vectors, in the order asked; an empty one where a point has none or does not
  // exist.
  virtual Result<std::vector<std::vector<float>>> vectors(std::span<const uint64_t> ids) const = 0;

  // Document-level points that match, by title, or newest first with the undated last; ties by
  // title, document id and point id. At most `limit`.
  enum class Order : uint8_t { kNewest, kTitle };
  virtual Result<std::vector<Payload>> list(const Filter& filter, Order order,
                                            size_t limit) const = 0;
  virtual Result<size_t> count_documents(const Filter& filter) const = 0;
  virtual Result<std::vector<FacetCount>> facet(Facet facet, const Filter& filter) const = 0;

  // --- Writing. One writer at a time.

  // Applies the update atomically and durably: readers, and a process that opens the index after a
  // crash at any moment, see either all of it or nothing. Removals come before additions. `version`
  // becomes info().version. Errors: kInvalidArgument for a malformed point (named by its id);
  // kConflict if vectors of another model would be mixed with those that stay: remove those
  // documents in the same update, or rebuild the index.
  virtual Result<void> apply(const IndexUpdate& update, uint64_t version) = 0;
};

}  // namespace precedent
