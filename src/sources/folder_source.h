// KnowledgeSource over files and folders, read as `precedent ingest` reads them
// (ingest/reading/reader.h).
//
// Its scope is the folder, as that of an ingest of it, so that both may be used in turn. The cursor
// stands for the names, sizes and times of all files: where it is the same, nothing is read. Else
// everything is, and the ingest finds what is unchanged. A change within the last seconds gives no
// cursor, as the next one might have the same time.
// Errors: those of read_documents; kNotFound if the folder is not there, as a mount that is missing
// must not look like one that is empty.
#pragma once

#include <string>

#include "sources/knowledge_source.h"

namespace precedent {

class FolderSource final : public KnowledgeSource {
 public:
  // `read.paths` is the one folder or file. Errors: kNotFound.
  static Result<FolderSource> open(ReadOptions read);

  const std::string& scope() const override { return scope_; }
  Result<SourceListing> list(const std::string& cursor, const SyncContext& context) override;
  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override;

 private:
  // "" where it would not tell all changes.
  Result<std::string> fingerprint() const;
  FolderSource(ReadOptions read, std::string scope)
      : read_(std::move(read)), scope_(std::move(scope)) {}

  ReadOptions read_;
  std::string scope_;
};

// All documents of a reading, as entries; what could not be read as `unreadable`.
Result<SourceListing> list_by_reading(const ReadOptions& read, const SyncContext& context);

}  // namespace precedent
