// One sync: what a source has, held against what the knowledge base knows of it, and the
// difference taken over.
//
//   list ──► plan ──► too much would vanish? ──► fetch ──► open the door ──► ingest ──► remove
//
// The network is asked while the knowledge base is open to others: what a remote source has is
// fetched into a file first (document_spool.h). Only then the door is opened, the plan made again
// from what is known by now, and everything goes through it (ingest/pipeline.h). An error anywhere
// leaves what was taken over so far, removes nothing, and leaves the cursor where it was, so that
// the next sync goes over the same changes again. A source cannot touch a document that belongs to
// another.
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ingest/pipeline.h"
#include "sources/knowledge_source.h"

namespace precedent {

// A sync that would remove more than this is probably an empty mount, a wrong branch or a token
// that sees less than before.
struct DeletionLimit {
  size_t few = 20;      // so many are never too many
  size_t percent = 80;  // of the documents that the source had
};

struct SyncOptions {
  bool sweep = false;  // list everything, whatever the cursor says
  bool yes = false;    // remove however much it is
  bool dry_run = false;
  DeletionLimit limit;
  IngestOptions ingest;  // of it: threads and batches; the rest is the source's
};

// The knowledge base, open for writing: nobody else writes as long as it lives.
struct KnowledgeDoor {
  std::vector<DocumentState> known;  // of all sources
  std::function<Result<IngestReport>(const IngestOptions&, DocumentReader)> ingest;
  std::function<Result<IngestReport>(const std::vector<std::string>& ids, bool dry_run)> remove;
};

// The knowledge base, as its owner shows it.
struct KnowledgeAccess {
  // What is known of all documents; keeps nobody from writing.
  std::function<Result<std::vector<DocumentState>>()> look;
  // Waits for others who write, as long as is bearable. Errors: kUnavailable then.
  std::function<Result<KnowledgeDoor>()> open;
};

struct SyncPlan {
  std::vector<SourceEntry> wanted;
  std::vector<std::string> vanished;  // ids, sorted
  std::vector<std::string> foreign;   // ids that belong to other sources: left alone
  size_t unchanged = 0;
  size_t known = 0;  // documents of the source before
};

// Pure.
SyncPlan plan_sync(const std::string& scope, const SourceListing& listing,
                   std::span<const DocumentState> known);

struct SyncReport {
  std::string cursor;  // for the next one
  bool everything = false;
  IngestReport ingest;  // added, changed, bad …
  size_t unchanged = 0, removed = 0;
  size_t documents = 0;  // of the source, afterwards
  std::vector<std::string> removed_ids;
  std::vector<std::string> notes;
};

// Errors: those of the source and of the ingest; kConflict if more would be removed than the limit
// allows, naming the numbers: nothing was changed then. kCancelled.
// REQUIRES: `context.known` is what `access` shows. `spool`: a file that may be written meanwhile;
// it is gone afterwards.
Result<SyncReport> sync_source(KnowledgeSource& source, const std::string& cursor,
                               const SyncOptions& options, const SyncContext& context,
                               const KnowledgeAccess& access, const std::filesystem::path& spool);

}  // namespace precedent
