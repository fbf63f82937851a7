// KnowledgeStore: the truth. Documents, their chunks, cached embeddings, dataset versions, golden
// examples and feedback, in one SQLite file or in a PostgreSQL.
//
// Written by ingest/ (one process at a time, see lock_for_writing()), read by tools/ and by whoever
// rebuilds the derived index. Every update is one transaction and raises the change number
// `version()`, so that an index that says "I reflect version N" can ask what happened since. Knows
// nothing of search, of terms or of models beyond their names.
//
// Format: docs/format/store.md. Errors: those of db/sqlite.h and db/postgres.h, naming the place
// and the remedy. A PostgreSQL that was started again between two calls is not noticed; one that
// goes during a call is kUnavailable, nothing of the call is kept, and the next call works again.
// Thread safety: all members; calls take turns (of a PostgreSQL opened for reading, some run at
// once). Reading while another process writes is safe and never waits.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "knowledge/document.h"
#include "knowledge/golden.h"
#include "knowledge/scope.h"
#include "store/dataset_version.h"
#include "store/index_build.h"
#include "store/store_address.h"

namespace precedent {

// Lengths in terms, by field, as the index counts them. Kept for each document, so that the
// averages over the corpus follow every change without reading a text.
struct FieldLengths {
  uint32_t title = 0;
  uint32_t meta = 0;
  uint32_t headings = 0;        // all different headings of the document
  uint32_t chunk_headings = 0;  // the heading paths of its chunks, summed
  uint32_t body = 0;            // of its chunks, summed
  bool operator==(const FieldLengths&) const = default;
};

struct StoredChunk {
  Chunk chunk;
  std::string embedding_key;  // content_hash of the text that is embedded for it
};

struct NewDocument {
  Document document;
  std::string hash;  // decides whether an ingest finds it unchanged
  std::vector<StoredChunk> chunks;
  FieldLengths lengths;
  std::string
      model_id;  // of the embedder whose vectors the store holds for every chunk; "" if none
};

struct NewVector {
  std::string embedding_key;
  std::vector<float> values;
};

// One transaction. A document replaces the one of its id, with all its chunks. Removals come first.
struct StoreUpdate {
  std::vector<std::string> remove;  // ids; unknown ones are ignored
  std::vector<NewDocument> put;
  std::string model_id;  // of `vectors`
  std::vector<NewVector> vectors;
  // The dataset version whose records the update brings in: it becomes the active one with it.
  std::optional<VersionActivation> activation;
};

// Point ids of the index: `point` is the document's own, its chunk of ordinal i has point + 1 + i.
// Never used again.
struct Committed {
  uint64_t version = 0;
  std::vector<uint64_t> points;  // for each of StoreUpdate::put
};

struct StoredDocument {
  uint64_t point = 0;
  Document document;
  std::vector<StoredChunk> chunks;
  FieldLengths lengths;
  std::string model_id;
};

struct DocumentState {
  std::string id;
  std::string hash;
  std::string source;
  std::string path;
  Kind kind = Kind::kDoc;
};

struct Changes {
  uint64_t version = 0;              // of the store when this was read
  std::vector<std::string> removed;  // ids that existed once and do not any more
  std::vector<std::string> changed;  // ids added or replaced
};

struct StoreCounts {
  size_t documents = 0;
  size_t chunks = 0;
  size_t sources = 0;
  size_t vectors = 0;
  std::vector<std::pair<Kind, size_t>> by_kind;  // documents; kinds without any are left out
};

struct NameCount {
  std::string name;  // in the spelling of the newest document
  size_t documents = 0;
  bool operator==(const NameCount&) const = default;
};

class StoreConnection;

class KnowledgeStore {
 public:
  enum class Access { kReadOnly, kReadWrite };

  // kReadWrite creates the file, or the tables, and brings an old format up to date. kReadOnly
  // needs no right to write; kNotFound if there is none yet. ":memory:" is an empty store that
  // vanishes.
  static Result<KnowledgeStore> open(const StoreAddress& address, Access access);
  static Result<KnowledgeStore> open(const std::filesystem::path& file, Access access) {
    return open(StoreAddress{file}, access);
  }
  // For reading what a scope leaves (scope.h): every list, count and text, golden examples where
  // the scope has them, and no feedback. A service whose name has letters beyond ASCII is
  // recognised only in the scope's own spelling: rather too little is seen than too much.
  static Result<KnowledgeStore> open_scoped(const StoreAddress& address, const Scope& scope);
  static Result<KnowledgeStore> open_scoped(const std::filesystem::path& file, const Scope& scope) {
    return open_scoped(StoreAddress{file}, scope);
  }
  KnowledgeStore(KnowledgeStore&&) noexcept;
  KnowledgeStore& operator=(KnowledgeStore&&) noexcept;
  ~KnowledgeStore();

  // --- Writing

  // PostgreSQL: nobody else gets this until the store is closed, or the connection is lost, which
  // then ends all further writing. Of a file, ingest.lock is that lock. Errors: kConflict if
  // another process has it.
  Result<void> lock_for_writing();

