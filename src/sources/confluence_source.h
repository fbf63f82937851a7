// KnowledgeSource over spaces of Confluence, Cloud or Data Center.
//
// A sweep lists every page with its version: on Cloud by version 2 of the API, which reads the
// database, with restrictions and labels by CQL, which only version 1 has; on Data Center by
// version 1. What the sweep lacks was deleted or moved away. Between sweeps only what changed is
// asked for, by CQL. Its times have minutes and the time zone of the account, so a day is asked
// for again, and the version tells what is known.
//
// A page that only some may read, itself or by a page above it, is not taken, since precedent does
// not know who those are; the notes say how many. A restriction that comes later is noticed by the
// next sweep. A macro that is not known and has no text of its own is taken from the rendered page,
// which is one request more. A document's path is "confluence:SPACE/Title", its link the page, its
// version the page's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sources/confluence_reply.h"
#include "sources/knowledge_source.h"
#include "sources/source_http.h"
#include "sources/storage_markdown.h"

namespace precedent {

struct ConfluenceOptions {
  std::string name;
  bool data_center = false;
  std::vector<std::string> spaces, labels;  // no labels: every page
  ReadOptions read;                         // kind, services, tags
  std::string settings;                     // another one makes every page another
  bool rendered = true;                     // whether unknown macros are taken as they are shown
};

class ConfluenceSource final : public KnowledgeSource {
 public:
  ConfluenceSource(SourceHttp http, ConfluenceOptions options);

  const std::string& scope() const override { return scope_; }
  bool is_remote() const override { return true; }
  Result<SourceListing> list(const std::string& cursor, const SyncContext& context) override;
  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override;

 private:
  struct Cursor;
  struct Reading;
  using OnPage = std::function<void(ConfluencePage&&)>;

  std::string document_id(const std::string& page) const;
  std::string revision_of(const ConfluencePage& page) const;
  std::string link_of(const ConfluencePage& page) const;
  Result<void> each_page(std::string url, const CancelToken& cancel, const OnPage& on_page) const;
  Result<void> search(const std::string& cql, const CancelToken& cancel, const OnPage& on_page);
  Result<void> sweep(SourceListing& listing, Cursor& cursor, const CancelToken& cancel);
  Result<void> sweep_cloud(std::vector<ConfluencePage>& pages, SourceListing& listing,
                           const CancelToken& cancel);
  Result<void> changes(SourceListing& listing, Cursor& cursor, const CancelToken& cancel);
  void take(std::vector<ConfluencePage> pages, SourceListing& listing, Cursor& cursor);
  Result<void> read_batch(std::span<const SourceEntry> entries, const CancelToken& cancel,
                          Reading& reading);
  Result<void> read_one(const SourceEntry& entry, const CancelToken& cancel, Reading& reading);
  Result<void> hand_on(const SourceEntry& entry, const ConfluencePage& page,
                       const CancelToken& cancel, Reading& reading);
  std::string path_of(const ConfluencePage& page) const;
  // The page's text, with what Confluence shows for macros that are not known.
  Result<StorageText> with_rendered(StorageText text, const ConfluencePage& page,
                                    const CancelToken& cancel) const;

  SourceHttp http_;
  ConfluenceOptions options_;
  std::string scope_;
  std::map<std::string, ConfluencePage> listed_;  // by id, of the last list()
};

}  // namespace precedent
