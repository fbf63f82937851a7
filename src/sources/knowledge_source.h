// The `KnowledgeSource` seam: a place where documents live and change: a folder, a git repository,
// a wiki, a list of issues.
//
// A sync (sync.h) asks twice. list() says cheaply which documents there are, or which changed since
// a cursor; what the knowledge base has in the same revision is not asked for again. read() then
// hands the others to the ingest, the one door into the knowledge base. Nothing is written by a
// source but into its own working folder.
//
// What a source says is data: its ids, titles and texts decide about its own documents alone.
// Errors: what is missing, refused or broken ends the call and leaves the knowledge base as it was;
// a single document that cannot be read is reported to the sink and stays as it is known.
// Thread safety: one thread. Ownership: owns its connections, borrows what it was made with.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "ingest/reading/reader.h"
#include "store/knowledge_store.h"

namespace precedent {

struct SourceEntry {
  std::string id;  // of the document
  // Equal revisions mean equal content. "": unknown, so the document has to be read.
  std::string revision;
  std::string ref;  // by which the source reads it
};

struct SourceListing {
  // To go on from: opaque, at most kMaxCursorBytes. "" begins anew.
  std::string cursor;
  // Whether `entries` are all documents that the source has, so that what is missing was deleted.
  // False: they are what changed since the cursor.
  bool everything = false;
  std::vector<SourceEntry> entries;
  std::vector<std::string> gone;  // ids that the source knows to be deleted
  std::vector<std::string> kept;  // ids that cannot be looked at for now: they stay as they are
  std::vector<std::string> unreadable;  // paths: so do the documents at and below them
  std::vector<std::string> notes;       // sentences for the operator
};

// Some megabytes of cursor are the ids of 100,000 documents.
inline constexpr size_t kMaxCursorBytes = 16 * 1024 * 1024;

struct SyncContext {
  const CancelToken& cancel;
  std::span<const DocumentState> known;  // of the whole knowledge base
  bool sweep = false;                    // list everything, whatever the cursor says
};

class KnowledgeSource {
 public:
  virtual ~KnowledgeSource() = default;

  // Document::source of all its documents.
  virtual const std::string& scope() const = 0;
  // Whether read() asks the network; then its documents are complete, ids and all.
  virtual bool is_remote() const { return false; }
  virtual Result<SourceListing> list(const std::string& cursor, const SyncContext& context) = 0;
  // REQUIRES: `entries` are from the list() before; it may hand on others, too.
  virtual Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                                   DocumentSink& sink) = 0;
  // The cursor of the last listing, with what read() learned since.
  virtual std::string cursor_after(const std::string& listed) const { return listed; }
};

// The attributes under which documents say where they come from.
inline constexpr std::string_view kLinkAttribute = "link";  // an address that opens
inline constexpr std::string_view kVersionAttribute = "version";

}  // namespace precedent
