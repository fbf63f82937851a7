// Ingest: sources → documents → store → index. The one door through which knowledge enters and
// leaves a knowledge base.
//
//   read ──► known already? ──► chunk, analyse, embed ──► store, in transactions ──► index
//   one thread                  several threads            the calling thread         one thread
//
// Idempotent: a document whose content the store knows is neither cut nor embedded again, unless
// another version of this program cut it by other rules. A changed one replaces its old version,
// chunks and all, in one transaction. Killed at any moment, also with the disk full: the state
// before or after each document is searchable, and the next ingest repairs the rest (publisher.h).
//
// Errors: those of the paths, before anything is changed; kConflict if another process ingests;
// those of the store and the index. A bad record is no error: it is reported. Being cancelled is no
// error either: the report says so. Thread safety: one ingest at a time for a data directory;
// ingest.lock sees to it between processes.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "embed/embedder.h"
#include "ingest/intake/ingest_report.h"
#include "ingest/publish/index_catalog.h"
#include "ingest/publish/prepare.h"
#include "ingest/publish/progress.h"
#include "ingest/reading/reader.h"
#include "store/knowledge_store.h"

namespace precedent {

struct IngestOptions {
  ReadOptions read;
  bool prune = false;    // remove what vanished from the sources
  bool dry_run = false;  // change nothing, report the same counts
  bool strict = false;   // load nothing if any record is bad
  // The dataset version whose records are read: all that changes by it, and what vanishes, is one
  // transaction of the store and one update of the index. Takes the memory that the changes take.
  std::optional<VersionActivation> activation = {};
  // Embeds what is new and keeps the vectors, nothing else: whoever ingests it later is quick.
  bool vectors_only = false;
  Bm25Params bm25;

  // Analysing and embedding; one more reads, the caller's writes.
  size_t threads = 2;
  // Bytes of text (bodies of documents) that go together. A batch: enough chunks to fill the
  // embedder's batches.
  size_t batch_bytes = 256 * 1024;
  // A transaction of the store: what is lost at most when the process is killed. Large enough that
  // the fsync of a commit does not count.
  size_t transaction_bytes = 2 * 1024 * 1024;
  // Embedding is slow on a small machine: what is ready is stored after this time at the latest.
  std::chrono::milliseconds transaction_time{2000};
  // One update of the index at most; bounds memory. The first ones are smaller (pipeline.cc).
  size_t publish_bytes = 8 * 1024 * 1024;
  // And what is stored can be searched after this time at the latest. An update costs a merge now
  // and then, so not after every transaction.
  std::chrono::milliseconds publish_time{10000};
};

// Calls the sink for every document; read_documents unless a test says otherwise.
using DocumentReader = std::function<Result<ReadSummary>(const ReadOptions&, DocumentSink&)>;

// What an ingest is made of. Ownership: the caller's, and outlives the call.
struct IngestParts {
  KnowledgeStore& store;
  IndexCatalog& indexes;
  const Embedder* embedder = nullptr;  // null: no weights; the index is lexical only
  Tokenizer tokenize;
  Chunker chunk;
  DocumentReader read;
};

// REQUIRES: nobody else writes to the store or its indexes; see ingest_lock_file().
Result<IngestReport> ingest(const IngestOptions& options, const IngestParts& parts,
                            ProgressSink* progress, const CancelToken& cancel);

// Removes documents from store and index. Ids that are not there are passed over.
// REQUIRES and errors: as ingest(). The report counts them as removed; `dry_run`: only that.
Result<IngestReport> remove_documents(const std::vector<std::string>& ids,
                                      const IngestOptions& options, const IngestParts& parts,
                                      ProgressSink* progress, const CancelToken& cancel);

// Brings the index up to what the store says, and with `rebuild` builds it anew whatever it is
// like: beside the one that is searched, without embedding anything again. Returns what was done,
// as a sentence; "" if nothing. REQUIRES and errors: as ingest().
Result<std::string> repair_index(const IngestOptions& options, const IngestParts& parts,
                                 bool rebuild, ProgressSink* progress, const CancelToken& cancel);

// Makes `target` hold the index, too (Publisher::fill). REQUIRES: as ingest().
Result<std::shared_ptr<KnowledgeIndex>> fill_index(const IngestOptions& options,
                                                   const IngestParts& parts, IndexCatalog& target,
                                                   ProgressSink* progress,
                                                   const CancelToken& cancel);

}  // namespace precedent
