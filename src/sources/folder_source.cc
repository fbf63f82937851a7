#include "sources/folder_source.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "base/hash.h"
#include "ingest/reading/path_ids.h"

namespace precedent {
namespace {

// Keeps ids alone: memory is bounded by their number.
class Lister final : public DocumentSink {
 public:
  Lister(std::span<const DocumentState> known, SourceListing& listing)
      : path_ids_(known), listing_(listing) {}

  Result<void> document(Document&& document, size_t /*line*/) override {
    listing_.entries.push_back({std::move(document.id), "", ""});
    return {};
  }
  void bad(BadRecord&& bad) override {
    if (listing_.unreadable.empty() || listing_.unreadable.back() != bad.path)
      listing_.unreadable.push_back(std::move(bad.path));
  }
  std::string id_of(const Place& place) override { return path_ids_.id_of(place); }

 private:
  PathIds path_ids_;
  SourceListing& listing_;
};

}  // namespace

Result<SourceListing> list_by_reading(const ReadOptions& read, const SyncContext& context) {
  SourceListing listing;
  listing.everything = true;
  ReadOptions options = read;
  options.cancel = &context.cancel;
  Lister lister(context.known, listing);
  TRY(read_documents(options, lister));
  return listing;
}

Result<FolderSource> FolderSource::open(ReadOptions read) {
  std::error_code error;
  const auto scope = std::filesystem::canonical(read.paths.at(0), error);
  if (error)
    return fail(ErrorCode::kNotFound,
                fmt::format("cannot read {}: {}; check 'path', and that it is mounted",
                            read.paths[0], error.message()));
  return FolderSource(std::move(read), scope.string());
}

Result<std::string> FolderSource::fingerprint() const {
  // File systems and clocks disagree by less.
  constexpr std::chrono::seconds kSettled{3};
  const FoundFiles found = TRY(expand_sources(read_.paths, read_.follow_links));
  if (!found.unreadable.empty() || !found.unread.empty()) return "";
  const auto latest = std::filesystem::file_time_type::clock::now() - kSettled;
  std::string all;
  for (const SourceFile& file : found.files) {
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(file.canonical, error);
    if (error || changed > latest) return "";
    all += fmt::format("{}\n{} {}\n", file.path, file.bytes, changed.time_since_epoch().count());
  }
  return content_hash(all);
}

Result<SourceListing> FolderSource::list(const std::string& cursor, const SyncContext& context) {
  TRY(context.cancel.check());
  const std::string now = TRY(fingerprint());
  if (!context.sweep && !now.empty() && now == cursor) {
    SourceListing same;
    same.cursor = cursor;
    return same;
  }
  // What changes from here on has another fingerprint.
  SourceListing listing = TRY(list_by_reading(read_, context));
  if (listing.unreadable.empty()) listing.cursor = now;
  return listing;
}

Result<ReadSummary> FolderSource::read(std::span<const SourceEntry> /*entries*/,
                                       const SyncContext& context, DocumentSink& sink) {
  ReadOptions options = read_;
  options.cancel = &context.cancel;
  return read_documents(options, sink);
}

}  // namespace precedent
