// Documents made ready for the store and the index: cut into chunks, analysed, embedded. The costly
// part of an ingest, done by several threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "embed/embedder.h"
#include "ingest/publish/point_builder.h"
#include "knowledge/document.h"
#include "store/knowledge_store.h"

namespace precedent {

// What decides whether a document must be prepared again: a hash of its content, and the number of
// the rules by which this program prepares. NewDocument::hash of every document that is ingested.
std::string preparation_mark(const Document& document);
// The same, of a document that is named by its revision (reader.h) instead of read.
std::string preparation_mark(std::string_view id, std::string_view revision);
// Of a document without a revision, by its content_hash(); of a record of a dataset version, by its
// record_hash().
std::string mark_of_content(std::string_view hash);
// Whether a stored mark was made by the rules of this program.
bool is_of_these_rules(std::string_view mark);

// Document → its chunks, in order. Called from several threads at once.
using Chunker = std::function<std::vector<Chunk>(const Document&)>;

struct PreparedDocument {
  NewDocument stored;  // what the store keeps
  DocumentTerms terms;
  std::vector<std::vector<float>> vectors;  // one for each chunk, or none
  uint64_t point = 0;                       // once stored
  bool replaces = false;                    // an older version of the document is in the store
};

// What travels through the stages together: enough texts for a full batch of the embedder, few
// enough to share the work between threads.
struct PreparedBatch {
  std::vector<PreparedDocument> documents;
  std::vector<NewVector> fresh;     // embedded here: not in the store's cache
  std::vector<std::string> cached;  // keys of the chunks that needed no embedding
  uint64_t bytes = 0;               // of the documents' texts
  // How far the sources were read when this batch was full.
  uint64_t read = 0, total = 0;
};

// Thread safety: all members; the parts must be shareable as their types say. Lifetime: the parts
// outlive it.
class Preparer {
 public:
  // `embedder` may be null: then documents get the vectors that the store has of `model_id`, if
  // any. `look_only`: nothing is embedded; `fresh` then has keys without values (--dry-run).
  Preparer(const KnowledgeStore& store, const Embedder* embedder, std::string model_id,
           Tokenizer tokenize, Chunker chunk, bool look_only);

  // Fills in everything but the document and its hash.
  Result<void> prepare(PreparedBatch& batch) const;
  // For documents that come out of the store with their chunks: terms and vectors.
  Result<void> prepare_stored(PreparedBatch& batch) const;
  // Vectors alone, for documents whose points are not needed.
  Result<void> prepare_vectors(PreparedBatch& batch) const;

 private:
  struct Wanted;
  Result<void> add_vectors(PreparedBatch& batch) const;
  Result<void> embed(PreparedBatch& batch, const std::vector<Wanted>& missing) const;

  const KnowledgeStore& store_;
  const Embedder* embedder_;
  std::string model_id_;
  Tokenizer tokenize_;
  Chunker chunk_;
  bool look_only_;
};

}  // namespace precedent