  Result<Committed> apply(const StoreUpdate& update);
  // The chunks of these documents have vectors of this model now (put in the same transaction);
  // their texts did not change. Raises the version, so that the index is told.
  Result<Committed> put_vectors(std::span<const std::string> document_ids,
                                std::string_view model_id, std::span<const NewVector> vectors);
  // Keeps vectors for texts that no document has yet. The version stays as it is.
  Result<void> cache_vectors(std::string_view model_id, std::span<const NewVector> vectors);
  // Forgets cached vectors that no chunk uses under `model_id`, but for those of `kept`: keys.
  // Returns how many.
  Result<size_t> drop_unused_vectors(std::string_view model_id,
                                     const std::set<std::string>& kept = {});

  // --- Builds of the index (index_build.h)

  Result<std::optional<IndexBuild>> active_build() const;
  // Of the active build; where there is none, of what was embedded last; "" for neither.
  Result<std::string> model_in_use() const;
  // A new one with a collection name that was never used, not active yet.
  Result<IndexBuild> begin_build(const IndexBuildDraft& draft);
  // Makes it the active one, atomically; the one before is retired. REQUIRES: it reflects
  // version(): removals up to here are forgotten.
  Result<void> activate_build(uint64_t number);
  // All that are not active, oldest first: retired ones, and those that a crash left unfinished.
  Result<std::vector<IndexBuild>> inactive_builds() const;
  Result<void> forget_build(uint64_t number);

  // --- Reading documents. Lists are newest first (opened_at, else the date in an incident's id;
  // undated last, then by id). `limit` counts documents.

  Result<std::optional<Document>> find(std::string_view id) const;
  Result<std::vector<Document>> list(Kind kind, size_t limit) const;
  // Every text of a kind, by path and id, one at a time; until the visitor says false. The views
  // are valid during the call; the visitor must not call the store.
  using BodyVisitor =
      std::function<bool(const std::string& id, const std::string& path, std::string_view body)>;
  Result<void> visit_bodies(Kind kind, const BodyVisitor& visitor) const;
  // Every application and every service that any document names, most documents first, then by
  // name.
  Result<std::vector<NameCount>> applications() const;
  Result<std::vector<NameCount>> services() const;
  Result<StoreCounts> counts() const;
  // Where the documents come from: each source once, by name.
  Result<std::vector<std::string>> sources() const;
  // The version of the incident data that answers come from; 0: there is none.
  Result<uint64_t> active_dataset_version() const;

  // --- Golden examples and feedback (knowledge/golden.h has the rules; golden_store.cc). The
  // examples here are the truth about what may be served; their documents, which the index finds
  // them by, are written by an ingest and may lag behind.

  Result<std::optional<GoldenExample>> golden(std::string_view id) const;
  // By id.
  Result<std::vector<GoldenExample>> golden_examples() const;
  // Whether any is reviewed and active: what tells a search that there is nothing to find.
  Result<bool> serves_golden() const;
  // Each replaces the one of its id, in one transaction. Errors: kConflict if a document of
  // another kind has the id; then none is stored.
  Result<void> put_golden(std::span<const GoldenExample> examples);
  // An unknown id is ignored. The document that the index finds it by goes with the next ingest.
  Result<void> remove_golden(std::string_view id);

  // Returns the id that it got; `feedback.id` is ignored.
  Result<int64_t> add_feedback(const Feedback& feedback);
  Result<std::optional<Feedback>> feedback(int64_t id) const;
  // Oldest first.
  Result<std::vector<Feedback>> feedback_list(bool pending_only) const;
  // What became of pending feedback, and the example that was made of it, in one transaction.
  // Errors: kConflict if it is not pending any more, or as put_golden().
  Result<void> close_feedback(const Feedback& closed, const std::optional<GoldenExample>& made);

  // --- Reading for an ingest and for the index

  Result<uint64_t> version() const;
  Result<std::vector<DocumentState>> states() const;
  Result<Changes> changes_since(uint64_t version) const;
  // With chunks, in the order asked; unknown ids are left out.
  Result<std::vector<StoredDocument>> stored(std::span<const std::string> ids) const;
  // The next documents with a point above `point`, ascending, until `limit` documents or about
  // `max_bytes` of text: reading the whole store a page at a time.
  Result<std::vector<StoredDocument>> stored_after(uint64_t point, size_t limit,
                                                   size_t max_bytes) const;
  // In the order asked; an empty one where the store has none.
  Result<std::vector<std::vector<float>>> vectors(
      std::string_view model_id, std::span<const std::string> embedding_keys) const;
  // Ids of documents whose vectors are not of this model (or that have none), ascending by point.
  Result<std::vector<std::string>> without_vectors_of(std::string_view model_id) const;
  Result<CorpusLengths> corpus_lengths(Population population = Population::kProse) const;

  // Whether every page of the file is sound, after a change. Errors: kCorrupt naming the file.
  // PostgreSQL checks its own pages as it reads them: always well.
  Result<void> check_pages() const;
  // Sentences about what is wrong with what is stored, for `doctor`; empty if nothing is. Reads
  // everything.
  Result<std::vector<std::string>> problems() const;

 private:
  friend class DatasetVersions;
  explicit KnowledgeStore(std::unique_ptr<StoreConnection> connection);
  std::unique_ptr<StoreConnection> connection_;
};

}  // namespace precedent
