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
// which is one request more. What a page includes of other pages is taken where those are in the
// spaces and not restricted; when one changes, the pages that include it are read again. A
// document's path is "confluence:SPACE/Title", its link the page, its
// version the page's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sources/confluence_api.h"
#include "sources/confluence_includes.h"
#include "sources/knowledge_source.h"
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
  std::string cursor_after(const std::string& listed) const override;
  Result<ReadSummary> read(std::span<const SourceEntry> entries, const SyncContext& context,
                           DocumentSink& sink) override;

 private:
  struct Cursor;
  struct Reading;

  std::string document_id(const std::string& page) const;
  std::string revision_of(const ConfluencePage& page) const;
  Result<void> sweep(SourceListing& listing, Cursor& cursor, const CancelToken& cancel);
  Result<void> sweep_cloud(std::vector<ConfluencePage>& pages, SourceListing& listing,
                           const CancelToken& cancel);
  Result<void> changes(SourceListing& listing, Cursor& cursor, const CancelToken& cancel);
  Result<void> changed_includes(SourceListing& listing, Cursor& cursor, const CancelToken& cancel);
  static void note_restrictions(const std::vector<ConfluencePage>& pages, Cursor& cursor);
  void take(std::vector<ConfluencePage> pages, SourceListing& listing, Cursor& cursor);
  Result<void> read_batch(std::span<const SourceEntry> entries, const CancelToken& cancel,
                          Reading& reading);
  Result<void> read_one(const SourceEntry& entry, const CancelToken& cancel, Reading& reading);
  Result<void> hand_on(const SourceEntry& entry, const ConfluencePage& page,
                       const CancelToken& cancel, Reading& reading);
  std::string path_of(const ConfluencePage& page) const;
  // A page that may be shown on others, by its names.
  Result<std::optional<ConfluencePage>> find_page(const std::string& space,
                                                  const std::string& title,
                                                  const CancelToken& cancel) const;
  // What Confluence shows for macros of the page that are not known.
  Result<RenderedMacros> rendered_of(const StorageText& text, const ConfluencePage& page,
                                     const CancelToken& cancel) const;
  // The page's text, with that and with what it includes.
  Result<StorageText> whole_text(StorageText text, const ConfluencePage& known,
                                 const ConfluencePage& page, const CancelToken& cancel,
                                 Reading& reading);

  ConfluenceApi api_;
  ConfluenceOptions options_;
  std::string scope_;
  // Of the last list(): pages by id, the versions of all by name (0: restricted), and who is.
  std::map<std::string, ConfluencePage> listed_;
  IncludedVersions versions_;
  std::set<std::string> restricted_;
  // By the id of the page that includes; read() adds to it.
  std::map<std::string, IncludedVersions> includes_;
};

}  // namespace precedent
